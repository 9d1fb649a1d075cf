package dev.penstock.snapshot.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.InMemory;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.memory.Memory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that save one version after another, killed at random moments: the file always holds one of them. */
@Timeout(1_800)
class SaveKillIT {
    private static final int KILLS = Boolean.getBoolean("penstock.soak") ? 200 : 6;
    private static final int VERSIONS = 3;
    private static final long FIRST = 1;
    private static final int ROWS = 120_000;

    /** The second column of each row is this times its key, and the number of the version. */
    private static final long STEP = 1_000_003;

    @TempDir Path directory;

    private static final String DEFINITION = "create table numbers (id int primary key, n bigint)";

    private static IndexedTable version(int number) {
        Memory memory = new Memory(Long.MAX_VALUE);
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    DEFINITION
                            + " as select x, x * %d + %d from system_range(1, %d)"
                                    .formatted(STEP, number, ROWS));
            Database database = Database.connect(server.dataSource());
            return new IndexedTable(
                    InMemory.stored(database, database.table("numbers"), memory), memory);
        }
    }

    /** The process: saves its versions in turn, and says the number of each that it has saved. */
    static final class Saver {
        private Saver() {}

        public static void main(String[] arguments) throws IOException {
            Path file = Path.of(arguments[0]);
            List<IndexedTable> versions = new ArrayList<>();
            for (int number = 1; number <= VERSIONS; number++) {
                versions.add(version(number));
            }
            System.out.println("ready");
            for (int i = 0; true; i++) {
                int number = 1 + i % VERSIONS;
                VersionFile.write(
                        file,
                        new VersionFile.Head(number, Instant.EPOCH, Duration.ZERO, null),
                        Map.of("numbers", versions.get(number - 1)));
                System.out.println("saved " + number);
            }
        }
    }

    @Test
    void kill_atRandomMoments_leavesOneOfTheVersions() throws Exception {
        long seed = Long.getLong("penstock.seed", System.nanoTime());
        Random random = new Random(seed);
        Path file = directory.resolve("numbers.penstock");
        Table table = table();
        long before = 0;
        int seen = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            String last = runAndKill(file, random);
            String shown = "-Dpenstock.seed=%d, kill %d, %s".formatted(seed, kill, last);
            long said = last.startsWith("saved ") ? Long.parseLong(last.substring(6)) : before;
            if (said == 0 && !file.toFile().exists()) {
                continue;
            }
            VersionFile.Content content = VersionFile.open(file, Map.of("numbers", table));
            // The one after that which was said may have been moved to its place already.
            long next = last.startsWith("saved ") ? said % VERSIONS + 1 : FIRST;
            before = content.head().number();
            assertThat(before).as(shown).isIn(said, next);
            requireOneVersion(content, shown);
            seen++;
        }
        assertThat(seen).as("-Dpenstock.seed=%d: something was saved", seed).isPositive();
    }

    private static Table table() {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(DEFINITION);
            return Database.connect(server.dataSource()).table("numbers");
        }
    }

    private static void requireOneVersion(VersionFile.Content content, String shown) {
        StoredTable stored = content.tables().getFirst().table();
        assertThat(stored.rows()).as(shown).isEqualTo(ROWS);
        StoredColumn numbers = stored.column("N");
        long[] cells = IntStream.range(0, ROWS).mapToLong(numbers::cell).toArray();
        assertThat(cells)
                .as(shown)
                .isEqualTo(
                        LongStream.rangeClosed(1, ROWS)
                                .map(key -> key * STEP + content.head().number())
                                .toArray());
    }

    /** Runs a process for a random number of its messages and a random moment more; gives its last message. */
    private static String runAndKill(Path file, Random random) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx128m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Saver.class.getName(),
                                file.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(
                                process.getInputStream(), StandardCharsets.US_ASCII))) {
            String last = String.valueOf(out.readLine());
            assertThat(last).isEqualTo("ready");
            for (int messages = random.nextInt(6); messages > 0; messages--) {
                last = String.valueOf(out.readLine());
            }
            spin(random.nextInt(20_000));
            // Not of the process itself, which would close its output.
            assertThat(process.toHandle().destroyForcibly()).isTrue();
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                last = line;
            }
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return last;
        } finally {
            process.destroyForcibly();
        }
    }

    /** A moment that is not bound to any message. */
    private static void spin(int micros) {
        long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
