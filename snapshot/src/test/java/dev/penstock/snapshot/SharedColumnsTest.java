package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import dev.penstock.snapshot.index.IndexedColumn;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Columns whose values a refresh leaves as they were are those of the version before, with their indexes. */
class SharedColumnsTest {
    private static final int ROWS = 20_000;
    private static final int VERSIONS = 40;

    /** Much less than so many versions would take that had nothing in common. */
    private static final long LIMIT = 24_000_000;

    private static TestDatabase tales() {
        TestDatabase server = TestDatabase.create(Kind.H2);
        server.execute(
                "create table tales (id int primary key, tale varchar(500), amount int, changed bigint not null)",
                "insert into tales select x, mod(x * 7919, 20011) || ' is the number of a tale of '"
                        + " || repeat(char(65 + mod(x, 26)) || x, 60), mod(x, 100), 1"
                        + " from system_range(1, "
                        + ROWS
                        + ")");
        return server;
    }

    private static String sum(Engine engine, Table tales) {
        Plan plan =
                Plan.of(tales)
                        .aggregate(
                                List.of(),
                                List.of(Aggregate.of(Aggregate.Function.SUM, "AMOUNT", "sum")));
        return Rows.texts(engine, plan).toString();
    }

    private static String startingWith(Engine engine, Table tales, String start) {
        Predicate condition =
                new Predicate.Text("TALE", Predicate.TextOperation.STARTS_WITH, start, false);
        return Rows.texts(engine, Plan.of(tales).where(condition)).toString();
    }

    /** Counting looks at every cell, and where a table follows its database there are many versions. */
    @Test
    void statistics_afterARefresh_countWhatHasChanged() {
        try (TestDatabase server = tales()) {
            Database database = Database.connect(server.dataSource());
            Table tales = database.table("tales");
            try (Snapshot snapshot =
                    Snapshot.of(database).incremental(tales, "CHANGED", true).load()) {
                List<TableStatistics> before = snapshot.statistics();
                server.execute("update tales set amount = 100, changed = 2 where mod(id, 500) = 0");
                snapshot.refresh();

                assertThat(counted(snapshot)).containsExactly(true, true, false, false);
                List<Long> distinct = distinct(snapshot.statistics());
                assertThat(distinct)
                        .startsWith(distinct(before).get(0), distinct(before).get(1))
                        .endsWith(101L, 2L);
                assertThat(counted(snapshot)).containsOnly(true);
            }
        }
    }

    private static List<Boolean> counted(Snapshot snapshot) {
        SnapshotEngine engine = snapshot.newest().engine();
        return engine.indexed(engine.schema().tables().getFirst()).columns().stream()
                .map(IndexedColumn::isCounted)
                .toList();
    }

    private static List<Long> distinct(List<TableStatistics> statistics) {
        return statistics.getFirst().columns().stream()
                .map(TableStatistics.ColumnStatistics::distinct)
                .toList();
    }

    @Test
    void refresh_ofOneColumn_takesTheMemoryOfThatColumn() {
        try (TestDatabase server = tales()) {
            Database database = Database.connect(server.dataSource());
            Table tales = database.table("tales");
            try (Snapshot snapshot =
                    Snapshot.of(database)
                            .incremental(tales, "CHANGED", true)
                            .index(tales, List.of("tale"))
                            .keep(VERSIONS)
                            .memory(LIMIT)
                            .load()) {
                assertThat(snapshot.version().bytes() * VERSIONS).isGreaterThan(2 * LIMIT);
                List<String> sums = new ArrayList<>(List.of(sum(snapshot.engine(), tales)));
                String tale = startingWith(snapshot.engine(), tales, "7919 is");
                for (int version = 2; version < VERSIONS; version++) {
                    server.execute(
                            "update tales set amount = amount + 1, changed = %d where mod(id, 50) = 0"
                                    .formatted(version));
                    snapshot.refresh();
                    sums.add(sum(database, tales));
                }
                for (int version = 1; version < VERSIONS; version++) {
                    Engine kept = snapshot.at(version);
                    assertThat(sum(kept, tales)).isEqualTo(sums.get(version - 1));
                    assertThat(startingWith(kept, tales, "7919 is")).isEqualTo(tale);
                }

                server.execute(
                        "update tales set tale = '7919 is no number', changed = %d where mod(id, 500) = 7"
                                .formatted(VERSIONS));
                snapshot.refresh();

                assertThat(startingWith(snapshot.engine(), tales, "7919 is"))
                        .isEqualTo(startingWith(database, tales, "7919 is"))
                        .isNotEqualTo(tale);
                assertThat(startingWith(snapshot.at(VERSIONS - 1), tales, "7919 is"))
                        .isEqualTo(tale);
            }
        }
    }
}
