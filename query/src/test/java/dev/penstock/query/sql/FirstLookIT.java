package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of a first look at a database, as a pool sees it: nothing that it would warn of. */
class FirstLookIT {
    @ParameterizedTest
    @EnumSource(Kind.class)
    void connect_checkOfTheDriver_costsNoConnection(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            assertThat(Database.connect(source).name()).isNotEmpty();
            assertThat(source.calls).doesNotContain("statement.cancel", "connection.abort");
            assertThat(source.open).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void cursor_ofAPool_isGivenUpAsThePoolWantsIt(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    "create table numbers (n int primary key, filler varchar(2000))",
                    "insert into numbers values (1, 'x'), (2, 'x')");
            for (int rows = 2; rows < 20_000; rows *= 2) {
                server.execute(
                        "insert into numbers select n + "
                                + rows
                                + ", repeat('x', 1000) from numbers");
            }
            List<Connection> evicted = new CopyOnWriteArrayList<>();
            HikariConfig config = new HikariConfig();
            config.setDataSource(server.dataSource());
            config.setMaximumPoolSize(2);
            try (HikariDataSource pool =
                    new HikariDataSource(config) {
                        @Override
                        public void evictConnection(Connection connection) {
                            evicted.add(connection);
                            super.evictConnection(connection);
                        }
                    }) {
                Database database = Database.connect(pool);
                assertThat(evicted).isEmpty();
                try (Cursor cursor = database.open(Plan.of(database.table("numbers")))) {
                    assertThat(cursor.next()).isTrue();
                }
                assertThat(evicted).hasSize(1);
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            }
        }
    }
}
