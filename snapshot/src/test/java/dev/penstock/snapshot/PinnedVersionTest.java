package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.PinnedEngine;
import dev.penstock.query.Plan;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several queries of a pinned version agree, and those of the newest one never go back, while versions replace one
 * another.
 */
class PinnedVersionTest {
    private static final int VERSIONS = 40;
    private static final int READERS = 3;

    /** Rounds of the readers between two versions. */
    private static final int ROUNDS = 6;

    private final Semaphore rounds = new Semaphore(0);
    private volatile boolean over;

    /** What a version's rows tell its number by: each has it, and there are so many of them. */
    private static void become(TestDatabase server, int version) {
        server.execute("delete from films");
        server.execute(
                "insert into films select x, 'film', %d, %d from system_range(1, %d)"
                        .formatted(version, version, version));
    }

    private interface Reader {
        void read(Snapshot snapshot);
    }

    private void whileVersionsReplaceOneAnother(int kept, Reader reader) throws Exception {
        try (TestDatabase server = Film.database(Kind.H2, 0)) {
            become(server, 1);
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = Snapshot.of(database).table(Film.TABLE).keep(kept).load();
                    ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
                List<Future<?>> readers = new ArrayList<>();
                for (int i = 0; i < READERS; i++) {
                    readers.add(threads.submit(() -> readUntilOver(snapshot, reader)));
                }
                try {
                    for (int version = 2; version <= VERSIONS; version++) {
                        become(server, version);
                        assertThat(snapshot.refresh().number()).isEqualTo(version);
                        awaitRounds(readers);
                    }
                } finally {
                    over = true;
                }
                for (Future<?> each : readers) {
                    each.get();
                }
            }
        }
    }

    private void readUntilOver(Snapshot snapshot, Reader reader) {
        while (!over) {
            reader.read(snapshot);
            rounds.release();
        }
    }

    private void awaitRounds(List<Future<?>> readers) throws Exception {
        while (!rounds.tryAcquire(ROUNDS, 100, TimeUnit.MILLISECONDS)) {
            for (Future<?> reader : readers) {
                if (reader.isDone()) {
                    reader.get();
                }
            }
        }
    }

    private static long count(Engine engine) {
        Table films = engine.schema().table("films").orElseThrow();
        try (Cursor cursor = engine.open(Plan.of(films).count())) {
            assertThat(cursor.next()).isTrue();
            return cursor.getLong(0);
        }
    }

    /** By a shortcut, without a plan. */
    private static int lengthOfTheFirst(TypedTable<Film> films) {
        return films.stream()
                .sorted(Film.ID)
                .limit(1)
                .mapToInt(Film.LENGTH.asInt())
                .summaryStatistics()
                .getMax();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void queries_ofAPinnedVersion_agree(int kept) throws Exception {
        whileVersionsReplaceOneAnother(
                kept,
                snapshot -> {
                    PinnedVersion pinned = snapshot.pin();
                    long number = pinned.version().number();
                    TypedTable<Film> films = pinned.table(Film.TABLE);
                    assertThat(count(pinned.engine())).isEqualTo(number);
                    assertThat(films.stream().mapToLong(Film.CHANGED.asLong()).sum())
                            .isEqualTo(number * number);
                    assertThat(films.stream().filter(Film.LENGTH.equal((int) number)).count())
                            .isEqualTo(number);
                    assertThat(lengthOfTheFirst(films)).isEqualTo((int) number);
                    try (PinnedEngine again = pinned.engine().pinned()) {
                        assertThat(count(again.engine())).isEqualTo(number);
                    }
                    try (PinnedEngine agreed = snapshot.engine().pinned()) {
                        long rows = count(agreed.engine());
                        assertThat(rows).isGreaterThanOrEqualTo(number);
                        assertThat(lengthOfTheFirst(TypedTable.of(agreed.engine(), Film.TABLE)))
                                .isEqualTo((int) rows);
                    }
                });
    }

    @Test
    void queries_ofTheNewestVersion_neverGoBack() throws Exception {
        whileVersionsReplaceOneAnother(
                1,
                snapshot -> {
                    TypedTable<Film> films = snapshot.table(Film.TABLE);
                    long last = 0;
                    for (int i = 0; i < 50; i++) {
                        for (long seen :
                                new long[] {
                                    snapshot.version().number(),
                                    lengthOfTheFirst(films),
                                    count(snapshot.engine()),
                                    snapshot.versions().getFirst().number(),
                                    lengthOfTheFirst(films),
                                    snapshot.pin().version().number()
                                }) {
                            assertThat(seen).isGreaterThanOrEqualTo(last);
                            last = seen;
                        }
                        assertThat(snapshot.versions()).hasSize(1);
                    }
                });
    }

    @Test
    void pin_thenRefreshAndClose_goesOnAnswering() {
        try (TestDatabase server = Film.database(Kind.H2, 10)) {
            Database database = Database.connect(server.dataSource());
            PinnedVersion pinned;
            try (Snapshot snapshot = Snapshot.load(database, Film.TABLE)) {
                pinned = snapshot.pin();
                server.execute("delete from films where id > 7");
                snapshot.refresh();
                assertThat(count(snapshot.engine())).isEqualTo(7);
                assertThat(count(pinned.engine())).isEqualTo(10);
                assertThat(pinned.version().number()).isEqualTo(1);
                assertThatThrownBy(() -> snapshot.at(1))
                        .hasMessage(
                                "version 1 is not kept; those are: [2]. For the newest, whichever it"
                                        + " is, pin() takes it");
            }
            assertThat(pinned.table(Film.TABLE).stream().count()).isEqualTo(10);
        }
    }
}
