package dev.penstock.bench.child;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;

/** This JVM's platform threads and processor time. */
public final class ThreadsAndTime {
    private ThreadsAndTime() {}

    /** {@code now} and {@code peak}, since this was asked last, and {@code cpu}, the nanoseconds of all threads since the start. */
    public static Answer answer() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        Answer answer =
                new Answer(
                        Map.of(
                                "now", Integer.toString(threads.getThreadCount()),
                                "peak", Integer.toString(threads.getPeakThreadCount()),
                                "cpu", Long.toString(system.getProcessCpuTime())));
        threads.resetPeakThreadCount();
        return answer;
    }
}
