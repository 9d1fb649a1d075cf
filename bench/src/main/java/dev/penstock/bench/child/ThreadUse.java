package dev.penstock.bench.child;

import com.sun.management.OperatingSystemMXBean;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * A JVM's platform threads and processor time.
 *
 * @param peak the most threads since this was asked last
 * @param processorNanos the time of all threads since the start
 */
public record ThreadUse(int peak, long processorNanos) implements Serializable {
    static ThreadUse now() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        ThreadUse use = new ThreadUse(threads.getPeakThreadCount(), system.getProcessCpuTime());
        threads.resetPeakThreadCount();
        return use;
    }
}
