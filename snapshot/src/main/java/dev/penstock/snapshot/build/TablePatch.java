package dev.penstock.snapshot.build;

import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.work.Pace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The next version of a table of which little has changed: columns whose values are all as before are taken over, and
 * the others are made of copies of what has not changed, in the form in which they are kept.
 */
public final class TablePatch {
    private TablePatch() {}

    /**
     * Returns the next version; null where a changed value can't be kept in its column's form.
     *
     * @param changed the changed rows
     * @param changes where they go
     */
    public static @Nullable StoredTable of(
            StoredTable before, StoredTable changed, RowChanges changes, Memory memory) {
        List<StoredColumn> columns = new ArrayList<>();
        for (int i = 0; i < before.columns().size(); i++) {
            StoredColumn old = before.columns().get(i);
            StoredColumn now = changed.columns().get(i);
            StoredColumn column =
                    isAsBefore(old, now, changes) ? old : column(old, now, changes, memory);
            if (column == null) {
                return null;
            }
            columns.add(column);
        }
        return new StoredTable(before.table(), columns, changes.rows());
    }

    private static boolean isAsBefore(StoredColumn before, StoredColumn now, RowChanges changes) {
        if (!changes.isInPlace()) {
            return false;
        }
        CellReader old = new CellReader(before, "");
        CellReader changed = new CellReader(now, "");
        for (int i = 0; i < changes.changed(); i++) {
            if (!old.isSame(before.cell(changes.place(i)), changed, now.cell(i))) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable StoredColumn column(
            StoredColumn before, StoredColumn changed, RowChanges changes, Memory memory) {
        return switch (before) {
            case CodedColumn coded when coded.values().isEmpty() -> null;
            case CodedColumn coded when NumberPatch.takes(coded, changed) ->
                    new NumberPatch(coded, (CodedColumn) changed, changes).column(memory);
            case CodedColumn coded when DictionaryPatch.takes(coded) ->
                    new DictionaryPatch(coded, changed, changes).column(memory);
            case CodedColumn _ -> null;
            case TextColumn texts -> new TextPatch(texts, changed, changes).column(memory);
        };
    }

    /** Copies the numbers of rows that are kept, each as {@code now} has it where it is not null. */
    static void copy(Longs from, Longs to, RowChanges changes, @Nullable LongUnaryOperator now) {
        boolean isSame = now == null && from.width() == to.width() && from.base() == to.base();
        changes.each(
                new RowChanges.Receiver() {
                    @Override
                    public void kept(int old, int place, int count) {
                        Pace.step();
                        if (isSame) {
                            from.copy(old, to, place, count);
                            return;
                        }
                        for (int i = 0; i < count; i++) {
                            long number = from.get(old + i);
                            to.set(place + i, now == null ? number : now.applyAsLong(number));
                        }
                    }

                    @Override
                    public void changed(int index, int place) {
                        // They are written afterwards.
                    }
                });
    }

    /** A receiver of the codes of rows that are kept. */
    interface Codes {
        void take(long code);
    }

    static void each(Longs codes, RowChanges changes, Codes receiver) {
        changes.eachKept((from, count) -> {
            Pace.step();
            for (int row = from; row < from + count; row++) {
                receiver.take(codes.get(row));
            }
            return true;
        });
    }
}
