package dev.penstock.bench.films;

import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.sql.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** From a plan to its SQL and values, with a cursor that has not started: what a query costs before the database knows of it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PlanBenchmark {
    private final Database database = connect();
    private final Plan all = Plan.of(database.table("FILM"));
    private int length;

    /** A table of thirteen columns, as the film store's is. */
    private static Database connect() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:plans;DB_CLOSE_DELAY=-1");
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS film (film_id INT PRIMARY KEY, title VARCHAR(255), description VARCHAR(4000), release_year INT,"
                            + " language_id INT, original_language_id INT, rental_duration INT, rental_rate DECIMAL(4,2), length INT,"
                            + " replacement_cost DECIMAL(5,2), rating VARCHAR(10), special_features VARCHAR(100), last_update"
                            + " TIMESTAMP)");
        } catch (SQLException e) {
            throw new IllegalStateException("making the table failed", e);
        }
        return Database.connect(source);
    }

    /** A count, each time of another length. */
    @Benchmark
    public Object count() {
        length = (length + 1) & 127;
        return database.open(
                all.where(new Predicate.Comparison("LENGTH", Comparator.GREATER, length)).count());
    }

    /** All columns of some rows in an order. */
    @Benchmark
    public Object rows() {
        length = (length + 1) & 127;
        return database.open(
                all.where(new Predicate.Comparison("LENGTH", Comparator.GREATER, length))
                        .orderBy(List.of(new Plan.Order("LENGTH", true, false)))
                        .skip(length)
                        .limit(5));
    }
}
