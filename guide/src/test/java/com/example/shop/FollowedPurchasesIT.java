package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.Snapshot;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Following as page 3 of the guide has it: a committed change comes to memory by itself. */
class FollowedPurchasesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static long open(Snapshot snapshot) {
        return snapshot.table(Purchase.TABLE).stream()
                .filter(Purchase.STATUS.equal("open"))
                .count();
    }

    private static boolean comes(BooleanSupplier expected) {
        long start = System.nanoTime();
        while (!expected.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    @Test
    void followed_afterACommit_hasTheChangeWithoutARefreshByTheProgram() {
        try (TestDatabase server = TestDatabase.createLogged(TestDatabase.Kind.POSTGRESQL)) {
            server.execute(
                    "create table customer (id int primary key, name varchar(40) not null, city varchar(40))",
                    "insert into customer values (1, 'Customer 1', 'Lyon')",
                    "create table purchase (id int primary key, customer_id int not null references customer,"
                            + " placed date not null, status varchar(10) not null, total decimal(10, 2) not null)",
                    "insert into purchase select n, 1, date '2026-01-01', 'open', n from generate_series(1, 100) n");
            Properties login = new Properties();
            login.setProperty("user", server.user());
            login.setProperty("password", server.password());
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = FollowedPurchases.followed(database, server.url(), login)) {
                assertThat(open(snapshot)).isEqualTo(100);
                server.execute("update purchase set status = 'paid' where id <= 30");
                assertThat(comes(() -> open(snapshot) == 70)).isTrue();
                server.execute("delete from purchase where id = 100");
                assertThat(comes(() -> open(snapshot) == 69)).isTrue();
            }
        }
    }
}
