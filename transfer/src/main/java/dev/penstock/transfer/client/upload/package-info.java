/**
 * The client's side of the protocols of resumable uploads: which headers a request carries, and what an answer says.
 *
 * <p>Both protocols do the same four things, which {@link dev.penstock.transfer.client.upload.UploadDialect} names:
 * create an upload, ask for its offset, append to it, and finish it. An upload is always created empty and then
 * appended to, since the JDK's client does not show {@code 104} responses, by which the draft would tell where an
 * upload is that was created with a body. Nothing in here sends anything.
 */
@NullMarked
package dev.penstock.transfer.client.upload;

import org.jspecify.annotations.NullMarked;
