package dev.penstock.snapshot.shortcut;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Streams with shortcuts allocate nothing but their answer, once they are compiled. A JVM of its own runs them, in
 * which compiling is waited for, so that the number of cores and what else they do make no difference.
 */
class ShortcutAllocationIT {
    @ParameterizedTest
    @CsvSource({"count, 0", "statistics, 40", "statistics of two fields that meet, 40"})
    void stream_onceCompiled_allocatesNothingButItsAnswer(String stream, long bytes)
            throws IOException, InterruptedException {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:-BackgroundCompilation",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AllocationChild.class.getName(),
                        stream,
                        Long.toString(bytes));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(output).isZero();
        assertThat(output.strip().lines().reduce((_, last) -> last).orElseThrow())
                .as("bytes a call, the least of many attempts: %s", output)
                .matches("\\d+")
                .satisfies(least -> assertThat(Long.parseLong(least)).isLessThanOrEqualTo(bytes));
    }
}
