package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.PinnedEngine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The memory of a version goes when its last user has closed what it had, and not before. Whatever the garbage
 * collector would free is kept from it by a pinned version or cursor that can be reached.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class VersionLifetimeTest {
    /** So many that a column takes more than the least that comes in pages. */
    private static final int ROWS = 300_000;

    private final TestDatabase server = TestDatabase.create(Kind.H2);
    private final Database database = created(server);
    private final Table counters = database.table("counters");
    private int refreshes;

    private static Database created(TestDatabase server) {
        server.execute(
                "create table counters (id int primary key, amount int not null, changed bigint not null)",
                "insert into counters select x, mod(x * 7919, 300007), x from system_range(1, %d)"
                        .formatted(ROWS));
        return Database.connect(server.dataSource());
    }

    private Snapshot loaded() {
        return Snapshot.of(database)
                .incremental(counters, "CHANGED", false)
                .index(counters, List.of("AMOUNT"))
                .load();
    }

    /** Changes one row, and has it loaded. */
    private void refresh(Snapshot snapshot) {
        refreshes++;
        server.execute(
                "update counters set amount = -%d, changed = %d where id = %d"
                        .formatted(refreshes, ROWS + refreshes, refreshes));
        snapshot.refresh();
    }

    private Plan amounts() {
        return Plan.of(counters).select(List.of(new Plan.Item("AMOUNT", "AMOUNT")));
    }

    private static long sum(Cursor cursor) {
        long sum = 0;
        while (cursor.next()) {
            sum += cursor.getLong(0);
        }
        return sum;
    }

    private long sum(Engine engine) {
        try (Cursor cursor = engine.open(amounts())) {
            return sum(cursor);
        }
    }

    /** Waits until no more is in use than before, but for what is too little to be given back at once. */
    private static void awaitUse(Snapshot snapshot, long before) {
        long most = before + before / 10;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (snapshot.memoryUsed() > most && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(snapshot.memoryUsed()).isLessThanOrEqualTo(most);
    }

    @Test
    void cursor_thatIsOpen_readsItsVersionToTheEndAndKeepsItUntilItIsClosed() {
        try (server;
                Snapshot snapshot = loaded()) {
            long sum = sum(snapshot.engine());
            Cursor cursor = snapshot.engine().open(amounts());
            assertThat(cursor.next()).isTrue();
            long first = cursor.getLong(0);
            long before = snapshot.memoryUsed();
            for (int i = 0; i < 3; i++) {
                refresh(snapshot);
            }
            long changed = sum(snapshot.engine());
            assertThat(changed).isLessThan(sum);
            assertThat(first + sum(cursor)).isEqualTo(sum);
            assertThat(snapshot.memoryUsed()).isGreaterThan(before + before / 4);
            cursor.close();
            cursor.close();

            awaitUse(snapshot, before);
            assertThat(sum(snapshot.engine())).isEqualTo(changed);
            assertThatThrownBy(cursor::next).hasMessageContaining("closed");
        }
    }

    @Test
    void pinnedVersion_stays_untilItIsClosed() {
        try (server;
                Snapshot snapshot = loaded()) {
            long sum = sum(snapshot.engine());
            long before = snapshot.memoryUsed();
            PinnedVersion pinned = snapshot.pin();
            try (PinnedEngine same = pinned.engine().pinned()) {
                refresh(snapshot);
                refresh(snapshot);
                assertThat(sum(same.engine())).isEqualTo(sum);
            }
            assertThat(sum(pinned.engine())).isEqualTo(sum);
            Cursor cursor = pinned.engine().open(amounts());
            pinned.close();
            pinned.close();
            assertThat(sum(cursor)).isEqualTo(sum);
            assertThat(snapshot.memoryUsed()).isGreaterThan(before + before / 4);
            cursor.close();

            awaitUse(snapshot, before);
            requireClosed(() -> sum(pinned.engine()));
            requireClosed(() -> pinned.engine().explain(amounts()));
            requireClosed(() -> pinned.engine().pinned().close());
        }
    }

    @Test
    void refreshEvery_whileTheVersionThatWentLastIsRead_waitsForItsEndATenthOfASecond() {
        try (server;
                Snapshot snapshot = loaded();
                PinnedVersion read = snapshot.pin()) {
            refresh(snapshot);
            long start = System.nanoTime();
            try (ScheduledRefresh schedule = snapshot.refreshEvery(Duration.ofNanos(1))) {
                while (schedule.lastSuccess().isEmpty()) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThan(Duration.ofMillis(100));
            assertThat(sum(read.engine())).isNotEqualTo(sum(snapshot.engine()));
        }
    }

    private static void requireClosed(ThrowingCallable asking) {
        assertThatThrownBy(asking)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the pinned version is closed");
    }

    @Test
    void pinnedDatabase_keepsNoVersion() {
        try (server) {
            server.execute("create table others (id int primary key)");
            Database both = Database.connect(server.dataSource());
            try (Snapshot snapshot =
                    Snapshot.of(both).incremental(counters, "CHANGED", false).load()) {
                long before = snapshot.memoryUsed();
                Plan plan = Plan.of(both.table("others"));
                try (PinnedEngine read = snapshot.engine().pinned(plan);
                        Cursor cursor = read.engine().open(plan)) {
                    refresh(snapshot);
                    awaitUse(snapshot, before);
                    assertThat(cursor.next()).isFalse();
                }
            }
        }
    }

    @Test
    void refresh_thatFailsForWantOfMemory_leavesWhatTheVersionBeforeHas() {
        try (server;
                Snapshot first = loaded()) {
            long most = first.memoryUsed() + first.memoryUsed() / 4;
            try (Snapshot snapshot =
                    Snapshot.of(database)
                            .incremental(counters, "CHANGED", false)
                            .index(counters, List.of("AMOUNT"))
                            .memory(most)
                            .load()) {
                long sum = sum(snapshot.engine());
                long before = snapshot.memoryUsed();
                for (int i = 0; i < 3; i++) {
                    assertThatThrownBy(() -> refresh(snapshot))
                            .isInstanceOf(QueryException.class)
                            .hasMessageContaining("its limit is");
                    assertThat(sum(snapshot.engine())).isEqualTo(sum);
                }
                awaitUse(snapshot, before);
            }
        }
    }

    @Test
    void columns_thatNoRefreshChanges_areThoseOfAllVersions() {
        try (server;
                Snapshot snapshot = loaded()) {
            long before = snapshot.memoryUsed();
            for (int i = 0; i < 20; i++) {
                refresh(snapshot);
                awaitUse(snapshot, before);
                assertThat(snapshot.engine().estimate(counters, Predicate.ALL)).hasValue(ROWS);
            }
        }
    }

    @Test
    void close_ofTheSnapshot_leavesWhatIsPinnedOrOpen() {
        try (server) {
            Snapshot snapshot = loaded();
            long sum = sum(snapshot.engine());
            PinnedVersion pinned = snapshot.pin();
            Cursor cursor = snapshot.engine().open(amounts());
            snapshot.close();
            snapshot.close();

            assertThat(sum(cursor)).isEqualTo(sum);
            cursor.close();
            assertThat(sum(pinned.engine())).isEqualTo(sum);
            assertThat(snapshot.memoryUsed()).isGreaterThan(2_000_000);
            pinned.close();
            awaitUse(snapshot, 1_000_000);
            assertThatThrownBy(() -> sum(snapshot.engine()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the snapshot is closed");
        }
    }
}
