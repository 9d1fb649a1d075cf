package dev.penstock.http.loop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * The pool of all loops' buffers. They are direct, in chunks of 256 KiB, one arena a loop, without caches for other
 * threads: what a response or a read has given back serves the next, and what is held stays near what is used. Netty
 * counts that memory against the JVM's limit of direct memory, which is the heap's size unless set. On the heap are the
 * records that the JDK's TLS encrypts, pooled likewise. Thread-safe.
 *
 * <p>A loop's cache keeps up to 32 buffers of a size, so those of 16 KiB alone may be two chunks as a whole; Netty
 * looks through it once in 8,192 buffers. Where the limit is reached, that would leave others without memory of which
 * nobody makes use, for minutes where there is little to do. So who finds none has all loops give theirs back.
 */
final class BufferPool extends PooledByteBufAllocator {
    private static final int PAGE = 8 * 1024;
    private static final int CHUNK_ORDER = 5;
    private static final int SMALL_CACHED = 32;
    private static final int NORMAL_CACHED = 16;

    private final Runnable whenShort;

    /**
     * @param loops how many threads have a cache, and an arena each
     * @param whenShort has each of them call {@link #giveBackUnused}; runs on any thread, and does not block
     */
    BufferPool(int loops, Runnable whenShort) {
        super(true, loops, loops, PAGE, CHUNK_ORDER, SMALL_CACHED, NORMAL_CACHED, false);
        this.whenShort = whenShort;
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        try {
            return allocate(initialCapacity, maxCapacity);
        } catch (OutOfMemoryError _) {
            // Once more with what this thread has given back, if it is a loop's.
            whenShort.run();
            return allocate(initialCapacity, maxCapacity);
        }
    }

    private ByteBuf allocate(int initialCapacity, int maxCapacity) {
        try {
            return super.newDirectBuffer(initialCapacity, maxCapacity);
        } catch (IllegalStateException failure) {
            // Where Netty has no native access it allocates by the JDK, and wraps what that throws.
            if (failure.getCause() instanceof OutOfMemoryError error) {
                throw error;
            }
            throw failure;
        }
    }

    /** Gives back what this thread's cache keeps. */
    void giveBackUnused() {
        // What was allocated since the time before stays the first time.
        var _ = trimCurrentThreadCache();
        var _ = trimCurrentThreadCache();
    }
}
