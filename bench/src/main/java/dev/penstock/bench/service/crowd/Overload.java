package dev.penstock.bench.service.crowd;

import dev.penstock.bench.service.peer.Bounded;
import dev.penstock.bench.service.peer.Contender;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads that call a service whose queue is bounded; one that is rejected comes back after a pause. Callers
 * come and go while it runs. For one thread.
 */
final class Overload {
    /** The pause of a caller that was rejected: a hundredth of the shortest that a pool asks for. */
    static final Duration PAUSE = Duration.ofMillis(10);

    private static final long SLICE_MILLISECONDS = 100;
    private static final Duration END = Duration.ofMinutes(1);

    /**
     * The calls within some time.
     *
     * @param perSecond calls that returned, each second
     * @param lowest of these in a tenth of a second
     * @param rejections that there were
     * @param rejectionsPerSecond the same, each second
     * @param rejectionP99Nanos the time from a call to its rejection that all but one in a hundred are below
     * @param longestRejectionNanos the longest such time
     */
    record Seen(
            double perSecond,
            double lowest,
            long rejections,
            double rejectionsPerSecond,
            long rejectionP99Nanos,
            long longestRejectionNanos)
            implements Serializable {}

    private final Bounded bounded;
    private final LongAdder returned = new LongAdder();
    private final List<Thread> threads = new ArrayList<>();

    /** Of the calls that were rejected in the present measurement, in nanoseconds. */
    private volatile Histogram rejections = histogram();

    /** The callers with lower numbers go on. */
    private volatile int wanted;

    private volatile @Nullable Throwable failure;

    /** Callers of a service, none at first. Does not close the service. */
    Overload(Bounded bounded) {
        this.bounded = bounded;
    }

    private static Histogram histogram() {
        return new ConcurrentHistogram(3);
    }

    /** Has so many callers from now on; whoever made it ends with none. */
    void callers(int count) throws IOException, InterruptedException {
        wanted = count;
        while (threads.size() > count) {
            if (!threads.removeLast().join(END)) {
                throw new IOException("a caller still waits " + END + " after its last call");
            }
        }
        while (threads.size() < count) {
            int number = threads.size();
            threads.add(Thread.ofVirtual().start(() -> call(number)));
        }
    }

    private void call(int number) {
        try {
            while (number < wanted) {
                long start = System.nanoTime();
                try {
                    var _ = bounded.perform(start);
                    returned.increment();
                } catch (RuntimeException e) {
                    if (!Contender.isRejection(e)) {
                        throw e;
                    }
                    rejections.recordValue(System.nanoTime() - start);
                    LockSupport.parkNanos(this, PAUSE.toNanos());
                }
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    /** Counts for some time. */
    Seen measure(Duration time) throws IOException, InterruptedException {
        Histogram refused = histogram();
        rejections = refused;
        long start = System.nanoTime();
        long first = returned.sum();
        double lowest = Double.POSITIVE_INFINITY;
        while (System.nanoTime() - start < time.toNanos()) {
            lowest = Math.min(lowest, slice());
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Seen(
                (returned.sum() - first) / seconds,
                lowest,
                refused.getTotalCount(),
                refused.getTotalCount() / seconds,
                refused.getValueAtPercentile(99),
                refused.getMaxValue());
    }

    /** Returns the nanoseconds until a tenth of a second has this throughput and no rejection, or the limit. */
    long recovery(double perSecond, Duration limit) throws IOException, InterruptedException {
        long start = System.nanoTime();
        long now = start;
        while (now - start < limit.toNanos()) {
            Histogram refused = histogram();
            rejections = refused;
            double seen = slice();
            if (seen >= perSecond && refused.getTotalCount() == 0) {
                return System.nanoTime() - start;
            }
            now = System.nanoTime();
        }
        return limit.toNanos();
    }

    private double slice() throws IOException, InterruptedException {
        long start = System.nanoTime();
        long first = returned.sum();
        TimeUnit.MILLISECONDS.sleep(SLICE_MILLISECONDS);
        Throwable failed = failure;
        if (failed != null) {
            throw new IOException("a call failed: " + failed, failed);
        }
        return (returned.sum() - first) * 1e9 / (System.nanoTime() - start);
    }
}
