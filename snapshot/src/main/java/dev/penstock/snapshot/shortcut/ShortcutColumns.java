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
    private final Table whole;
    private final EntityCursors cursors;
    private final int mask;
    private final @Nullable ShortcutColumn[] columns;

    /**
     * @param whole the table with all its columns, in which a field's column is looked up; not all need be in memory
     */
    public ShortcutColumns(IndexedTable table, Table whole) {
        this.table = table;
        this.whole = whole;
        cursors = new EntityCursors(this);
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

    private @Nullable ShortcutColumn made(Field<?, ?> field) {
        int place = place(field);
        return place < 0 ? null : new ShortcutColumn(field, table, place);
    }

    /**
     * Returns the place of a field's column: of the exact one, else of the only one that equals it ignoring case, as
     * {@link Schema#column} has it; -1 if there is none, or it is not in memory.
     */
    int place(Field<?, ?> field) {
        Column named = new Schema(List.of(whole), false).column(whole, field.column()).orElse(null);
        return table.stored().table().columns().indexOf(named);
    }
}
