package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A heap of 64 MB is enough for any number of rows, and stays as it was while they are read. */
class MemoryContractIT {
    private static final long ROWS = Boolean.getBoolean("penstock.soak") ? 10_000_000 : 1_000_000;

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void heap_whileARowAfterTheOtherIsRead_staysFlat(Kind kind) throws Exception {
        String numbers =
                kind == Kind.POSTGRESQL
                        ? "generate_series(1, " + ROWS + ") as s(n)"
                        : "(select seq as n from seq_1_to_" + ROWS + ") s";
        String repeat = "repeat('x', 100)";
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    "create view big as select n, n * 1.25 as price, "
                            + repeat
                            + " as filler, 'short' as word from "
                            + numbers);
            requireFlat(List.of(server.url(), server.user(), server.password(), "big"));
        }
    }

    @Test
    void heap_whileH2ReadsATableOfAFile_staysFlat(@TempDir Path folder) throws Exception {
        String url = "jdbc:h2:file:" + folder.resolve("big") + ";CACHE_SIZE=4096";
        try (java.sql.Connection connection = java.sql.DriverManager.getConnection(url);
                java.sql.Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table big as select x as n, x * 1.25 as price, repeat('x', 100) as filler, 'short' as word from system_range(1, "
                            + ROWS
                            + ")");
        }
        requireFlat(List.of(url, "", "", "big"));
    }

    private static void requireFlat(List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command =
                new java.util.ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx64m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                MemoryChild.class.getName()));
        // As many processors as this JVM sees.
        command.addAll(
                1,
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(argument -> argument.startsWith("-XX:ActiveProcessorCount="))
                        .toList());
        command.addAll(arguments);
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(output).isZero();
        String last = output.strip().lines().reduce((_, b) -> b).orElseThrow();
        assertThat(last).as(output).matches("\\d+ rows, \\d+ bytes more");
        String[] words = last.split(" ", -1);
        assertThat(Long.parseLong(words[0])).isEqualTo(ROWS);
        assertThat(Long.parseLong(words[2])).as(output).isLessThan(8 << 20);
    }
}
