package dev.penstock.snapshot.shortcut;

import dev.penstock.query.Column;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.Field;
import dev.penstock.snapshot.index.IndexedTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one version of a table, by field, with open addressing: a program has its fields once. Whoever reads a
 * slot that is being filled finds nothing there, or all of it. Fields that do not fit are left to plans. Thread-safe.
 */
public final class ShortcutColumns {
    private final IndexedTable table;
    private final EntityCursors cursors;
    private final int mask;
    private final @Nullable ShortcutColumn[] columns;

    public ShortcutColumns(IndexedTable table) {
        this.table = table;
        cursors = new EntityCursors(table);
        int size = Integer.highestOneBit(Math.max(1, table.columns().size())) * 8;
        mask = size - 1;
        columns = new ShortcutColumn[size];
    }

    /** Returns a cursor of one row for whoever closes it; null where the entity has other columns. */
    @Nullable EntityCursor cursor(Entity<?> entity) {
        return cursors.take(entity);
    }

    public IndexedTable table() {
        return table;
    }

    /** Returns the column of a field; null if there is none, or it does not fit. */
    @SuppressWarnings("ReferenceEquality") // whatever is not the same is searched for
    @Nullable ShortcutColumn column(Field<?, ?> field) {
        int slot = System.identityHashCode(field) & mask;
        ShortcutColumn column = columns[slot];
        return column != null && column.field() == field ? column : search(field, slot);
    }

    @SuppressWarnings("ReferenceEquality")
    private synchronized @Nullable ShortcutColumn search(Field<?, ?> field, int first) {
        for (int i = 0; i <= mask; i++) {
            int slot = (first + i) & mask;
            ShortcutColumn column = columns[slot];
            if (column == null) {
                ShortcutColumn made = made(field);
                // What has no counts yet is made again.
                boolean isToStay = made == null || !made.isBuilding();
                columns[slot] = isToStay ? made : null;
                return made;
            }
            if (column.field() == field) {
                return column;
            }
        }
        return null;
    }

    /** Of the exact column, else of the only one that equals it ignoring case, as {@link Schema#column} has it. */
    private @Nullable ShortcutColumn made(Field<?, ?> field) {
        Table stored = table.stored().table();
        Column column =
                new Schema(List.of(stored), false).column(stored, field.column()).orElse(null);
        return column == null
                ? null
                : new ShortcutColumn(field, table, stored.columns().indexOf(column));
    }
}
