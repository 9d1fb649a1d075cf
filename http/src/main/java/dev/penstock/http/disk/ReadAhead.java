package dev.penstock.http.disk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that come next in a file that a response sends, brought into memory a segment at a time, before an event
 * loop or a virtual thread touches them. Positions are asked for from the first to the last. For one thread at a time.
 */
public final class ReadAhead {
    /** The bytes that are looked at, and read, at once. */
    static final int SEGMENT = 1024 * 1024;

    /** Of a file that is in memory as far as one has looked, only every so many segments are looked at. */
    private static final int MOST_TRUSTED = 8;

    /** After something had to be read, so many segments must be found in memory before several are taken to be. */
    private static final int DOUBTS = 16;

    /** A segment that is in memory is read in less time, unless the machine is busy. */
    private static final long SLOW_READ_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    /** A segment that is in memory is sent in less time, unless the machine is busy. */
    private static final long SLOW_USE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final FileSlice slice;
    private final LongSupplier clock;
    private final Executor readers;

    /** The number of segments that are taken to be in memory when the first of them is. */
    private int trusted = 1;

    /** The number of segments still to be found in memory before several are taken to be. */
    private int doubts;

    /** What was found to be in memory ends here. */
    private long readyEnd;

    private long readyNanos;

    /** The latest read that was not used yet. */
    private @Nullable Reading reading;

    /** This, until it is closed, and each read that is under way. */
    private final AtomicInteger users = new AtomicInteger(1);

    /** A read by another thread. */
    private static final class Reading {
        final long from;
        final long to;
        final CompletableFuture<@Nullable IOException> done = new CompletableFuture<>();

        /** Whether the response waits for it, and takes it however long ago it ended. For that response's thread. */
        boolean awaited;

        private final long startedNanos;
        private volatile long endedNanos;

        Reading(long from, long to, long now) {
            this.from = from;
            this.to = to;
            startedNanos = now;
        }

        boolean covers(long position) {
            return from <= position && position < to;
        }

        void end(@Nullable IOException failure, long now) {
            endedNanos = now;
            done.complete(failure);
        }

        /** Returns whether the bytes were not in memory before, most likely. Once it has ended. */
        boolean wasSlow() {
            return endedNanos - startedNanos > SLOW_READ_NANOS;
        }

        boolean isUsable(long now) {
            return awaited || !done.isDone() || now - endedNanos < Residency.VALID_NANOS;
        }
    }

    /** Begins with the first byte of a slice, which is let go of when this is closed and nothing is read any more. */
    public ReadAhead(FileSlice slice) {
        this(slice, System::nanoTime, FileReaders::execute);
    }

    /**
     * The same.
     *
     * @param clock tells nanoseconds
     * @param readers run what waits for the disk, on other threads
     */
    ReadAhead(FileSlice slice, LongSupplier clock, Executor readers) {
        this.slice = slice;
        this.clock = clock;
        this.readers = readers;
        readyEnd = slice.position();
    }

    /**
     * Returns how many bytes from a position on are in memory, as far as can be known; zero if they are to be
     * {@linkplain #read read} first. Does not block.
     *
     * @param at before the slice's end
     * @throws IOException if they were read, and could not be
     */
    public long ready(long at) throws IOException {
        long now = clock.getAsLong();
        if (at < readyEnd && now - readyNanos < Residency.VALID_NANOS) {
            return readyEnd - at;
        }
        if (slice.residency().wasSentLately(now)) {
            return ready(at, slice.end(), now);
        }
        Reading latest = reading;
        if (latest != null && latest.covers(at) && latest.isUsable(now)) {
            return latest.done.isDone() ? take(latest, at, now) : 0;
        }
        if (!isResident(at)) {
            trusted = 1;
            return 0;
        }
        long to = segmentEnd(at, trusted);
        // What the system reads ahead of such a file ends somewhere.
        trusted = doubts > 0 ? 1 : Math.min(MOST_TRUSTED, 2 * trusted);
        doubts = Math.max(0, doubts - 1);
        return ready(at, to, now);
    }

    /**
     * Tells how long it took to use bytes that were {@linkplain #ready ready}. Where that was long, they were not there
     * after all, and those that come next are looked at.
     */
    public void used(long nanos) {
        if (nanos > SLOW_USE_NANOS) {
            trusted = 1;
            doubts = DOUBTS;
            readyEnd = 0;
        }
    }

    private long ready(long at, long to, long now) {
        readyEnd = to;
        readyNanos = now;
        return to - at;
    }

    /** Goes on with what was read, and if that and what comes after it were not in memory, has the latter read too. */
    private long take(Reading ended, long at, long now) throws IOException {
        reading = null;
        IOException failure = ended.done.getNow(null);
        if (failure != null) {
            throw failure;
        }
        if (ended.wasSlow() && ended.to < slice.end() && !isResident(ended.to)) {
            var _ = start(ended.to);
        }
        return ready(at, ended.to, now);
    }

    private boolean isResident(long at) {
        return slice.residency().isResident(slice.file(), at, segmentEnd(at, 1));
    }

    private long segmentEnd(long at, int segments) {
        return Math.min(slice.end(), at + (long) segments * SEGMENT);
    }

    /** Has what comes at a position read. Afterwards {@link #ready} says that it is there, or fails. */
    public CompletableFuture<?> read(long at) {
        Reading latest = reading;
        // One that ended too long ago says nothing: its bytes may have been dropped from memory.
        Reading next =
                latest != null && latest.covers(at) && latest.isUsable(clock.getAsLong())
                        ? latest
                        : start(at);
        next.awaited = true;
        return next.done;
    }

    private Reading start(long at) {
        Reading next = new Reading(at, segmentEnd(at, 1), clock.getAsLong());
        reading = next;
        doubts = DOUBTS;
        users.incrementAndGet();
        try {
            readers.execute(() -> run(next));
        } catch (OutOfMemoryError _) {
            // No memory for a thread: whoever wants the bytes reads them itself.
            next.end(null, clock.getAsLong());
            release();
        }
        return next;
    }

    @SuppressWarnings("CatchingUnchecked")
    private void run(Reading next) {
        try {
            FileReaders.read(slice.file(), next.from, next.to);
            next.end(null, clock.getAsLong());
        } catch (IOException failure) {
            next.end(failure, clock.getAsLong());
        } catch (Throwable failure) {
            next.end(new IOException("A file could not be read", failure), clock.getAsLong());
        } finally {
            release();
        }
    }

    /**
     * Waits until bytes at a position are in memory, and returns their number.
     *
     * @throws IOException if they can't be read, or the thread is interrupted
     */
    public long await(long at) throws IOException {
        long ready = ready(at);
        while (ready == 0) {
            try {
                var _ = read(at).get();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("Interrupted while a file was read");
            } catch (ExecutionException e) {
                throw new IllegalStateException("Reads end without exceptions", e);
            }
            ready = ready(at);
        }
        return ready;
    }

    /** Ends it: nothing is sent any more. Once. */
    public void close() {
        release();
    }

    private void release() {
        if (users.decrementAndGet() == 0) {
            slice.whenRead().run();
        }
    }
}
