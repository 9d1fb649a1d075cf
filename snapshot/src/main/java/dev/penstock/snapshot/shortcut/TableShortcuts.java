package dev.penstock.snapshot.shortcut;

import dev.penstock.query.Cursor;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldCondition;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.TextField;
import dev.penstock.query.typed.shortcut.Shortcuts;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shortcuts to a table of whichever version is the newest when they are taken. A call reads that once, keeps
 * nothing of it beyond its answer or the cursor that it gives, and allocates nothing but its answer. What every call
 * runs through is kept small, so that the compiler takes it into the stream's own code. Thread-safe.
 */
public final class TableShortcuts implements Shortcuts {
    private final ShortcutTables tables;
    private final int place;

    /**
     * @param tables those of the newest version
     * @param place which of them it is
     */
    public TableShortcuts(ShortcutTables tables, int place) {
        this.tables = tables;
        this.place = place;
    }

    @Override
    public long count(EnumField<?, ?> field, Comparator comparator, int ordinal) {
        ShortcutColumn column = tables.table(place).column(field);
        return column == null ? UNKNOWN : column.countConstant(comparator, ordinal);
    }

    @Override
    public long count(Field<?, ?> field, Comparator comparator, long number) {
        ShortcutColumn column = tables.table(place).column(field);
        return column == null ? UNKNOWN : column.countNumber(comparator, number);
    }

    @Override
    public long count(Field<?, ?> field, long least, long greatest) {
        ShortcutColumn column = tables.table(place).column(field);
        return column == null ? UNKNOWN : column.countBetween(least, greatest);
    }

    @Override
    public long count(TextField<?> field, String start) {
        ShortcutColumn column = tables.table(place).column(field);
        return column == null ? UNKNOWN : column.countStarting(start);
    }

    @Override
    public long count(FieldCondition<?> one, FieldCondition<?> other) {
        ShortcutColumns columns = tables.table(place);
        ShortcutColumn first = columns.column(one.field());
        ShortcutColumn second = columns.column(other.field());
        return first == null || second == null ? UNKNOWN : first.countWith(one, second, other);
    }

    @Override
    @SuppressWarnings("unchecked") // a field's column has its values
    public <V> @Nullable List<V> distinct(Field<?, V> field) {
        ShortcutColumn column = tables.table(place).column(field);
        return column == null ? null : (List<V>) column.distinct();
    }

    @Override
    public @Nullable Cursor first(Field<?, ?> field, long number, Entity<?> entity) {
        ShortcutColumns columns = tables.table(place);
        if (!columns.acquire()) {
            return null;
        }
        EntityCursor cursor = null;
        try {
            ShortcutColumn column = columns.column(field);
            int row = column == null ? ShortcutColumn.UNKNOWN_ROW : column.firstRow(number);
            cursor = row == ShortcutColumn.UNKNOWN_ROW ? null : columns.cursor(entity);
            if (cursor != null) {
                cursor.go(row);
            }
            return cursor;
        } finally {
            // With a cursor, its closing ends the use.
            if (cursor == null) {
                columns.release();
            }
        }
    }

    @Override
    public @Nullable Cursor rows(
            Field<?, ?> field, long[] numbers, boolean inOrder, Entity<?> entity) {
        ShortcutColumns columns = tables.table(place);
        if (!columns.acquire()) {
            return null;
        }
        EntityCursor cursor = null;
        try {
            ShortcutColumn column = columns.column(field);
            int[] rows = column == null ? null : column.rows(numbers);
            cursor = rows == null ? null : columns.cursor(entity);
            if (rows != null && cursor != null) {
                if (!inOrder) {
                    Arrays.sort(rows);
                }
                cursor.go(rows);
            }
            return cursor;
        } finally {
            if (cursor == null) {
                columns.release();
            }
        }
    }

    @Override
    public long extreme(IntField<?> field, boolean greatest) {
        ShortcutColumn column = tables.table(place).column(field);
        return column == null ? UNKNOWN_NUMBER : column.extreme(greatest);
    }

    @Override
    public @Nullable IntSummaryStatistics statistics(
            IntField<?> of, Field<?, ?> order, boolean descending, long skip, long limit) {
        ShortcutColumns columns = tables.table(place);
        ShortcutColumn values = columns.column(of);
        ShortcutColumn by = columns.column(order);
        return values == null || by == null ? null : by.statistics(values, descending, skip, limit);
    }
}
