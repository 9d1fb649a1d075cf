package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.read.ByteBudget;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** PostgreSQL's short answers come at once, and are no other than those that stream. */
class SmallResultTest {
    private static final int ROWS = 3000;

    private static final String BLOCKED =
            "where datname = current_database() and wait_event_type = 'Lock' and query like '%counted%'";

    private static TestDatabase server;
    private static RecordingDataSource source;
    private static Database database;
    private static Table table;

    @BeforeAll
    static void fill() {
        server = TestDatabase.create(Kind.POSTGRESQL);
        server.execute(
                "create table counted (id int primary key, name text)",
                "insert into counted select i, 'name ' || i from generate_series(1, %d) i"
                        .formatted(ROWS));
        source = new RecordingDataSource(server.dataSource());
        database = Database.connect(source);
        table = database.table("counted");
    }

    @AfterEach
    void nothing_isLeftOpen() {
        assertThat(source.open).isEmpty();
        assertThat(ByteBudget.AT_ONCE.available()).isEqualTo(ByteBudget.AT_ONCE.bytes());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Plan upTo(String column, int last) {
        return Plan.of(table)
                .where(
                        new Predicate.Comparison(
                                "id", Predicate.Comparator.LESS_OR_EQUAL, (long) last))
                .orderBy(List.of(new Plan.Order(column, false, false)));
    }

    /** Of a shape that no other test has. */
    private static Plan below(long end) {
        return Plan.of(table)
                .where(new Predicate.Comparison("id", Predicate.Comparator.LESS, end))
                .orderBy(List.of(new Plan.Order("id", false, false)));
    }

    private static List<Long> ids(Plan plan) {
        List<Long> ids = new ArrayList<>();
        try (Cursor cursor = database.open(plan)) {
            while (cursor.next()) {
                assertThat(cursor.getString(1)).isEqualTo("name " + cursor.getLong(0));
                ids.add(cursor.getLong(0));
            }
        }
        return ids;
    }

    private static List<Long> first(int count) {
        return LongStream.rangeClosed(1, count).boxed().toList();
    }

    /** How many statements were asked for rows by JDBC's own way, which COPY is not. */
    private static long queriesDuring(Runnable work) {
        source.calls.clear();
        work.run();
        return source.calls.stream().filter("statement.executeQuery"::equals).count();
    }

    @Test
    void rows_afterAShortAnswerOfTheSameShape_comeAtOnce() {
        assertThat(ids(below(10))).isEqualTo(first(9));
        long queries = queriesDuring(() -> assertThat(ids(below(9))).isEqualTo(first(8)));
        assertThat(queries).isEqualTo(1);
    }

    @Test
    void rows_ofALongAnswerAfterShortOnes_areAllThereAndInOrder() {
        for (int i = 0; i < 3; i++) {
            assertThat(ids(upTo("name", 1))).isEqualTo(first(1));
            assertThat(ids(upTo("name", ROWS))).hasSize(ROWS).doesNotHaveDuplicates();
        }
        assertThat(ids(upTo("id", 0))).isEmpty();
        assertThat(ids(upTo("id", ROWS))).isEqualTo(first(ROWS));
    }

    @Test
    void limit_ofManyRows_comesAtOnceTheFirstTime() {
        Plan plan = upTo("id", ROWS).limit(20);
        long queries = queriesDuring(() -> assertThat(ids(plan)).isEqualTo(first(20)));
        assertThat(queries).isEqualTo(1);
    }

    @Test
    void rows_whenTheHeapForShortAnswersIsTaken_stream() {
        Plan plan = upTo("id", ROWS).limit(20);
        ByteBudget.Reservation all = ByteBudget.AT_ONCE.reserveNow(ByteBudget.AT_ONCE.bytes());
        assertThat(all).isNotNull();
        try {
            long queries = queriesDuring(() -> assertThat(ids(plan)).isEqualTo(first(20)));
            assertThat(queries).isZero();
        } finally {
            all.release();
        }
    }

    @Test
    void close_inTheMiddleOfAShortAnswer_givesEverythingBack() {
        Plan plan = upTo("id", ROWS).limit(20);
        try (Cursor cursor = database.open(plan)) {
            assertThat(cursor.next()).isTrue();
            assertThat(ByteBudget.AT_ONCE.available()).isLessThan(ByteBudget.AT_ONCE.bytes());
        }
        Cursor closed = database.open(plan);
        closed.close();
        assertThatThrownBy(closed::next).isInstanceOf(QueryException.class);
    }

    @Test
    void cancel_beforeAShortAnswer_isACancelledQuery() {
        try (Cursor cursor = database.open(upTo("id", ROWS).limit(20))) {
            cursor.cancel();
            assertThatThrownBy(cursor::next)
                    .isInstanceOfSatisfying(
                            QueryException.class,
                            e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.CANCELLED));
        }
    }

    @Test
    void getters_beforeTheFirstRow_fail() {
        try (Cursor cursor = database.open(upTo("id", ROWS).limit(20))) {
            assertThatThrownBy(() -> cursor.getLong(0)).isInstanceOf(IllegalStateException.class);
        }
    }

    /** An end of a query that waits. */
    enum Ending {
        CANCEL,
        LOST_CONNECTION,
        INTERRUPT
    }

    @ParameterizedTest
    @EnumSource(Ending.class)
    void ending_whileAShortAnswerIsWaitedFor_givesEverythingBackBeforeClose(Ending ending)
            throws Exception {
        try (Connection blocking = server.connect();
                Statement lock = blocking.createStatement();
                Connection beside = server.connect();
                Statement watching = beside.createStatement();
                Cursor cursor = database.open(upTo("id", ROWS).limit(20))) {
            blocking.setAutoCommit(false);
            lock.execute("lock table counted in access exclusive mode");
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            Thread reader =
                    Thread.ofVirtual().start(() -> failure.complete(catchThrowable(cursor::next)));
            awaitBlocked(watching);
            switch (ending) {
                case CANCEL -> cursor.cancel();
                case LOST_CONNECTION ->
                        watching.execute(
                                "select pg_terminate_backend(pid) from pg_stat_activity "
                                        + BLOCKED);
                case INTERRUPT -> reader.interrupt();
            }
            assertThat(failure.get(60, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            QueryException.class,
                            e ->
                                    assertThat(e.kind())
                                            .isEqualTo(
                                                    ending == Ending.CANCEL
                                                            ? QueryException.Kind.CANCELLED
                                                            : QueryException.Kind.DATABASE));
            nothing_isLeftOpen();
            assertThatThrownBy(cursor::next).isInstanceOf(QueryException.class);
        }
    }

    /** On a connection without a transaction, in which what is going on would stand still. */
    private static void awaitBlocked(Statement watching) throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        for (boolean blocked = false; !blocked; ) {
            try (ResultSet row =
                    watching.executeQuery("select count(*) from pg_stat_activity " + BLOCKED)) {
                blocked = row.next() && row.getInt(1) > 0;
            }
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
        }
    }

    /** Whether it is had at once, turns out too long for that, or streams. */
    @Test
    void cancel_atAnyMoment_isACancelledQueryOrNone() throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < 150; i++) {
            int rows = i % 3 == 0 ? ROWS : 300;
            Plan plan = i % 2 == 0 ? upTo("name", rows) : upTo("id", ROWS).limit(rows);
            long delay = random.nextInt(4_000_000);
            try (Cursor cursor = database.open(plan)) {
                Thread canceller =
                        Thread.ofVirtual()
                                .start(() -> {
                                    LockSupport.parkNanos(delay);
                                    cursor.cancel();
                                });
                int read = 0;
                try {
                    while (cursor.next()) {
                        read++;
                    }
                    assertThat(read).isEqualTo(rows);
                } catch (QueryException e) {
                    assertThat(e.kind()).isEqualTo(QueryException.Kind.CANCELLED);
                }
                canceller.join();
            }
            nothing_isLeftOpen();
        }
    }

    @Test
    void answers_ofManyThreadsWhoseGuessesAreWrong_areWhole() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int odd = i % 2;
                all.add(
                        threads.submit(() -> {
                            for (int j = 0; j < 20; j++) {
                                int rows = j % 2 == odd ? 1 : ROWS;
                                assertThat(ids(upTo("id", rows))).isEqualTo(first(rows));
                            }
                        }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    /** The driver gets bytes as text, of two digits each. */
    @Test
    void heap_forBytes_isReservedForTheirDigits() {
        int bytes = 90_000;
        server.execute(
                "create table wide (id int primary key, raw bytea)",
                "insert into wide select i, decode(repeat('ab', %d), 'hex') from generate_series(1, 30) i"
                        .formatted(bytes));
        Database wide = Database.connect(source);
        int rows = 10;
        try (Cursor cursor = wide.open(Plan.of(wide.table("wide")).limit(rows))) {
            for (int i = 0; i < rows; i++) {
                assertThat(cursor.next()).isTrue();
                assertThat(ByteBudget.AT_ONCE.bytes() - ByteBudget.AT_ONCE.available())
                        .isGreaterThan(2L * rows * bytes);
                assertThat(cursor.getBytes(1)).hasSize(bytes);
            }
            assertThat(cursor.next()).isFalse();
        }
    }
}
