package dev.penstock.bench.films;

import com.zaxxer.hikari.HikariDataSource;
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
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * From a stream to the query that is ready to be sent, its SQL and its values, without sending it: the stream's operations are recorded, its terminal
 * operation makes the plan of them, and the engine renders it; then a row of zeros is read for an answer. The plan's shape has been seen before.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class StreamToSqlBenchmark {
    private final TestDatabase database = TestDatabase.create(TestDatabase.Kind.H2);
    private final HikariDataSource pool = FilmsSqlExperiment.pool(database);
    private TypedTable<Film> films = fill();
    private int minutes;

    private TypedTable<Film> fill() {
        try (Connection connection = pool.getConnection()) {
            FilmStore.of(0.01).create(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return TypedTable.of(Rendering.of(Database.connect(pool)), Film.TABLE);
    }

    /** Makes the shapes known. */
    @Setup
    public void see() {
        films = TypedTable.of(films.engine(), Film.TABLE);
        filterAndCount();
        complex();
    }

    /** Gives the database back. */
    @TearDown
    public void close() {
        pool.close();
        database.close();
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
