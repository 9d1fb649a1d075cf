package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.FieldOrder;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots that start from a file. */
class SnapshotFileTest {
    private static final int FILMS = 10_000;
    private static final Logger LOGGER = Logger.getLogger("dev.penstock.snapshot");

    @TempDir Path directory;

    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord entry) {
                    logged.add(new SimpleFormatter().formatMessage(entry));
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void listen() {
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void endListening() {
        LOGGER.removeHandler(handler);
    }

    private Path file() {
        return directory.resolve("films.penstock");
    }

    private Snapshot.Builder builder(TestDatabase server) {
        return Snapshot.of(Database.connect(server.dataSource()))
                .memoryOnly()
                .incremental(Film.TABLE, Film.CHANGED, true)
                .file(file());
    }

    private static List<Film> films(Snapshot snapshot) {
        return snapshot.table(Film.TABLE).stream().toList();
    }

    private static List<Film> inDatabase(TestDatabase server) {
        return Database.connect(server.dataSource()).table(Film.TABLE).stream()
                .sorted(Comparator.comparingInt(Film::id))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void load_ofASavedVersion_hasItAsItWasAndIsBroughtUpToDate(Kind kind) throws IOException {
        try (TestDatabase server = Film.database(kind, FILMS)) {
            List<Film> before = inDatabase(server);
            Version saved;
            try (Snapshot snapshot = builder(server).load()) {
                assertThat(snapshot.isFromFile()).isFalse();
                saved = snapshot.save();
                assertThat(saved).isEqualTo(snapshot.version());
            }
            server.execute(
                    "update films set title = 'Another', changed = 20000 where id = 77",
                    "delete from films where id = 5");
            try (Snapshot snapshot = builder(server).load()) {
                assertThat(snapshot.isFromFile()).isTrue();
                assertThat(snapshot.version()).isEqualTo(saved);
                assertThat(films(snapshot)).isEqualTo(before);
                assertThat(snapshot.memoryUsed()).as("what is mapped is not counted").isZero();
                assertThat(snapshot.refresh().number()).isEqualTo(saved.number() + 1);
                assertThat(snapshot.isFromFile()).isFalse();
                assertThat(films(snapshot)).isEqualTo(inDatabase(server));
            }
        }
        assertThat(logged).isEmpty();
    }

    @Test
    void load_ofASavedVersion_hasItsIndexesAndThoseDeclaredSince() throws IOException {
        try (TestDatabase server = Film.database(Kind.H2, FILMS)) {
            try (Snapshot snapshot = builder(server).index(Film.TABLE, Film.LENGTH).load()) {
                snapshot.save();
            }
            try (Snapshot snapshot =
                    builder(server)
                            .index(Film.TABLE, Film.LENGTH)
                            .index(Film.TABLE, Film.CHANGED)
                            .load()) {
                assertThat(snapshot.statistics().getFirst().indexes())
                        .extracting(index -> index.kind() + " " + index.columns())
                        .containsExactly("COUNTS [LENGTH]", "ORDER [LENGTH]", "COUNTS [CHANGED]");
                assertThat(
                                snapshot.table(Film.TABLE).stream()
                                        .filter(Film.LENGTH.between(100, 101))
                                        .count())
                        .isEqualTo(
                                inDatabase(server).stream()
                                        .filter(Film.LENGTH.between(100, 101))
                                        .count());
            }
        }
    }

    /** Any sequence of changes, refreshes, savings and new beginnings ends with what the database has. */
    @Test
    void refresh_ofWhatCameFromAFile_answersAsTheDatabaseDoes() throws IOException {
        long seed = Long.getLong("penstock.seed", 1);
        Random random = new Random(seed);
        try (TestDatabase server = Film.database(Kind.H2, 3_000)) {
            Snapshot snapshot = indexed(server).load();
            try {
                for (int step = 1; step <= 60; step++) {
                    String shown = "-Dpenstock.seed=%d, step %d".formatted(seed, step);
                    change(server, random, 100_000 + step);
                    switch (random.nextInt(4)) {
                        case 0 -> snapshot.save();
                        case 1 -> {
                            snapshot.save();
                            List<Film> saved = films(snapshot);
                            snapshot.close();
                            snapshot = indexed(server).load();
                            assertThat(snapshot.isFromFile()).as(shown).isTrue();
                            assertThat(films(snapshot)).as(shown).isEqualTo(saved);
                        }
                        case 2 -> {
                            // What was saved may be much older.
                            snapshot.close();
                            snapshot = indexed(server).load();
                        }
                        default -> {}
                    }
                    snapshot.refresh();
                    requireSame(snapshot, inDatabase(server), random, shown);
                }
            } finally {
                snapshot.close();
            }
        }
        assertThat(logged).isEmpty();
    }

    private Snapshot.Builder indexed(TestDatabase server) {
        return builder(server).index(Film.TABLE, Film.TITLE).index(Film.TABLE, Film.LENGTH);
    }

    /** All rows, and what is found and sorted by the indexes that came from the file or were made of those. */
    private static void requireSame(
            Snapshot snapshot, List<Film> expected, Random random, String shown) {
        assertThat(films(snapshot)).as(shown).isEqualTo(expected);
        Condition<Film> title = Film.TITLE.startsWith("Film " + random.nextInt(10));
        Condition<Film> length = Film.LENGTH.lessThan(random.nextInt(200));
        for (Condition<Film> each : List.of(title, length)) {
            assertThat(snapshot.table(Film.TABLE).stream().filter(each).sorted(Film.ID).toList())
                    .as(shown)
                    .isEqualTo(expected.stream().filter(each).toList());
        }
        assertThat(
                        snapshot.table(Film.TABLE).stream()
                                .sorted(FieldOrder.of(Film.LENGTH).thenComparing(Film.ID))
                                .skip(100)
                                .limit(50)
                                .toList())
                .as(shown)
                .isEqualTo(
                        expected.stream()
                                .sorted(FieldOrder.of(Film.LENGTH).thenComparing(Film.ID))
                                .skip(100)
                                .limit(50)
                                .toList());
    }

    private static void change(TestDatabase server, Random random, int version) {
        List<String> changes = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            int id = 1 + random.nextInt(4_000);
            changes.add(
                    switch (random.nextInt(3)) {
                        case 0 -> "delete from films where id = " + id;
                        case 1 ->
                                "update films set title = null, length = %d, changed = %d where id < %d"
                                        .formatted(random.nextInt(500), version, id / 40);
                        default ->
                                "merge into films key (id) values (%d, 'Film %d', %d, %d)"
                                        .formatted(id, random.nextInt(), id % 90, version);
                    });
        }
        server.execute(changes.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cut", "flipped", "empty", "a directory"})
    void load_ofADamagedFile_saysSoAndLoadsFromTheDatabase(String damage) throws IOException {
        try (TestDatabase server = Film.database(Kind.H2, FILMS)) {
            try (Snapshot snapshot = builder(server).load()) {
                snapshot.save();
            }
            byte[] bytes = Files.readAllBytes(file());
            switch (damage) {
                case "cut" -> Files.write(file(), java.util.Arrays.copyOf(bytes, 5_000));
                case "flipped" -> {
                    bytes[bytes.length / 2] ^= 1;
                    Files.write(file(), bytes);
                }
                case "empty" -> Files.write(file(), new byte[0]);
                default -> {
                    Files.delete(file());
                    Files.createDirectory(file());
                }
            }
            server.execute("delete from films where id = 5");
            try (Snapshot snapshot = builder(server).load()) {
                assertThat(snapshot.isFromFile()).isFalse();
                assertThat(films(snapshot)).isEqualTo(inDatabase(server));
            }
        }
        assertThat(logged)
                .singleElement()
                .asString()
                .startsWith("the file " + file() + " ")
                .endsWith(": the tables are loaded from the database instead");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alter table films alter column title varchar(300)",
                "alter table films add column more int",
                "alter table films drop primary key"
            })
    void load_afterAChangeOfTheSchema_loadsFromTheDatabase(String change) throws IOException {
        try (TestDatabase server = Film.database(Kind.H2, FILMS)) {
            try (Snapshot snapshot = whole(server).load()) {
                snapshot.save();
            }
            server.execute(change, "delete from films where id = 5");
            try (Snapshot snapshot = whole(server).load()) {
                assertThat(snapshot.isFromFile()).isFalse();
                assertThat(films(snapshot)).hasSize(FILMS - 1);
            }
        }
        assertThat(logged)
                .singleElement()
                .asString()
                .contains(
                        " is of other tables, columns, types, keys or chosen rows, or of another");
    }

    private Snapshot.Builder whole(TestDatabase server) {
        return Snapshot.of(Database.connect(server.dataSource())).table(Film.TABLE).file(file());
    }

    @Test
    void load_ofOtherRowsColumnsOrAnotherDatabase_loadsFromTheDatabase() throws IOException {
        try (TestDatabase server = Film.database(Kind.H2, FILMS);
                TestDatabase other = Film.database(Kind.H2, 10)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = whole(server).load()) {
                snapshot.save();
            }
            try (Snapshot snapshot =
                    Snapshot.of(database)
                            .table(Film.TABLE.where(Film.LENGTH.greaterThan(100)))
                            .file(file())
                            .load()) {
                assertThat(snapshot.isFromFile()).isFalse();
                assertThat(snapshot.version().rows()).isBetween(1L, FILMS - 1L);
            }
            try (Snapshot snapshot =
                    Snapshot.of(database)
                            .table(database.table("films"), List.of("title"))
                            .file(file())
                            .load()) {
                assertThat(snapshot.isFromFile()).isFalse();
            }
            try (Snapshot snapshot = whole(other).load()) {
                assertThat(snapshot.isFromFile()).isFalse();
                assertThat(snapshot.version().rows()).isEqualTo(10);
            }
            try (Snapshot snapshot = whole(server).load()) {
                assertThat(snapshot.isFromFile()).isTrue();
            }
        }
        assertThat(logged).hasSize(3);
    }

    @Test
    void save_thatIsInterrupted_endsAndLeavesTheFileAsItWas() throws IOException {
        try (TestDatabase server = Film.database(Kind.H2, FILMS);
                Snapshot snapshot = builder(server).load()) {
            snapshot.save();
            byte[] before = Files.readAllBytes(file());
            server.execute("delete from films where id = 5");
            snapshot.refresh();
            Thread.currentThread().interrupt();
            assertThatThrownBy(snapshot::save).isInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(directory.toFile().listFiles()).containsExactly(file().toFile());
            assertThat(Files.readAllBytes(file())).isEqualTo(before);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> builder(server).load())
                    .isInstanceOf(QueryException.class)
                    .extracting(e -> ((QueryException) e).kind())
                    .isEqualTo(QueryException.Kind.CANCELLED);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void save_withoutAFile_saysTheRemedy() {
        try (TestDatabase server = Film.database(Kind.H2, 10);
                Snapshot snapshot =
                        Snapshot.load(Database.connect(server.dataSource()), Film.TABLE)) {
            assertThatThrownBy(snapshot::save)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "there is no file to save to: name one by file(…) in the snapshot's settings");
        }
    }

    @Test
    void save_whereItCannotBe_failsAndTheSnapshotGoesOn() {
        try (TestDatabase server = Film.database(Kind.H2, 10);
                Snapshot snapshot =
                        Snapshot.of(Database.connect(server.dataSource()))
                                .table(Film.TABLE)
                                .memoryOnly()
                                .file(directory.resolve("missing/films"))
                                .load()) {
            assertThatThrownBy(snapshot::save).isInstanceOf(IOException.class);
            assertThat(films(snapshot)).hasSize(10);
        }
    }

    @Test
    void save_ofAVirtualThread_andTwoSnapshotsOfOneFile_haveTheSameRows() throws Exception {
        try (TestDatabase server = Film.database(Kind.H2, FILMS);
                Snapshot first = builder(server).load()) {
            FutureTask<Version> save = new FutureTask<>(first::save);
            Thread.ofVirtual().start(save);
            save.get();
            try (Snapshot one = builder(server).load();
                    Snapshot other = builder(server).load()) {
                // The file is replaced while both have the old one mapped.
                server.execute("delete from films where id > 100");
                one.refresh();
                one.save();
                assertThat(films(other)).isEqualTo(films(first)).hasSize(FILMS);
                try (Snapshot next = builder(server).load()) {
                    assertThat(films(next)).hasSize(100);
                }
            }
        }
    }
}
