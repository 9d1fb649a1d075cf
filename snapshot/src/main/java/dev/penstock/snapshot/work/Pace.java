package dev.penstock.snapshot.work;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The pace of long work for which no query waits, such as the refreshes of a schedule: each thread that does it rests
 * after a millisecond for twice as long as it has worked, so that queries go on to have the processors. Used by one
 * thread; others that help have one each. A thread that is interrupted no longer rests.
 */
public final class Pace {
    private static final ScopedValue<Pace> CURRENT = ScopedValue.newInstance();

    /** The work between two rests, at least. */
    private static final long WORK_NANOS = 1_000_000;

    /** The work that a rest is measured by, at the most: a thread that waited has not worked so long. */
    private static final long MOST_NANOS = 5_000_000;

    private static final long RESTS = 2;

    private static final int SHORT_PIECES = 1 << 14;

    private final LongSupplier clock;
    private final LongConsumer sleep;
    private long since;
    private long rested;

    private Pace(LongSupplier clock, LongConsumer sleep) {
        this.clock = clock;
        this.sleep = sleep;
        since = clock.getAsLong();
    }

    /**
     * Does some work at this pace, and whatever it hands to {@link IndexThreads} and waits for.
     *
     * @param spared takes, at the end, the nanoseconds in which this thread worked at the pace or rested
     */
    public static <T> T keep(Supplier<T> work, LongConsumer spared) {
        return keep(System::nanoTime, LockSupport::parkNanos, work, spared);
    }

    static <T> T keep(
            LongSupplier clock, LongConsumer sleep, Supplier<T> work, LongConsumer spared) {
        Pace pace = new Pace(clock, sleep);
        try {
            return ScopedValue.where(CURRENT, pace).call(work::get);
        } finally {
            spared.accept(pace.rested + pace.rested / RESTS);
        }
    }

    /** Returns some work, to be done by any thread at the pace at which this one works now. */
    static Runnable kept(Runnable work) {
        if (!CURRENT.isBound()) {
            return work;
        }
        Pace own = CURRENT.get();
        return () -> {
            if (CURRENT.isBound()) {
                work.run();
            } else {
                ScopedValue.where(CURRENT, new Pace(own.clock, own.sleep)).run(work);
            }
        };
    }

    /** Rests, if it is time to, and if this thread works at this pace. Called between pieces of work. */
    public static void step() {
        if (CURRENT.isBound()) {
            CURRENT.get().rest();
        }
    }

    /**
     * Does the same before every 16,384th of very short pieces.
     *
     * @param piece the number of the next piece
     */
    public static void step(int piece) {
        if (piece % SHORT_PIECES == 0) {
            step();
        }
    }

    private void rest() {
        long worked = clock.getAsLong() - since;
        if (worked >= WORK_NANOS) {
            long rest = RESTS * Math.min(worked, MOST_NANOS);
            sleep.accept(rest);
            rested += rest;
            since = clock.getAsLong();
        }
    }
}
