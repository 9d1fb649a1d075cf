package dev.penstock.transfer.store;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The buffers of all appends, outside the heap: one each, and no more than {@link #MOST}. The first few are larger:
 * what an append costs beside the copying is the same for each buffer, of whatever size.
 */
final class BufferPool {
    /** One for each append at a time. */
    static final int MOST = 256;

    private static final int BYTES = 64 * 1024;
    private static final int LARGE_BYTES = 128 * 1024;

    /** So many are large. */
    private static final int MOST_LARGE = 12;

    private static final int WAIT_SECONDS = 30;

    private final Semaphore free = new Semaphore(MOST, true);
    private final Semaphore freeLarge = new Semaphore(MOST_LARGE);
    private final Queue<ByteBuffer> idle = new ConcurrentLinkedQueue<>();
    private final Queue<ByteBuffer> idleLarge = new ConcurrentLinkedQueue<>();

    /** Takes a buffer, waiting for one if all are in use. */
    ByteBuffer take() throws InterruptedIOException {
        try {
            if (!free.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new TransferException(
                        Kind.BUSY,
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
        boolean isLarge = freeLarge.tryAcquire();
        ByteBuffer buffer = (isLarge ? idleLarge : idle).poll();
        if (buffer != null) {
            return buffer.clear();
        }
        try {
            return ByteBuffer.allocateDirect(isLarge ? LARGE_BYTES : BYTES);
        } catch (OutOfMemoryError e) {
            release(isLarge);
            throw new TransferException(
                    Kind.FAILED,
                    "No memory is left for the buffer of an upload; see -XX:MaxDirectMemorySize",
                    e);
        }
    }

    /** Gives one back. */
    void give(ByteBuffer buffer) {
        boolean isLarge = buffer.capacity() == LARGE_BYTES;
        (isLarge ? idleLarge : idle).add(buffer);
        release(isLarge);
    }

    private void release(boolean isLarge) {
        if (isLarge) {
            freeLarge.release();
        }
        free.release();
    }
}
