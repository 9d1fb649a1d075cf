package dev.penstock.bench.child;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * What is alive in this JVM's heap after its collections. A collection of the young generation leaves garbage in the old one,
 * so the live set proper is what a full collection leaves: {@link #collectEvery} forces those, for runs whose memory counts
 * and not their speed. Thread-safe.
 */
public final class HeapWatch implements AutoCloseable {
    /** At most so many points are kept; beyond, every other one is dropped. */
    private static final int MAX_POINTS = 2048;

    /** What one collection left. */
    public record Point(long milliseconds, long usedBytes, boolean full) {}

    private final Set<String> heapPools = new HashSet<>();
    private final NotificationListener listener = this::handle;
    private final List<Point> points = new ArrayList<>();
    private long start = System.nanoTime();
    private long largestAfterAny;
    private long largestAfterFull;
    private int collections;
    private long pauseMilliseconds;
    private long seen;
    private @Nullable Thread collector;

    public HeapWatch() {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                heapPools.add(pool.getName());
            }
        }
        seen = collectionsSinceStart();
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) bean).addNotificationListener(listener, null, null);
        }
    }

    private static long collectionsSinceStart() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    /** Notifications come from a thread of their own: waits, a moment at the most, until it has told all. */
    private synchronized void catchUp() throws InterruptedException {
        long deadline = System.nanoTime() + 500_000_000L;
        while (seen < collectionsSinceStart() && System.nanoTime() < deadline) {
            wait(10);
        }
    }

    private void handle(Notification notification, @Nullable Object handback) {
        if (!notification
                .getType()
                .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            return;
        }
        var info =
                GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
        long used = 0;
        for (Map.Entry<String, MemoryUsage> pool :
                info.getGcInfo().getMemoryUsageAfterGc().entrySet()) {
            if (heapPools.contains(pool.getKey())) {
                used += pool.getValue().getUsed();
            }
        }
        boolean full = info.getGcAction().contains("major");
        add(used, full, info.getGcInfo().getDuration());
    }

    private synchronized void add(long used, boolean full, long pause) {
        seen++;
        notifyAll();
        collections++;
        pauseMilliseconds += pause;
        largestAfterAny = Math.max(largestAfterAny, used);
        if (full) {
            largestAfterFull = Math.max(largestAfterFull, used);
        }
        long now = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        points.add(new Point(now, used, full));
        if (points.size() > MAX_POINTS) {
            for (int i = points.size() - 2; i >= 0; i -= 2) {
                points.remove(i);
            }
        }
    }

    /** Forgets what was seen. */
    public synchronized void reset() {
        points.clear();
        start = System.nanoTime();
        largestAfterAny = 0;
        largestAfterFull = 0;
        collections = 0;
        pauseMilliseconds = 0;
    }

    /** Forces a full collection every so often until {@link #reset} or {@link #stopCollecting}; 0 for never. */
    public void collectEvery(long milliseconds) {
        stopCollecting();
        if (milliseconds > 0) {
            Thread thread =
                    Thread.ofPlatform()
                            .name("collector")
                            .daemon()
                            .unstarted(() -> collect(milliseconds));
            synchronized (this) {
                collector = thread;
            }
            thread.start();
        }
    }

    private static void collect(long milliseconds) {
        try {
            while (true) {
                Thread.sleep(milliseconds);
                System.gc();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public synchronized void stopCollecting() {
        if (collector != null) {
            collector.interrupt();
            collector = null;
        }
    }

    /** Heap in use after a forced full collection, in bytes: what an idle server holds. */
    public long idleBytes() {
        System.gc();
        System.gc();
        long used = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage left = pool.getCollectionUsage();
            if (pool.getType() == MemoryType.HEAP && left != null) {
                used += left.getUsed();
            }
        }
        return used;
    }

    /** What was seen since the last reset. */
    public synchronized Answer answer() {
        StringBuilder series = new StringBuilder();
        for (Point point : points) {
            series.append(series.isEmpty() ? "" : ",")
                    .append(point.milliseconds)
                    .append(':')
                    .append(point.usedBytes)
                    .append(point.full ? "f" : "");
        }
        return new Answer(
                Map.of(
                        "largestAfterAny", Long.toString(largestAfterAny),
                        "largestAfterFull", Long.toString(largestAfterFull),
                        "collections", Integer.toString(collections),
                        "pauseMilliseconds", Long.toString(pauseMilliseconds),
                        "series", series.toString()));
    }

    /** The points of an {@link #answer}'s {@code series}. */
    public static List<Point> points(String series) {
        List<Point> points = new ArrayList<>();
        for (String each : series.split(",", -1)) {
            if (!each.isEmpty()) {
                int colon = each.indexOf(':');
                boolean full = each.endsWith("f");
                points.add(
                        new Point(
                                Long.parseLong(each.substring(0, colon)),
                                Long.parseLong(
                                        each.substring(colon + 1, each.length() - (full ? 1 : 0))),
                                full));
            }
        }
        return points;
    }

    /** Adds the orders by which a parent reads this watch: {@code idle}, {@code watch} and {@code heap}. */
    public void answerTo(Orders orders) {
        orders.on("idle", arguments -> new Answer(Map.of("bytes", Long.toString(idleBytes()))));
        orders.on(
                "watch",
                arguments -> {
                    catchUp();
                    reset();
                    collectEvery(arguments.whole("collectEvery"));
                    return new Answer(Map.of());
                });
        orders.on(
                "heap",
                arguments -> {
                    stopCollecting();
                    catchUp();
                    return answer();
                });
    }

    @Override
    public void close() {
        stopCollecting();
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            try {
                ((NotificationEmitter) bean).removeNotificationListener(listener);
            } catch (javax.management.ListenerNotFoundException e) {
                // It was closed before.
            }
        }
    }
}
