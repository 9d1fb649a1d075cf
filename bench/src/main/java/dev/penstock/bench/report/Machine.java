package dev.penstock.bench.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The machine that measures, without its name: figures of another one differ. */
public final class Machine {
    private static final double GIBIBYTE = 1 << 30;

    private Machine() {}

    /** Describes it: processor, memory, operating system and JDK. */
    public static Map<String, String> describe() {
        OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put(
                "processor",
                firstValue("/proc/cpuinfo", "model name", ":", system.getArch())
                        + ", "
                        + system.getAvailableProcessors()
                        + " cores");
        machine.put(
                "memory", "%.0f GiB".formatted(Math.ceil(system.getTotalMemorySize() / GIBIBYTE)));
        machine.put(
                "operating system",
                firstValue("/etc/os-release", "PRETTY_NAME", "=", system.getName())
                        + ", kernel "
                        + system.getVersion());
        machine.put(
                "JDK",
                System.getProperty("java.vendor.version", System.getProperty("java.vendor"))
                        + " "
                        + Runtime.version());
        return machine;
    }

    private static String firstValue(String file, String name, String separator, String otherwise) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(separator) + 1).replace("\"", ""))
                    .map(String::strip)
                    .findFirst()
                    .orElse(otherwise);
        } catch (IOException e) {
            // It is not Linux.
            return otherwise;
        }
    }
}
