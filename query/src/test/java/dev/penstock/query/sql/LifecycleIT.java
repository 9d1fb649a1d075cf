package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of how a query starts, is cancelled and gives everything back. */
class LifecycleIT {
    private static void fill(TestDatabase server) {
        String numbers =
                switch (server.kind()) {
                    case POSTGRESQL -> "select i from generate_series(1, 200000) as s(i)";
                    case H2 -> "select x from system_range(1, 200000)";
                    case MARIADB, MYSQL -> "select seq from seq_1_to_200000";
                };
        server.execute(
                "create table numbers (n bigint primary key, filler varchar(200))",
                "insert into numbers select n, repeat('x', 200) from ("
                        + numbers.replace("select i", "select i as n")
                                .replace("select x", "select x as n")
                                .replace("select seq", "select seq as n")
                        + ") s");
    }

    /** A view whose rows the database works on for minutes. */
    private static void addSlowView(TestDatabase server) {
        server.execute(
                switch (server.kind()) {
                    case POSTGRESQL -> "create view slow as select pg_sleep(60)::text as n";
                    case MARIADB, MYSQL -> "create view slow as select sleep(60) as n";
                    case H2 ->
                            throw new IllegalArgumentException(
                                    "a view that computes can't be cancelled");
                });
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void cursor_readToItsEnd_givesTheConnectionBackBeforeClose(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            fill(server);
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            source.calls.clear();
            try (Cursor cursor = database.open(Plan.of(database.table("numbers")).limit(3))) {
                assertThat(source.calls).as("nothing before the first row").isEmpty();
                while (cursor.next()) {
                    assertThat(source.open).isNotEmpty();
                }
                assertThat(source.open).isEmpty();
                assertThat(cursor.next()).isFalse();
            }
            assertThat(source.calls).doesNotContain("statement.cancel", "connection.abort");
            assertThat(source.calls.stream().filter("connection.close"::equals)).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void cursor_closedInTheMiddle_closesInOrderAndOnce(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            fill(server);
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            source.calls.clear();
            // With a bound value, for which PostgreSQL needs a transaction.
            Cursor cursor =
                    database.open(
                            Plan.of(database.table("numbers"))
                                    .where(
                                            new Predicate.Comparison(
                                                    key(database),
                                                    Predicate.Comparator.GREATER_OR_EQUAL,
                                                    0)));
            assertThat(cursor.next()).isTrue();
            source.calls.clear();
            cursor.close();
            cursor.close();
            List<String> order =
                    switch (kind) {
                        case POSTGRESQL -> // the driver's own cancel is not seen here
                                List.of(
                                        "connection.rollback",
                                        "connection.abort",
                                        "connection.close");
                        case MARIADB, MYSQL ->
                                List.of(
                                        "statement.cancel",
                                        "rows.close",
                                        "statement.close",
                                        "connection.abort",
                                        "connection.close");
                        case H2 ->
                                List.of(
                                        "rows.close",
                                        "statement.close",
                                        "connection.rollback",
                                        "statement.close",
                                        "connection.close");
                    };
            assertThat(source.calls).containsSubsequence(order);
            assertThat(source.calls.stream().filter("connection.close"::equals)).hasSize(1);
            assertThat(source.open).isEmpty();
            assertThrows(QueryException.class, cursor::next);
        }
    }

    /** In a view, for there the next query has the same connection; with rows of one batch, and with more. */
    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, 1",
        "POSTGRESQL, 1000",
        "MARIADB, 1",
        "MARIADB, 1000",
        "MYSQL, 1",
        "MYSQL, 1000"
    })
    void cursor_closedAfterItsLastRow_keepsTheConnection(Kind kind, int rows) throws SQLException {
        try (TestDatabase server = TestDatabase.create(kind)) {
            fill(server);
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            Table numbers = database.table("numbers");
            source.calls.clear();
            try (ConsistentView view = database.view(1, List.of(numbers))) {
                for (int i = 0; i < 3; i++) {
                    try (Cursor cursor = view.database().open(Plan.of(numbers).limit(rows))) {
                        for (int row = 0; row < rows; row++) {
                            assertThat(cursor.next()).isTrue();
                        }
                    }
                }
                for (Object each : source.open) {
                    assertThat(((Connection) each).getNetworkTimeout()).isZero();
                }
            }
            assertThat(source.calls).doesNotContain("statement.cancel", "connection.abort");
            assertThat(source.open).isEmpty();
        }
    }

    private static String key(Database database) {
        return database.table("numbers").primaryKey().getFirst();
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void cancel_whileTheDatabaseWorks_endsTheQueryThereWithinASecond(Kind kind) throws Exception {
        try (TestDatabase server = TestDatabase.create(kind)) {
            addSlowView(server);
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            // The best of many: what else runs on the machine is not what is measured.
            long best = Long.MAX_VALUE;
            for (int attempt = 0; attempt < 20 && best >= 1000; attempt++) {
                best = Math.min(best, millisecondsToCancel(server, source, database));
            }
            assertThat(best).isLessThan(1000);
        }
    }

    /** How long a query goes on in the database after it has been cancelled. */
    private static long millisecondsToCancel(
            TestDatabase server, RecordingDataSource source, Database database) throws Exception {
        source.calls.clear();
        Cursor cursor = database.open(Plan.of(database.table("slow")));
        CompletableFuture<QueryException> failure =
                CompletableFuture.supplyAsync(
                        () -> assertThrows(QueryException.class, cursor::next));
        await(() -> isWorking(server));
        long start = System.nanoTime();
        cursor.cancel();
        assertThat(failure.get(60, TimeUnit.SECONDS).kind())
                .isEqualTo(QueryException.Kind.CANCELLED);
        await(() -> !isWorking(server));
        long milliseconds = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        cursor.close();
        assertThat(source.open).isEmpty();
        assertThat(source.calls).contains("connection.abort");
        return milliseconds;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void cancel_beforeTheFirstRow_isNoticed(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            fill(server);
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            source.calls.clear();
            try (Cursor cursor = database.open(Plan.of(database.table("numbers")))) {
                cursor.cancel();
                QueryException failure = assertThrows(QueryException.class, cursor::next);
                assertThat(failure.kind()).isEqualTo(QueryException.Kind.CANCELLED);
            }
            assertThat(source.calls).isEmpty();
        }
    }

    /** A cancel at any moment hits this query or nothing: the next user of the pooled connection never sees it. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void cancel_atAnyMoment_leavesThePoolUsable(Kind kind) throws Exception {
        try (TestDatabase server = TestDatabase.create(kind);
                com.zaxxer.hikari.HikariDataSource pool =
                        new com.zaxxer.hikari.HikariDataSource()) {
            fill(server);
            pool.setDataSource(server.dataSource());
            pool.setMaximumPoolSize(2);
            Database database = Database.builder(pool).evictor(pool::evictConnection).connect();
            Plan plan = Plan.of(database.table("numbers")).limit(20_000);
            java.util.Random random = new java.util.Random(7);
            int tries = kind == Kind.POSTGRESQL ? 150 : 40;
            for (int i = 0; i < tries; i++) {
                // Most faults hide in the first moments, while the query starts.
                long delay = random.nextInt(i % 2 == 0 ? 3_000_000 : 20_000_000);
                try (Cursor cursor = database.open(plan)) {
                    Thread canceller =
                            Thread.ofVirtual()
                                    .start(() -> {
                                        java.util.concurrent.locks.LockSupport.parkNanos(delay);
                                        cursor.cancel();
                                    });
                    int rows = 0;
                    try {
                        while (cursor.next()) {
                            rows++;
                        }
                        assertThat(rows).isEqualTo(20_000);
                    } catch (QueryException e) {
                        assertThat(e.kind()).isEqualTo(QueryException.Kind.CANCELLED);
                    }
                    canceller.join();
                }
                assertThat(Rows.texts(database, plan.count())).containsExactly(List.of("20000"));
            }
            await(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
        }
    }

    /** Whoever reads may notice a cancel before it was sent; closing must not read millions of rows then. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void cancel_byTheReaderItself_readsNoRestAndEvicts(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    kind == Kind.POSTGRESQL
                            ? "create view many as select generate_series(1, 50000000) as n"
                            : "create view many as select seq as n from seq_1_to_50000000");
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            long best = Long.MAX_VALUE;
            for (int i = 0; i < 3 || (i < 20 && best >= 3000); i++) {
                source.calls.clear();
                try (Cursor cursor = database.open(Plan.of(database.table("many")))) {
                    assertThat(cursor.next()).isTrue();
                    long start = System.nanoTime();
                    cursor.cancel();
                    QueryException failure = assertThrows(QueryException.class, cursor::next);
                    assertThat(failure.kind()).isEqualTo(QueryException.Kind.CANCELLED);
                    long nanos = System.nanoTime() - start;
                    best = Math.min(best, TimeUnit.NANOSECONDS.toMillis(nanos));
                }
                assertThat(source.calls).contains("connection.abort");
                assertThat(source.open).isEmpty();
            }
            assertThat(best).isLessThan(3000);
        }
    }

    @Test
    void rollback_thatFails_isReportedAndTheConnectionClosed() {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            fill(server);
            Database good = Database.connect(server.dataSource());
            assertThat(good.schema().tables()).hasSize(1);
            RecordingDataSource source =
                    new RecordingDataSource(
                            server.dataSource(), RecordingDataSource.Fault.FAILS_TO_ROLL_BACK);
            QueryException failure =
                    assertThrows(QueryException.class, () -> Database.connect(source));
            assertThat(failure).hasMessageContaining("the rollback failed");
            assertThat(source.open).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void driver_thatBuffers_isRefusedAtTheStart(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            RecordingDataSource source =
                    new RecordingDataSource(
                            server.dataSource(),
                            RecordingDataSource.Fault.IGNORES_FETCH_SIZE,
                            RecordingDataSource.Fault.CAN_NOT_BE_UNWRAPPED);
            QueryException failure =
                    assertThrows(QueryException.class, () -> Database.connect(source));
            assertThat(failure.kind()).isEqualTo(QueryException.Kind.NOT_STREAMING);
            assertThat(failure)
                    .hasMessageMatching("the driver .* reads whole results .*setFetchSize.*");
            assertThat(source.open).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void database_thatCanNotBeReached_isOneSentence(Kind kind) {
        String url =
                switch (kind) {
                    case POSTGRESQL -> "jdbc:postgresql://127.0.0.1:1/none";
                    case MARIADB -> "jdbc:mariadb://127.0.0.1:1/none";
                    case MYSQL -> "jdbc:mysql://127.0.0.1:1/none";
                    case H2 -> "jdbc:h2:tcp://127.0.0.1:1/none";
                };
        DataSource source = new UrlDataSource(url, "someone", "secret");
        QueryException failure = assertThrows(QueryException.class, () -> Database.connect(source));
        assertThat(failure.kind()).isEqualTo(QueryException.Kind.UNAVAILABLE);
        assertThat(failure.getMessage())
                .startsWith("no connection to the database: ")
                .doesNotContain("\n");
    }

    private static boolean isWorking(TestDatabase server) {
        String sql =
                server.kind() == Kind.POSTGRESQL
                        ? "select count(*) from pg_stat_activity where state = 'active' and query like 'COPY%slow%'"
                        : "select count(*) from information_schema.processlist where state = 'User sleep'";
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() && row.getInt(1) > 0;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
        }
    }
}
