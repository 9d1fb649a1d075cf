/**
 * Uploads as resources on a server: {@link dev.penstock.transfer.upload.ResumableUploads} mounts them on a group of
 * routes.
 *
 * <p>A request first comes to {@code UploadHandler}, which decides by its method and its headers who answers: tus
 * ({@code dev.penstock.transfer.tus}), the IETF draft ({@code dev.penstock.transfer.draft}), or this package. {@code
 * PlainUploads} takes bodies of POST and PUT as they are, {@code FormUploads} those of {@code multipart/form-data};
 * {@code UploadListing} says what an owner has, and {@code UploadDownload} hands out what is complete. All of them work
 * on one {@code dev.penstock.transfer.store.UploadStore}.
 *
 * <p>Invariants: no request sees an upload of another owner than its own; what a request is refused for is found before
 * its body is read, where the head already says it; a body that can't be resumed leaves nothing behind when it breaks
 * off; files of strangers are never shown as pages of this server.
 *
 * <p>Begin with {@code ResumableUploads}, then {@code UploadHandler}.
 */
@NullMarked
package dev.penstock.transfer.upload;

import org.jspecify.annotations.NullMarked;
