package dev.penstock.transfer.store;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;

/** The failures of a file system, as the kinds that a client is told of. */
final class StoreFailure {
    private StoreFailure() {}

    /**
     * Makes the exception of a failure.
     *
     * @param doing what was being done, as in "While bytes were written"
     */
    static TransferException of(String doing, IOException cause) {
        return switch (kind(cause)) {
            case NO_SPACE ->
                    new TransferException(
                            Kind.NO_SPACE,
                            doing + ", the disk became full; free some of it, then resume",
                            cause);
            case NOT_WRITABLE ->
                    new TransferException(
                            Kind.NOT_WRITABLE,
                            doing
                                    + ", the directory of uploads was not there or not writable; the server's log"
                                    + " names the file",
                            cause);
            default ->
                    new TransferException(
                            Kind.FAILED,
                            doing + ", the file system failed; the server's log says how",
                            cause);
        };
    }

    private static Kind kind(IOException cause) {
        if (cause instanceof NoSuchFileException
                || cause instanceof AccessDeniedException
                || cause instanceof NotDirectoryException) {
            return Kind.NOT_WRITABLE;
        }
        String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        if (message.contains("no space left")
                || message.contains("not enough space")
                || message.contains("quota exceeded")) {
            return Kind.NO_SPACE;
        }
        return message.contains("read-only file system") || message.contains("permission denied")
                ? Kind.NOT_WRITABLE
                : Kind.FAILED;
    }
}
