package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** PostgreSQL's short answers come at once, and are no other than those that stream. */
class ShortAnswerTest {
    private static final int ROWS = 3000;

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
        ByteBudget.Hold all = ByteBudget.AT_ONCE.reserveNow(ByteBudget.AT_ONCE.bytes());
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
}
