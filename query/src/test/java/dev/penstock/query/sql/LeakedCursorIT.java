package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.sql.read.ByteBudget;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.IntField;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cursors that are dropped without being closed: their connections come back, and the log says where they were opened.
 */
class LeakedCursorIT {
    private static final Logger LOG = Logger.getLogger("dev.penstock.query.sql");

    private final List<LogRecord> logged = new CopyOnWriteArrayList<>();
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord entry) {
                    if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                        logged.add(entry);
                    }
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    record Thing(int id) {
        static final IntField<Thing> ID = IntField.of(Thing.class, "id", Thing::id);
        static final Entity<Thing> TABLE =
                Entity.of(
                        Thing.class,
                        "thing",
                        r -> new Thing(r.getInt(0)),
                        List.of(ID),
                        List.of(ID));
    }

    @BeforeEach
    void listen() {
        LOG.addHandler(handler);
    }

    @AfterEach
    void listenNoMore() {
        LOG.removeHandler(handler);
    }

    private static Database database(RecordingDataSource source, TestDatabase server) {
        String rows =
                switch (server.kind()) {
                    case POSTGRESQL -> "select i from generate_series(1, 20000) as s(i)";
                    case H2 -> "select x from system_range(1, 20000)";
                    case MARIADB, MYSQL -> "select seq from seq_1_to_20000";
                };
        server.execute("create table thing (id int primary key)", "insert into thing " + rows);
        return Database.connect(source);
    }

    /** Opens and drops; what is dropped is reachable from nowhere after this has returned. */
    private interface Dropping {
        void run(Database database);
    }

    private static void dropCursor(Database database) {
        Cursor cursor = database.open(Plan.of(database.table("thing")));
        assertThat(cursor.next()).isTrue();
    }

    private static void dropShortCursor(Database database) {
        Cursor cursor = database.open(Plan.of(database.table("thing")).limit(5));
        assertThat(cursor.next()).isTrue();
    }

    private static void dropIterator(Database database) {
        Iterator<Integer> ids =
                TypedTable.of(database, Thing.TABLE).stream().map(Thing::id).iterator();
        assertThat(ids.next()).isPositive();
    }

    private static void dropSpliterator(Database database) {
        Stream<Thing> things = TypedTable.of(database, Thing.TABLE).stream();
        assertThat(StreamSupport.stream(things.spliterator(), false).findFirst()).isPresent();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void cursor_thatIsDropped_isClosedAndLoggedWithWhereItWasOpened(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = database(source, server);
            List<Dropping> all =
                    List.of(
                            LeakedCursorIT::dropCursor,
                            LeakedCursorIT::dropShortCursor,
                            LeakedCursorIT::dropIterator,
                            LeakedCursorIT::dropSpliterator);
            for (Dropping dropping : all) {
                logged.clear();
                dropping.run(database);
                collectUntil(_ -> source.open.isEmpty());
                collectUntil(_ -> !logged.isEmpty());
                assertThat(logged).singleElement().satisfies(LeakedCursorIT::saysWhere);
            }
            assertThat(ByteBudget.AT_ONCE.available()).isEqualTo(ByteBudget.AT_ONCE.bytes());
        }
    }

    private static void saysWhere(LogRecord entry) {
        assertThat(entry.getMessage()).contains("a cursor was dropped without being closed");
        assertThat(entry.getThrown().getMessage())
                .isEqualToIgnoringCase("a cursor of table thing was opened here");
        assertThat(entry.getThrown().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().startsWith("drop"));
    }

    /** Collects garbage until something is so, for a minute at the most. */
    private static void collectUntil(Predicate<Void> condition) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!condition.test(null)) {
            assertThat(System.nanoTime()).as("it did not come in a minute").isLessThan(deadline);
            System.gc();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void cursor_thatIsClosed_isNotLogged(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = database(source, server);
            try (Cursor cursor = database.open(Plan.of(database.table("thing")))) {
                assertThat(cursor.next()).isTrue();
            }
            Iterator<Thing> all =
                    TypedTable.of(database, Thing.TABLE).stream()
                            .filter(t -> t.id() > 5)
                            .limit(3)
                            .iterator();
            while (all.hasNext()) {
                assertThat(all.next()).isNotNull();
            }
            assertThat(source.open).isEmpty();
            dropCursor(database);
            collectUntil(_ -> !logged.isEmpty());
            assertThat(logged).as("that of the one that was dropped").hasSize(1);
        }
    }
}
