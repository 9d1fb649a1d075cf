package dev.penstock.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.databases.TestDatabase;
import dev.penstock.films.Film;
import dev.penstock.films.FilmStore;
import dev.penstock.films.Rating;
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
 * operation makes the plan of them, and the engine renders it. The plan's shape has been seen before.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class StreamToSqlBenchmark {
    /** Ends a stream where its query would be sent; without a stack trace, which would cost more than the rest. */
    private static final class Rendered extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Rendered() {
            super("rendered, and not to be sent", null, false, false);
        }
    }

    private final TestDatabase database = TestDatabase.create(TestDatabase.Kind.H2);
    private final HikariDataSource pool = JdbcFilms.pool(database);
    private TypedTable<Film> films = fill();
    private int minutes;

    private TypedTable<Film> fill() {
        try (Connection connection = pool.getConnection()) {
            FilmStore.of(0.01).create(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return TypedTable.of(new Rendering(Database.connect(pool)), Film.TABLE);
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

    /** Article 4's filter and count, with another value each time. */
    @Benchmark
    public Object filterAndCount() {
        minutes = (minutes + 1) % 200;
        try {
            return films.stream()
                    .filter(Film.LENGTH.greaterThan(minutes).and(Film.RATING.equal(Rating.PG13)))
                    .count();
        } catch (Rendered e) {
            return e;
        }
    }

    /** Article 4's complex stream. */
    @Benchmark
    public Object complex() {
        try {
            return films.stream()
                    .sorted(Film.LENGTH.reversed())
                    .skip(745)
                    .limit(5)
                    .mapToInt(Film.RENTAL_DURATION.asInt())
                    .summaryStatistics();
        } catch (Rendered e) {
            return e;
        }
    }

    /** A database that queries are prepared for and not sent to. */
    private record Rendering(Database database) implements Engine {
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
            throw new Rendered();
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
