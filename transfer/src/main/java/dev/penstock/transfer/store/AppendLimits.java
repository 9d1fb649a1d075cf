package dev.penstock.transfer.store;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.store.journal.Stage;

/** The rules for how many bytes an append may have. Under the upload's lock. */
final class AppendLimits {
    private AppendLimits() {}

    /** Refuses an append of which it is known before its first byte that it does not fit. */
    static void check(UploadEntry entry, Append append, StoreLimits limits) {
        if (append.bodyLength().isEmpty()) {
            return;
        }
        long bytes = append.bodyLength().getAsLong();
        if (bytes < 0) {
            throw new TransferException(
                    Kind.INVALID,
                    "The length of the body is %d; it can't be negative".formatted(bytes));
        }
        long offset = entry.offset;
        if (bytes > most(entry, limits) - offset) {
            throw tooLarge(entry, limits);
        }
        if (append.isLast() && entry.length >= 0 && offset + bytes != entry.length) {
            throw otherLength(entry, offset + bytes);
        }
        entry.reservation.require(offset + bytes);
    }

    /** Computes the offset at which an append ends at the latest. */
    static long end(UploadEntry entry, Append append, long start, StoreLimits limits) {
        long most = most(entry, limits);
        long left = append.bodyLength().orElse(most);
        return left > most - start ? most : start + left;
    }

    /** The failure of an append that goes on behind its end. */
    static TransferException surplus(
            UploadEntry entry, Append append, long start, StoreLimits limits) {
        long end = end(entry, append, start, limits);
        return end == most(entry, limits)
                ? tooLarge(entry, limits)
                : new TransferException(
                        Kind.LENGTH_MISMATCH,
                        "The body has more than the %d bytes that were announced"
                                .formatted(append.bodyLength().orElse(0)));
    }

    /** Refuses a body that has ended early. */
    static void requireWhole(Append append, long received) {
        if (received < append.bodyLength().orElse(0)) {
            throw new TransferException(
                    Kind.LENGTH_MISMATCH,
                    "The body ended after %d of %d bytes; ask for the offset of the upload, and go on there"
                            .formatted(received, append.bodyLength().orElse(0)));
        }
    }

    /** Notes that all bytes are there, if they are. */
    static void complete(UploadEntry entry, Append append) {
        if (append.isLast()) {
            if (entry.length >= 0 && entry.length != entry.offset) {
                throw otherLength(entry, entry.offset);
            }
            entry.length = entry.offset;
        }
        if (entry.length == entry.offset) {
            entry.stage = Stage.RECEIVED;
        }
    }

    private static long most(UploadEntry entry, StoreLimits limits) {
        return entry.length < 0 ? limits.uploadBytes() : entry.length;
    }

    private static TransferException tooLarge(UploadEntry entry, StoreLimits limits) {
        return new TransferException(
                Kind.TOO_LARGE,
                entry.length < 0
                        ? "An upload may have %d bytes, and this would have more"
                                .formatted(limits.uploadBytes())
                        : "The upload has a length of %d bytes, and this would be more"
                                .formatted(entry.length));
    }

    private static TransferException otherLength(UploadEntry entry, long end) {
        return new TransferException(
                Kind.LENGTH_MISMATCH,
                "The upload is said to be complete at %d bytes, but its length is %d"
                        .formatted(end, entry.length));
    }
}
