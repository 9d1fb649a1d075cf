package dev.penstock.transfer.draft;

import dev.penstock.http.HttpException;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.store.UploadState;
import org.jspecify.annotations.Nullable;

/** The failures of requests, as problem documents (RFC 9457). */
final class DraftProblems {
    private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
    private static final String TYPE = "type";

    private DraftProblems() {}

    static HttpException mismatchingOffset(long expected, long provided) {
        return new HttpException(
                        409,
                        "The upload has %d bytes, and the content begins at %d; go on at %1$d"
                                .formatted(expected, provided))
                .with(TYPE, TYPES + "mismatching-upload-offset")
                .with("expected-offset", expected)
                .with("provided-offset", provided)
                .header(DraftRequest.OFFSET, Long.toString(expected));
    }

    static HttpException completed(long offset) {
        return new HttpException(
                        400,
                        "The upload is complete, with %d bytes; create another".formatted(offset))
                .with(TYPE, TYPES + "completed-upload")
                .header(DraftRequest.OFFSET, Long.toString(offset));
    }

    static HttpException inconsistentLength(String detail) {
        return new HttpException(400, detail).with(TYPE, TYPES + "inconsistent-upload-length");
    }

    static HttpException missing(String header, String value) {
        return new HttpException(
                400,
                "%s is missing, or is not what it must be; send it as in %s: %s"
                        .formatted(header, header, value));
    }

    /** Returns whether the bytes were refused for what they are. */
    static boolean isAboutContent(RuntimeException failure) {
        return failure instanceof TransferException transfer
                && (transfer.kind() == Kind.REJECTED || transfer.kind() == Kind.DIGEST_MISMATCH);
    }

    /**
     * What a failure of the store is to the client.
     *
     * @param provided the offset at which the request's content begins
     * @param before the upload's state then, where the request brings bytes for one
     */
    static HttpException of(
            TransferException failure,
            DraftVersion version,
            long provided,
            @Nullable UploadState before) {
        String detail = String.valueOf(failure.getMessage());
        return switch (failure.kind()) {
            case NOT_FOUND -> new HttpException(404, detail, failure);
            case GONE -> new HttpException(version.tellsOfTheGone() ? 410 : 404, detail, failure);
            case WRONG_OFFSET -> mismatchingOffset(failure.expectedOffset().orElse(0), provided);
            case COMPLETE -> completed(failure.expectedOffset().orElse(provided));
            case TOO_LARGE ->
                    before != null && before.length().isPresent()
                            ? inconsistentLength(detail)
                            : new HttpException(413, detail, failure);
            case QUOTA_EXCEEDED -> new HttpException(413, detail, failure);
            case LENGTH_MISMATCH -> inconsistentLength(detail);
            case NO_SPACE -> new HttpException(507, detail, failure);
            case NOT_WRITABLE, REJECTED -> new HttpException(403, detail, failure);
            case DIGEST_MISMATCH ->
                    new HttpException(400, detail, failure)
                            .with(TYPE, TYPES + "digest-mismatching-values");
            case SUPERSEDED -> new HttpException(409, detail, failure);
            case INVALID -> new HttpException(400, detail, failure);
            case BUSY -> new HttpException(503, detail, failure);
            case CHANGED, CANCELLED, FAILED -> new HttpException(500, detail, failure);
        };
    }
}
