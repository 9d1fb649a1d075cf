package dev.penstock.bench.service.peer;

import java.io.Serializable;
import java.util.concurrent.locks.LockSupport;

/** The service that is called. An object of it is used by one call at a time where the contender sees to that. */
public interface Work {
    /**
     * Does the work.
     *
     * @param argument for work that tells how long it waited, the call's {@link System#nanoTime}
     * @return the sum of all arguments, or the nanoseconds from the call to the work's start
     */
    long perform(long argument);

    /** The making of one; it can be sent to a child. */
    interface Maker extends Serializable {
        /** Makes one. */
        Work make();
    }

    /** The least work that cannot be left out: the sum of the arguments, which is the object's own state. */
    final class Sum implements Work {
        private long sum;

        @Override
        public long perform(long argument) {
            sum += argument;
            return sum;
        }
    }

    /** No work, but to tell how long it waited. */
    final class Nothing implements Work {
        @Override
        public long perform(long argument) {
            return System.nanoTime() - argument;
        }
    }

    /** A wait, as for a database: no processor time. */
    record Wait(long nanos) implements Work {
        @Override
        public long perform(long argument) {
            long start = System.nanoTime();
            long left = nanos;
            while (left > 0) {
                LockSupport.parkNanos(this, left);
                if (Thread.currentThread().isInterrupted()) {
                    break;
                }
                left = start + nanos - System.nanoTime();
            }
            return start - argument;
        }
    }

    /** Processor time, in the middle of which other virtual threads get their turn, as at any wait. */
    record Computation(int rounds) implements Work {
        /** Rounds that take some ten microseconds. */
        public static final int TEN_MICROSECONDS = 10_000;

        @Override
        @SuppressWarnings(
                "ThreadPriorityCheck") // stands for a wait, and nothing relies on whose turn it is
        public long perform(long argument) {
            long start = System.nanoTime();
            long value = compute(start, rounds / 2);
            Thread.yield();
            value = compute(value, rounds - rounds / 2);
            // Never so, but the compiler cannot tell.
            return value == 0 ? 0 : start - argument;
        }

        private static long compute(long seed, int rounds) {
            long value = seed | 1;
            for (int i = 0; i < rounds; i++) {
                value ^= value << 13;
                value ^= value >>> 7;
                value ^= value << 17;
            }
            return value;
        }
    }
}
