package dev.penstock.snapshot.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Table;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tables of several versions have in common the columns that have not changed, with their indexes, and no more. */
class IndexedTableTest {
    private static final int ROWS = 5_000;
    private static final Memory MEMORY = new Memory(Long.MAX_VALUE);

    private static StoredColumn column(String name, int factor) {
        Longs codes = Longs.allocate(MEMORY, ROWS, 0, 9);
        for (int row = 0; row < ROWS; row++) {
            codes.set(row, (long) row * factor % 10);
        }
        return new CodedColumn(
                new Column(name, ColumnType.INT, "int", false, 10),
                codes,
                CodeRange.of(0, 9),
                0,
                new CodeEncoding.Whole(0));
    }

    private static StoredTable table(List<StoredColumn> columns) {
        List<Column> all = columns.stream().map(StoredColumn::column).toList();
        return new StoredTable(new Table(null, "t", all, List.of(), false), columns, ROWS);
    }

    private static List<StoredColumn> changed(List<StoredColumn> columns, int place) {
        List<StoredColumn> all = new ArrayList<>(columns);
        all.set(place, column(columns.get(place).column().name(), 7));
        return all;
    }

    private static CompositeIndex composite(IndexedTable table, int one, int other) {
        return Objects.requireNonNull(
                table.composite(List.of(table.columns().get(one), table.columns().get(other))));
    }

    @Test
    void nextVersion_ofOtherColumns_hasTheIndexesOfThoseThatAreTheSame() {
        List<StoredColumn> columns = List.of(column("a", 1), column("b", 3), column("c", 9));
        IndexedTable first = new IndexedTable(table(columns), MEMORY);
        RowIndex index = first.columns().get(1).index();
        CompositeIndex same = composite(first, 0, 1);
        CompositeIndex other = composite(first, 1, 2);

        IndexedTable next = new IndexedTable(table(changed(columns, 2)), MEMORY, first);

        assertThat(next.columns().get(1).index()).isSameAs(index);
        assertThat(next.columns().get(2)).isNotSameAs(first.columns().get(2));
        assertThat(composite(next, 0, 1)).isSameAs(same);
        assertThat(composite(next, 1, 2)).isNotSameAs(other);
    }

    @Test
    void composite_builtByAReaderOfTheVersionBefore_isTakenOver() {
        List<StoredColumn> columns = List.of(column("a", 1), column("b", 3), column("c", 9));
        IndexedTable first = new IndexedTable(table(columns), MEMORY);
        var _ = first.columns().get(2).counts();
        IndexedTable next = new IndexedTable(table(changed(columns, 2)), MEMORY, first);
        CompositeIndex late = composite(first, 0, 1);

        next.buildIndexesOf(first, null);

        assertThat(composite(next, 0, 1)).isSameAs(late);
    }

    /** Only this table is reachable from outside. */
    private static IndexedTable afterManyVersions(List<WeakReference<StoredColumn>> gone) {
        List<StoredColumn> columns = List.of(column("a", 1), column("b", 3), column("c", 9));
        IndexedTable table = new IndexedTable(table(columns), MEMORY);
        for (int version = 0; version < 6; version++) {
            // One index is made anew, the other is taken over, in turns.
            int place = version % 2 == 0 ? 1 : 2;
            var _ = composite(table, 0, 1);
            var _ = composite(table, 0, 2);
            gone.add(new WeakReference<>(columns.get(place)));
            columns = changed(columns, place);
            table = new IndexedTable(table(columns), MEMORY, table);
        }
        return table;
    }

    @Test
    void columns_ofVersionsBefore_goThoughOthersAreShared() {
        List<WeakReference<StoredColumn>> gone = new ArrayList<>();
        IndexedTable last = afterManyVersions(gone);
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (gone.stream().anyMatch(each -> each.get() != null) && System.nanoTime() < deadline) {
            System.gc();
        }
        assertThat(gone).allSatisfy(each -> assertThat(each.get()).isNull());
        assertThat(composite(last, 0, 1)).isNotNull();
    }
}
