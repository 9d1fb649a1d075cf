package dev.penstock.snapshot.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Evaluation;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.Edges;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.load.KeyRanges;
import dev.penstock.snapshot.load.RateLimiter;
import dev.penstock.snapshot.memory.Memory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table that is loaded in parts, or copied from another, is the same as one that is loaded at once. */
class TableBuilderTest {
    private static final Memory MEMORY = new Memory(Long.MAX_VALUE);

    @ParameterizedTest
    @EnumSource(Kind.class)
    void build_ofPartsOfEveryType_givesWhatTheCursorGives(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            Edges.create(server);
            Database database = Database.connect(server.dataSource());
            Table table = database.table("edges");
            String id = table.columns().getFirst().name();
            // A part of each row: every kind of value meets every other of its column.
            try (TableBuilder all = new TableBuilder(table, MEMORY)) {
                for (int row = 0; row < 40; row++) {
                    TableBuilder part = all.sibling();
                    Predicate one = new Predicate.Comparison(id, Comparator.EQUAL, row);
                    try (Cursor cursor = database.open(Plan.of(table).where(one))) {
                        part.addAll(cursor);
                    }
                    all.addAll(part);
                }
                StoredTable merged = all.build();
                StoredTableTest.requireSame(database, table, merged);
                StoredTableTest.requireSame(database, table, copied(table, merged));
            }
        }
    }

    /** Copied by halves, of which the second comes first. */
    private static StoredTable copied(Table table, StoredTable from) {
        try (TableBuilder copy = new TableBuilder(table, MEMORY)) {
            BitSet half = new BitSet();
            half.set(from.rows() / 2, from.rows());
            copy.addAll(from, half);
            half.clear();
            half.set(0, from.rows() / 2);
            copy.addAll(from, half);
            return copy.build();
        }
    }

    private static TestDatabase texts(int rows) {
        TestDatabase server = TestDatabase.create(Kind.H2);
        server.execute(
                "create table texts (id bigint primary key, word varchar(20), tale varchar(200),"
                        + " data varbinary(40)) as select x,"
                        + " 'word ' || mod(x, 100),"
                        + " case when mod(x, 1000) = 0 then null else 'A thoughtful tale of number '"
                        + " || x || ' who must meet number '"
                        + " || mod(x * 7919, 100003) || ' in the Canadian Rockies' end,"
                        + " hash('SHA-256', 'x' || x, 1) from system_range(1, "
                        + rows
                        + ")");
        return server;
    }

    @Test
    void build_ofManyTexts_compressesThemToAThird() {
        try (TestDatabase server = texts(100_000)) {
            Database database = Database.connect(server.dataSource());
            Table table = database.table("texts");
            StoredTable stored = StoredTableTest.stored(database, table);
            StoredTableTest.requireSame(database, table, stored);
            TextColumn tales = (TextColumn) stored.columns().get(2);
            assertThat(tales.tokens()).isNotNull();
            assertThat(tales.nulls()).isEqualTo(100);
            long bytes = 0;
            for (int row = 0; row < tales.rows(); row++) {
                bytes += tales.isNull(row) ? 0 : tales.reader().key(row).length();
            }
            assertThat((double) tales.strings().bytes().byteSize() / bytes).isLessThan(0.34);
            TextColumn hashes = (TextColumn) stored.columns().get(3);
            assertThat(hashes.tokens()).isNull();
        }
    }

    @Test
    void build_ofPartsOfManyTexts_givesWhatTheCursorGives() {
        try (TestDatabase server = texts(150_000)) {
            Database database = Database.connect(server.dataSource());
            Table table = database.table("texts");
            Column id = table.columns().getFirst();
            List<TableBuilder> parts = new ArrayList<>();
            try (TableBuilder all = new TableBuilder(table, MEMORY)) {
                // The last part comes first, and one of them is too small to learn from.
                for (long[] range : new long[][] {{100_000, 150_001}, {0, 100}, {100, 100_000}}) {
                    Predicate from =
                            new Predicate.Comparison(
                                    id.name(), Comparator.GREATER_OR_EQUAL, range[0]);
                    Predicate to = new Predicate.Comparison(id.name(), Comparator.LESS, range[1]);
                    TableBuilder part = all.sibling();
                    parts.add(part);
                    try (Cursor cursor =
                            database.open(
                                    Plan.of(table).where(new Predicate.And(List.of(from, to))))) {
                        part.addAll(cursor);
                    }
                }
                parts.forEach(all::addAll);
                StoredTableTest.requireSame(database, table, all.build());
            }
        }
    }

    @Test
    void ranges_ofAnyKeys_takeEachKeyOnce() {
        Column key = new Column("id", ColumnType.LONG, "bigint", false, 20);
        long[][] extremes = {
            {0, 20_000},
            {-100_000, 5},
            {Long.MIN_VALUE, Long.MAX_VALUE},
            {Long.MAX_VALUE - 50_000, Long.MAX_VALUE}
        };
        for (long[] extreme : extremes) {
            List<Predicate> ranges = KeyRanges.cut(key, extreme[0], extreme[1], 8);
            assertThat(ranges).hasSize(8);
            long middle = extreme[0] / 2 + extreme[1] / 2;
            LongStream.of(extreme[0], extreme[0] + 1, middle, extreme[1] - 1, extreme[1])
                    .forEach(value ->
                            assertThat(ranges)
                                    .filteredOn(range -> Evaluation.test(range, _ -> value))
                                    .hasSize(1));
        }
        assertThat(KeyRanges.cut(key, 1, 100, 8)).containsExactly(Predicate.ALL);
    }

    @Test
    void rate_ofRows_isKeptByWaiting() {
        long[] now = {0};
        List<Long> waits = new ArrayList<>();
        RateLimiter rate =
                new RateLimiter(
                        1000,
                        () -> now[0],
                        nanos -> {
                            waits.add(nanos);
                            now[0] += nanos;
                        });
        rate.passed(100, () -> false);
        rate.passed(200, () -> false);
        now[0] += 1_000_000_000L;
        rate.passed(100, () -> false);
        assertThat(waits).containsExactly(100_000_000L, 200_000_000L, 100_000_000L);
    }

    @Test
    void rate_whileItWaits_looksWhetherToGoOn() {
        long[] now = {0};
        RateLimiter rate = new RateLimiter(1, () -> now[0], nanos -> now[0] += nanos);
        rate.passed(256, () -> now[0] > 1_000_000_000L);
        assertThat(now[0]).isLessThan(1_500_000_000L);
    }
}
