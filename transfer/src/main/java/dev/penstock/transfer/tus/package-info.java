/**
 * tus 1.0.0 (tus.io/protocols/resumable-upload), the protocol of resumable uploads that most clients speak, with all of
 * its extensions but {@code concatenation-unfinished}.
 *
 * <p>An upload begins with a POST, which {@code TusCreation} answers: it reads {@code Upload-Length}, {@code
 * Upload-Metadata} and {@code Upload-Concat}, has the store make the upload, and appends the body where there is one.
 * From then on {@link dev.penstock.transfer.tus.TusProtocol} answers for it: HEAD says its offset, PATCH appends there,
 * DELETE removes it. {@code TusChecksum} makes a digest of {@code Upload-Checksum}, or of the trailer of that name,
 * whose algorithm is known only when the body has ended.
 *
 * <p>Invariants: a request is checked as a whole before anything of its body is read or the store is changed, so that a
 * refused one leaves everything as it was; every response but that to OPTIONS names the version; an error is a line of
 * plain text, since that is what clients of tus show. What is kept with an upload, and echoed, is kept as it was sent.
 *
 * <p>Begin with {@code TusProtocol}.
 */
@NullMarked
package dev.penstock.transfer.tus;

import org.jspecify.annotations.NullMarked;
