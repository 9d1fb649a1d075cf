package dev.penstock.bench.service.crowd;

import com.sun.management.ThreadMXBean;
import dev.penstock.bench.service.peer.Bounded;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Virtual threads that call a bounded service in a loop for some time. For one thread. */
public final class Callers {
    private static final Duration END = Duration.ofMinutes(1);

    private enum Phase {
        WARM_UP,
        COUNT,
        END
    }

    /**
     * The calls that began while they were counted, each to its end.
     *
     * @param calls that returned while it was counted
     * @param nanos for which it was counted
     * @param longestNanos the longest wait from a call to the start of its work
     * @param meanNanos the mean wait
     * @param silent callers of which no call returned while it was counted
     * @param bytes that were allocated while it was counted
     */
    public record Seen(
            long calls, long nanos, long longestNanos, double meanNanos, int silent, long bytes)
            implements Serializable {
        /** Returns the calls a second. */
        public double perSecond() {
            return calls * 1e9 / nanos;
        }

        /** Returns the bytes that were allocated for each call. */
        public double bytesEach() {
            return (double) bytes / Math.max(1, calls);
        }
    }

    private volatile Phase phase = Phase.WARM_UP;
    private volatile @Nullable Throwable failure;

    private Callers() {}

    /** The observations of one caller; written by it, and read when it has ended. */
    private static final class Caller {
        private long counted;
        private long waits;
        private long sumNanos;
        private long longestNanos;
    }

    /**
     * Calls for so long, and counts after some time for warming up.
     *
     * @param bounded around work that returns the nanoseconds from the argument to its start
     */
    public static Seen run(Bounded bounded, int callers, Duration warmUp, Duration time)
            throws IOException, InterruptedException {
        return new Callers().measure(bounded, callers, warmUp, time);
    }

    private Seen measure(Bounded bounded, int callers, Duration warmUp, Duration time)
            throws IOException, InterruptedException {
        List<Caller> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            Caller caller = new Caller();
            all.add(caller);
            threads.add(Thread.ofVirtual().start(() -> call(bounded, caller)));
        }
        TimeUnit.NANOSECONDS.sleep(warmUp.toNanos());
        long allocated = allocatedBytes();
        long start = System.nanoTime();
        phase = Phase.COUNT;
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        phase = Phase.END;
        long nanos = System.nanoTime() - start;
        allocated = allocatedBytes() - allocated;
        join(threads);
        return seen(all, nanos, allocated);
    }

    /** Returns the bytes that all threads have allocated; what virtual ones allocate, their carriers do. */
    private static long allocatedBytes() {
        return ManagementFactory.getPlatformMXBean(ThreadMXBean.class)
                .getTotalThreadAllocatedBytes();
    }

    private void call(Bounded bounded, Caller caller) {
        try {
            while (phase != Phase.END) {
                boolean counts = phase == Phase.COUNT;
                long waited = bounded.perform(System.nanoTime());
                if (counts) {
                    caller.waits++;
                    caller.sumNanos += waited;
                    caller.longestNanos = Math.max(caller.longestNanos, waited);
                }
                if (phase == Phase.COUNT) {
                    caller.counted++;
                }
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void join(List<Thread> threads) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + END.toNanos();
        for (Thread thread : threads) {
            if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                throw new IOException(
                        "a caller still waits " + END + " after the last call was made");
            }
        }
        Throwable failed = failure;
        if (failed != null) {
            throw new IOException("a call failed: " + failed, failed);
        }
    }

    private static Seen seen(List<Caller> all, long nanos, long bytes) {
        long calls = 0;
        long waits = 0;
        long sum = 0;
        long longest = 0;
        int silent = 0;
        for (Caller caller : all) {
            calls += caller.counted;
            waits += caller.waits;
            sum += caller.sumNanos;
            longest = Math.max(longest, caller.longestNanos);
            silent += caller.counted == 0 ? 1 : 0;
        }
        return new Seen(
                calls, nanos, longest, waits == 0 ? 0 : (double) sum / waits, silent, bytes);
    }
}
