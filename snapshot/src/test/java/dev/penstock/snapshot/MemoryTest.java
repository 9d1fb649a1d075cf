package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.memory.Memory;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory is counted before it is taken, and what nobody can reach any more does not count. */
class MemoryTest {
    @Test
    void allocate_againAndAgainWithNothingKept_neverReachesTheLimit() {
        Memory memory = new Memory(1_000_000);
        for (int i = 0; i < 100; i++) {
            assertThat(memory.allocate(100_000, 8).byteSize()).isEqualTo(100_000);
        }
        assertThat(memory.used()).isLessThanOrEqualTo(1_000_000);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void allocate_ofWhatCanNotBeHad_failsSoonEachTime() {
        Memory memory = new Memory(1_000_000);
        try (Memory.Scratch scratch = memory.scratch()) {
            scratch.allocate(900_000, 8);
            for (int i = 0; i < 1_000; i++) {
                assertThatThrownBy(() -> memory.allocate(200_000, 8))
                        .isInstanceOfSatisfying(
                                QueryException.class,
                                e ->
                                        assertThat(e.kind())
                                                .isEqualTo(QueryException.Kind.MEMORY_LIMIT))
                        .hasMessageContaining("has 900,000 bytes and needs 200,000 more");
            }
        }
        assertThat(memory.used()).isZero();
    }

    @Test
    void allocate_afterAnIndexWasRefused_isNotRefusedForThat() {
        Memory memory = new Memory(1_000_000);
        Memory indexes = memory.forIndexes();
        try (Memory.Scratch scratch = memory.scratch()) {
            scratch.allocate(500_000, 8);
            assertThatThrownBy(() -> indexes.allocate(900_000, 8))
                    .isInstanceOf(QueryException.class);
            // Each has to wait until the one before is found to be reached by nobody.
            for (int i = 0; i < 4; i++) {
                assertThat(memory.allocate(400_000, 8).byteSize()).isEqualTo(400_000);
            }
        }
    }

    @Test
    void allocate_whileOthersAskForTooMuch_isNotRefusedForThat() throws Exception {
        Memory memory = new Memory(1_000_000);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            var greedy =
                    threads.submit(() -> {
                        for (int i = 0; i < 100_000; i++) {
                            assertThatThrownBy(() -> memory.scratch().allocate(2_000_000, 8))
                                    .isInstanceOf(QueryException.class);
                        }
                    });
            var modest =
                    threads.submit(() -> {
                        while (!greedy.isDone()) {
                            try (Memory.Scratch scratch = memory.scratch()) {
                                scratch.allocate(10_000, 8);
                            }
                        }
                    });
            greedy.get();
            modest.get();
        }
        assertThat(memory.used()).isZero();
    }

    private static long first(Engine engine, Plan plan) {
        try (Cursor cursor = engine.open(plan)) {
            assertThat(cursor.next()).isTrue();
            return cursor.getLong(0);
        }
    }

    @Test
    void indexes_thatWouldFillTheMemory_leaveRoomForTheNextVersion() {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            StringBuilder create = new StringBuilder("create table wide (id int primary key");
            StringBuilder fill = new StringBuilder("insert into wide select x");
            for (int i = 0; i < 20; i++) {
                create.append(", c").append(i).append(" int");
                fill.append(", x * 7919 % ").append(200 + i);
            }
            server.execute(create + ")", fill + " from system_range(1, 50000)");
            Database database = Database.connect(server.dataSource());
            Table wide = database.table("wide");
            try (Snapshot snapshot =
                    Snapshot.of(database).table(wide).memory(4_200_000).connections(1).load()) {
                assertThat(snapshot.version().bytes()).isBetween(1_000_000L, 1_500_000L);
                for (int refresh = 0; refresh < 3; refresh++) {
                    for (int i = 0; i < 20; i++) {
                        Plan sorted =
                                Plan.of(wide)
                                        .orderBy(List.of(new Order("C" + i, true, false)))
                                        .limit(3);
                        assertThat(first(snapshot.engine(), sorted)).isPositive();
                    }
                    assertThat(snapshot.refresh().rows()).isEqualTo(50_000);
                }
            }
        }
    }
}
