package dev.penstock.bench.films;

import dev.penstock.bench.experiment.NanosecondBenchmark;
import dev.penstock.bench.export.MemoryRows;
import dev.penstock.databases.TestDatabase;
import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import dev.penstock.films.store.FilmStore;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Explanation;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The cost of a query before the database knows of it, without sending it. {@link #count} and {@link #rows} begin with
 * a plan, and end with its SQL and values in a cursor that has not started. {@link #filterAndCount} and {@link
 * #complex} begin with a stream, whose terminal operation makes the plan; then a row of zeros is read for an answer.
 * Shapes of plans have been seen before.
 */
public class StreamToSqlBenchmark extends NanosecondBenchmark {
    private final TestDatabase store = TestDatabase.create(TestDatabase.Kind.H2);
    private final Database database = fill();
    private final Plan all = Plan.of(database.table("FILM"));
    private final TypedTable<Film> films = TypedTable.of(Rendering.of(database), Film.TABLE);
    private int minutes;

    private Database fill() {
        try (Connection connection = store.connect()) {
            FilmStore.of(0.01).create(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("making the film store failed", e);
        }
        return Database.connect(store.dataSource());
    }

    /** Makes the shapes known. */
    @Setup
    public void see() {
        filterAndCount();
        complex();
    }

    /** Gives the database back. */
    @TearDown
    public void close() {
        store.close();
    }

    private Plan longer() {
        minutes = (minutes + 1) % 200;
        return all.where(new Predicate.Comparison("LENGTH", Comparator.GREATER, minutes));
    }

    /** A plan of a count, with another value each time. */
    @Benchmark
    public Object count() {
        return database.open(longer().count());
    }

    /** A plan of all columns of some rows in an order. */
    @Benchmark
    public Object rows() {
        List<Plan.Order> order = List.of(new Plan.Order("LENGTH", true, false));
        return database.open(longer().orderBy(order).skip(minutes).limit(5));
    }

    /** Filter and count, with another value each time. */
    @Benchmark
    public long filterAndCount() {
        minutes = (minutes + 1) % 200;
        return films.stream()
                .filter(Film.LENGTH.greaterThan(minutes).and(Film.RATING.equal(Rating.PG13)))
                .count();
    }

    /** Sort, skip, limit and statistics. */
    @Benchmark
    public IntSummaryStatistics complex() {
        return films.stream()
                .sorted(Film.LENGTH.reversed())
                .skip(745)
                .limit(5)
                .mapToInt(Film.RENTAL_DURATION.asInt())
                .summaryStatistics();
    }

    /**
     * A database that queries are prepared for and not sent to.
     *
     * @param answer a row of zeros, which each query has for an answer
     */
    private record Rendering(Database database, MemoryRows answer) implements Engine {
        private static final int FIGURES = 4;

        static Rendering of(Database database) {
            Column figure = new Column("figure", ColumnType.LONG, "made up", false, 8);
            List<List<String>> row = List.of(Collections.nCopies(FIGURES, "0"));
            return new Rendering(
                    database, new MemoryRows(Collections.nCopies(FIGURES, figure), row, 1));
        }

        @Override
        public String name() {
            return database.name();
        }

        @Override
        public Schema schema() {
            return database.schema();
        }

        @Override
        public Cursor open(Plan plan) {
            database.open(plan).close();
            answer.rewind();
            return answer;
        }

        @Override
        public Optional<String> refusal(Plan plan) {
            return database.refusal(plan);
        }

        @Override
        public Predicate superset(Table table, Predicate predicate) {
            return database.superset(table, predicate);
        }

        @Override
        public Explanation explain(Plan plan) {
            return database.explain(plan);
        }
    }
}
