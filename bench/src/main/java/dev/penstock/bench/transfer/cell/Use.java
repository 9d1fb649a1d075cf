package dev.penstock.bench.transfer.cell;

import com.sun.management.OperatingSystemMXBean;
import java.io.Serializable;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.function.ToLongFunction;

/**
 * The resources that a JVM has used since its start, or, as a difference, during a transfer.
 *
 * @param processorNanos the processor time of all threads
 * @param collectionMilliseconds the time of collections of either generation
 * @param oldBytes the most that the old generation has held since the last {@link #begin}
 */
record Use(long processorNanos, long collectionMilliseconds, long oldBytes)
        implements Serializable {
    /** Forgets how full the generations of this JVM have been. Returns what was used until now. */
    static Use begin() {
        ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
        return now();
    }

    /** Returns what this JVM has used until now. */
    static Use now() {
        long old =
                ManagementFactory.getMemoryPoolMXBeans().stream()
                        .filter(pool -> pool.getType() == MemoryType.HEAP)
                        .filter(pool -> pool.getName().contains("Tenured"))
                        .mapToLong(pool -> pool.getPeakUsage().getUsed())
                        .sum();
        return new Use(
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                        .getProcessCpuTime(),
                collections(GarbageCollectorMXBean::getCollectionTime),
                old);
    }

    private static long collections(ToLongFunction<GarbageCollectorMXBean> figure) {
        return ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(figure).sum();
    }

    Use since(Use before) {
        return new Use(
                processorNanos - before.processorNanos,
                collectionMilliseconds - before.collectionMilliseconds,
                oldBytes);
    }
}
