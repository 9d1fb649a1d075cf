package dev.penstock.transfer;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The application's say in uploads. Each method does nothing unless it is overridden. They are called on the thread of
 * the request, where they may block; for several uploads at once, so they must be thread-safe.
 *
 * <p>{@link #accept} and {@link #scan} refuse an upload by a {@link TransferException} of the kind {@code REJECTED},
 * whose message the client is told. Any other exception is logged, and the client is told of a failure of the server.
 */
public interface UploadHooks {
    /** Hooks that take everything. */
    UploadHooks NONE = new UploadHooks() {};

    /**
     * Accepts an upload before it is made, and before its bytes come.
     *
     * @param upload without bytes yet
     */
    default void accept(Upload upload) throws IOException {}

    /**
     * Looks at an upload whose bytes are all there, before it is complete and has its name. One that is refused is
     * removed. After any other exception it stays, and is looked at again when the client asks once more, or within the
     * minute.
     *
     * @param file its bytes, to be read and not to be changed, moved or kept
     */
    default void scan(Upload upload, Path file) throws IOException {}

    /**
     * Takes over an upload that is complete; the client hears of it afterwards. What it throws is logged and changes
     * nothing. Called once, or again after a crash in the middle of it.
     *
     * @param file where it lies now; it may be moved away
     */
    default void finished(Upload upload, Path file) throws IOException {}
}
