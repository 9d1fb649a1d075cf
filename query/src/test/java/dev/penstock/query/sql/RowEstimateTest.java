package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Databases' estimates for a table of 3,000 rows whose statistics are fresh. */
class RowEstimateTest {
    private static TestDatabase filled(Kind kind) throws SQLException {
        TestDatabase server = TestDatabase.create(kind);
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create table numbers (id int primary key, label varchar(20))");
            StringBuilder rows = new StringBuilder("insert into numbers values ");
            for (int i = 1; i <= 3000; i++) {
                rows.append(i == 1 ? "" : ",").append("(" + i + ", 'label " + i % 10 + "')");
            }
            statement.execute(rows.toString());
            if (kind == Kind.POSTGRESQL) {
                statement.execute("analyze numbers");
            } else if (kind != Kind.H2) {
                statement.execute("analyze table numbers");
            }
        }
        return server;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void estimate_ofRows_isNear(Kind kind) throws SQLException {
        try (TestDatabase server = filled(kind)) {
            Database database = Database.connect(server.dataSource());
            Table table = database.table("numbers");
            String id = table.columns().getFirst().name();
            OptionalLong all = database.estimate(table, Predicate.ALL);
            OptionalLong few =
                    database.estimate(
                            table, new Predicate.Comparison(id, Comparator.LESS_OR_EQUAL, 300));
            OptionalLong none =
                    database.estimate(
                            table,
                            new Predicate.And(
                                    List.of(
                                            new Predicate.Comparison(id, Comparator.EQUAL, 1),
                                            new Predicate.Comparison(id, Comparator.EQUAL, 2))));
            if (kind == Kind.H2) {
                assertThat(List.of(all, few, none)).containsOnly(OptionalLong.empty());
                return;
            }
            assertThat(all.orElseThrow()).isBetween(1500L, 6000L);
            assertThat(few.orElseThrow()).isBetween(100L, 1000L);
            assertThat(none.orElseThrow()).isLessThan(10);
        }
    }

    /** A database that can't do a condition is asked about a wider one. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void estimate_ofWhatOnlyTheJvmCanDo_isThatOfMore(Kind kind) throws SQLException {
        try (TestDatabase server = filled(kind)) {
            Database database = Database.connect(server.dataSource());
            Table table = database.table("numbers");
            String label = table.columns().getLast().name();
            OptionalLong estimate =
                    database.estimate(
                            table, new Predicate.Matches(label, "x+y", Pattern.UNIX_LINES));
            assertThat(estimate.isPresent()).isEqualTo(kind != Kind.H2);
        }
    }
}
