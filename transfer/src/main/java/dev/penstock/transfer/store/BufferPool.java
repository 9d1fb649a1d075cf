package dev.penstock.transfer.store;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The buffers of all appends, outside the heap: one each, and no more than {@link #MOST}. */
final class BufferPool {
    /** One for each append at a time. */
    static final int MOST = 256;

    private static final int BYTES = 64 * 1024;
    private static final int WAIT_SECONDS = 30;

    private final Semaphore free = new Semaphore(MOST, true);
    private final ConcurrentLinkedQueue<ByteBuffer> idle = new ConcurrentLinkedQueue<>();

    /** Takes a buffer, waiting for one if all are in use. */
    ByteBuffer take() throws InterruptedIOException {
        try {
            if (!free.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new TransferException(
                        Kind.FAILED,
                        "%d uploads are being received, which is the limit; try again later"
                                .formatted(MOST));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted =
                    new InterruptedIOException("Interrupted while waiting for a buffer");
            interrupted.initCause(e);
            throw interrupted;
        }
        ByteBuffer buffer = idle.poll();
        if (buffer != null) {
            return buffer.clear();
        }
        try {
            return ByteBuffer.allocateDirect(BYTES);
        } catch (OutOfMemoryError e) {
            free.release();
            throw new TransferException(
                    Kind.FAILED,
                    "No memory is left for the buffer of an upload; see -XX:MaxDirectMemorySize",
                    e);
        }
    }

    /** Gives one back. */
    void give(ByteBuffer buffer) {
        idle.add(buffer);
        free.release();
    }
}
