package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Keyset;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Table;
import dev.penstock.snapshot.InMemory;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A list in memory that breaks off goes on with the row that would have come next. With {@code -Dpenstock.soak=true}
 * the long list has ten million rows.
 */
class SnapshotKeysetTest {
    private static final boolean SOAK = Boolean.getBoolean("penstock.soak");
    private static final int ROWS = SOAK ? 10_000_000 : 1_000_000;
    private static final int GROUPS = 1000;
    private static final int BREAKS = 100;

    @ParameterizedTest
    @CsvSource({"60, 100", "5000, 4"})
    void list_brokenOffAnywhere_goesOnBehindItsLastRow(int size, int orders) throws SQLException {
        Random random = new Random(KeysetConformanceTest.seed());
        List<Object[]> rows = DifferentialTest.data(Kind.H2, random, size);
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            DifferentialTest.fill(server, rows);
            Engine engine = InMemory.of(Database.connect(server.dataSource()));
            Table table = engine.schema().table("facts").orElseThrow();
            KeysetConformanceTest.requireContinued(engine, table, random, orders);
        }
    }

    /**
     * In groups of equal values, so that most breaks are within a group. More rows than H2's heap holds are
     * PostgreSQL's.
     */
    @Test
    void longList_brokenOffAHundredTimes_hasEachRowOnce() throws SQLException {
        try (TestDatabase server = TestDatabase.create(SOAK ? Kind.POSTGRESQL : Kind.H2)) {
            server.execute(
                    "create table steps (grp int not null, id int primary key)",
                    "insert into steps select mod(x, "
                            + GROUPS
                            + ") as g, x from "
                            + (SOAK ? "generate_series" : "system_range")
                            + "(0, "
                            + (ROWS - 1)
                            + ") as s(x) order by g, x",
                    "create index by_grp on steps (grp, id)",
                    "analyze");
            Database database = Database.connect(server.dataSource());
            requireEachRowOnce(database);
            requireEachRowOnce(InMemory.of(database));
        }
    }

    private static void requireEachRowOnce(Engine engine) {
        long seed = KeysetConformanceTest.seed();
        Random random = new Random(seed);
        int[] breaks = random.ints(BREAKS, 1, ROWS).sorted().toArray();
        Table table = engine.schema().table("steps").orElseThrow();
        String grp = table.columns().getFirst().name();
        Plan plan = Plan.of(table).orderBy(List.of(new Order(grp, false, false)));
        Keyset keyset = Keyset.of(plan).orElseThrow();
        Plan left = plan;
        int read = 0;
        for (int i = 0; i <= BREAKS; i++) {
            int end = i < BREAKS ? breaks[i] : Integer.MAX_VALUE;
            int group = -1;
            int id = -1;
            try (Cursor rows = engine.open(left)) {
                while (read < end && rows.next()) {
                    group = rows.getInt(0);
                    id = rows.getInt(1);
                    if (group != read / (ROWS / GROUPS)
                            || id != read % (ROWS / GROUPS) * GROUPS + group) {
                        throw new AssertionError(
                                "%s, -Dpenstock.seed=%d: row %d is (%d, %d), after break %d"
                                        .formatted(engine.name(), seed, read, group, id, i));
                    }
                    read++;
                }
            }
            left = id < 0 ? left : keyset.after(List.of(group, id));
        }
        assertThat(read).as(engine.name()).isEqualTo(ROWS);
    }
}
