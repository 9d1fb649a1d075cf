package dev.penstock.transfer.upload;

import dev.penstock.http.HttpException;
import dev.penstock.transfer.TransferException;

/** The problem documents that become of uploads that are refused, for clients that speak neither protocol. */
final class Refusals {
    private Refusals() {}

    static HttpException of(TransferException refusal) {
        return new HttpException(
                status(refusal.kind()), String.valueOf(refusal.getMessage()), refusal);
    }

    private static int status(TransferException.Kind kind) {
        return switch (kind) {
            case NOT_FOUND -> 404;
            case GONE -> 410;
            case WRONG_OFFSET, SUPERSEDED, COMPLETE, CHANGED, CANCELLED -> 409;
            case NOT_WRITABLE, REJECTED -> 403;
            case TOO_LARGE, QUOTA_EXCEEDED -> 413;
            case LENGTH_MISMATCH, INVALID, DIGEST_MISMATCH -> 400;
            case NO_SPACE -> 507;
            case BUSY -> 503;
            case FAILED -> 500;
        };
    }
}
