package dev.penstock.bench.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.service.stress.HandoverState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jcstress tests of the hand-over of service pools: that no forbidden outcome occurs. They run for half a minute,
 * and for many minutes with the long counts.
 */
@Timeout(1800)
class HandoverStressTest {
    private static final boolean IS_SOAK = Boolean.getBoolean("penstock.soak");
    private static final String MODE = IS_SOAK ? "default" : "sanity";

    @TempDir Path directory;

    @Test
    void everyTest_forAWhile_seesAllowedOutcomesOnly() throws Exception {
        Path log = directory.resolve("log");
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        "org.openjdk.jcstress.Main",
                                        "-t",
                                        HandoverState.class.getPackageName(),
                                        "-m",
                                        MODE,
                                        // Each thread compiled in another way is many times as
                                        // many runs.
                                        "-sc",
                                        Boolean.toString(IS_SOAK),
                                        "-r",
                                        directory.toString()))
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            assertThat(process.waitFor(25, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(log).content().contains("All remaining tests: 7 matching");
        assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    }
}
