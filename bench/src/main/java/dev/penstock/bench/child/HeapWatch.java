package dev.penstock.bench.child;

import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import java.io.Serializable;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that are alive in this JVM's heap. A collection of the young generation leaves garbage in the old one, so
 * the live set proper is what a full collection leaves: watching forces those, for runs whose memory counts and not
 * their speed. Thread-safe.
 */
public final class HeapWatch {
    /** At most so many points are kept; beyond, every other one is dropped. */
    private static final int MAX_POINTS = 2048;

    /** The bytes in use that one full collection left, so long after the start. */
    public record Point(long milliseconds, long usedBytes) implements Serializable {}

    /**
     * The heap that was seen while it was watched.
     *
     * @param mostBytes the largest live set that a full collection left; 0 if there was none
     * @param collections of either generation
     * @param points each full collection, or an even choice of them
     */
    public record Seen(long mostBytes, long collections, List<Point> points)
            implements Serializable {
        /**
         * Draws a line of megabytes over seconds. Returns the bytes of its points.
         *
         * @param skipped the part of the points, from the first on, that is drawn and not returned
         */
        public Samples draw(Outcome.Chart chart, String line, double skipped) {
            Samples bytes = new Samples();
            for (int i = 0; i < points.size(); i++) {
                Point point = points.get(i);
                chart.point(line, point.milliseconds / 1000.0, point.usedBytes / 1e6);
                if (i >= skipped * points.size()) {
                    bytes.add((double) point.usedBytes);
                }
            }
            return bytes;
        }
    }

    /** The watch of this JVM. */
    static final HeapWatch THIS_JVM = new HeapWatch();

    private final List<Point> points = new ArrayList<>();
    private long start;
    private long mostBytes;
    private long collectionsBefore;
    private @Nullable Thread collector;

    private HeapWatch() {}

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    /** Measures the heap of this JVM in use after a forced full collection, in bytes. */
    public static long liveBytes() {
        System.gc();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getCollectionUsage)
                .mapToLong(left -> left == null ? 0 : left.getUsed())
                .sum();
    }

    /** Forgets what was seen, and forces a full collection every so often from now on; 0 for never. */
    synchronized boolean start(long collectEveryMilliseconds) {
        stopCollecting();
        points.clear();
        start = System.nanoTime();
        mostBytes = 0;
        collectionsBefore = collections();
        if (collectEveryMilliseconds > 0) {
            collector =
                    Thread.ofPlatform()
                            .name("collector")
                            .daemon()
                            .start(() -> collect(collectEveryMilliseconds));
        }
        return true;
    }

    private void collect(long everyMilliseconds) {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(everyMilliseconds);
                add(liveBytes());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void add(long used) {
        mostBytes = Math.max(mostBytes, used);
        points.add(new Point((System.nanoTime() - start) / 1_000_000, used));
        if (points.size() > MAX_POINTS) {
            for (int i = points.size() - 2; i >= 0; i -= 2) {
                points.remove(i);
            }
        }
    }

    private void stopCollecting() {
        if (collector != null) {
            collector.interrupt();
            collector = null;
        }
    }

    /** Returns the largest live set since the start, in bytes. */
    synchronized long most() {
        return mostBytes;
    }

    /** Ends forced collections. Returns what was seen since the start. */
    synchronized Seen end() {
        stopCollecting();
        return new Seen(mostBytes, collections() - collectionsBefore, List.copyOf(points));
    }
}
