package dev.penstock.snapshot.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.build.StoredTableTest;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.load.TableMerge.Merged;
import dev.penstock.snapshot.memory.Memory;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of what counts as a change of a row that was read again, and of what two versions have in common. */
class TableMergeTest {
    private static final Memory MEMORY = new Memory(Long.MAX_VALUE);

    private final TestDatabase server = TestDatabase.create(Kind.H2);
    private final Database database;
    private final Table notes;
    private final StoredTable before;

    TableMergeTest() {
        server.execute(
                "create table notes (id int primary key, word varchar(20), amount decimal(9,2), data varbinary(9),"
                        + " days date, ratio double)",
                "insert into notes select x, 'word ' || mod(x, 30), mod(x, 50) / 4.0,"
                        + " case mod(x, 3) when 0 then null else x'0102ff' end,"
                        + " dateadd(day, mod(x, 40), date '2020-01-01'), x / 7e0 from system_range(1, 100)");
        database = Database.connect(server.dataSource());
        notes = database.table("notes");
        before = StoredTableTest.stored(database, notes);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Merged after(String... statements) {
        server.execute(statements);
        StoredTable changed = StoredTableTest.stored(database, notes);
        Merged merged = TableMerge.of(before, changed, changed, null, MEMORY);
        StoredTableTest.requireSame(database, notes, merged.table());
        return merged;
    }

    private static RowChanges changes(Merged merged) {
        return Objects.requireNonNull(merged.changes());
    }

    @Test
    void rows_thatAreTheSame_areNoChange() {
        Merged merged = after();

        assertThat(merged.table()).isSameAs(before);
        assertThat(merged.changes()).isNull();
    }

    @Test
    void rows_ofWhichAColumnDiffers_shareTheOthers() {
        Merged merged =
                after(
                        "update notes set amount = 3.5 where id in (5, 50)",
                        "update notes set amount = null where id = 99");

        assertThat(changes(merged).changed()).isEqualTo(3);
        for (int i = 0; i < before.columns().size(); i++) {
            if (before.columns().get(i).column().name().equals("AMOUNT")) {
                assertThat(merged.table().columns().get(i)).isNotSameAs(before.columns().get(i));
            } else {
                assertThat(merged.table().columns().get(i)).isSameAs(before.columns().get(i));
            }
        }
    }

    @Test
    void bytes_textsAndNulls_areCompared() {
        Merged merged =
                after(
                        "update notes set data = x'0102fe' where id = 1",
                        "update notes set data = null where id = 2",
                        "update notes set data = x'' where id = 3",
                        "update notes set word = 'word' where id = 4",
                        "update notes set days = date '2020-03-01' where id = 5",
                        "update notes set ratio = -0.25 where id = 6");

        assertThat(changes(merged).changed()).isEqualTo(6);
    }

    @Test
    void rows_thatComeAndGo_shareNothing() {
        Merged moved =
                after("delete from notes where id = 7", "update notes set id = 0 where id = 8");

        assertThat(changes(moved).changed()).isOne();
        assertThat(changes(moved).rows()).isEqualTo(99);
        assertThat(moved.table().columns()).doesNotContainAnyElementsOf(before.columns());
    }

    @Test
    void row_inThePlaceOfAnother_sharesAllButTheKey() {
        Merged merged =
                after(
                        "delete from notes where id = 100",
                        "insert into notes select 101, word, amount, data, days, 100 / 7e0 from notes where id = 1",
                        "update notes set word = 'word 10', amount = 0, days = dateadd(day, 20, date '2020-01-01')"
                                + " where id = 101");

        assertThat(changes(merged).isInPlace()).isTrue();
        assertThat(changes(merged).changed()).isOne();
        assertThat(merged.table().columns().getFirst()).isNotSameAs(before.columns().getFirst());
        assertThat(merged.table().columns().get(1)).isSameAs(before.columns().get(1));
    }

    @Test
    void rows_ofWhichMostDiffer_areBuiltAnew() {
        Merged merged = after("update notes set word = 'new ' || id where mod(id, 3) > 0");

        assertThat(merged.changes()).isNull();
        assertThat(merged.table().rows()).isEqualTo(100);
    }
}
