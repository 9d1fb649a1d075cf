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
 * The columns of one version of a table, by field: a program has its fields once. Each has a slot of its own, because
 * whoever finds another field there has to search, and that alone is more code than the compiler leaves objects out of:
 * the slots become more until no two fields meet, within a bound, and only beyond that are they searched. Whoever reads
 * a slot that is being filled finds nothing there, or all of it. Fields that do not fit are left to plans. Thread-safe.
 */
public final class ShortcutColumns {
    /** The most slots, however often two fields meet. */
    private static final int MOST_SLOTS = 1 << 12;

    private final IndexedTable table;
    private final Table whole;
    private final EntityCursors cursors;
    private final int mostFields;

    /** Slots by the fields' hash codes; a power of two of them. Replaced by more, with the same in it. */
    private @Nullable ShortcutColumn[] columns;

    private int fields;

    /**
     * @param whole the table with all its columns, in which a field's column is looked up; not all need be in memory
     */
    public ShortcutColumns(IndexedTable table, Table whole) {
        this.table = table;
        this.whole = whole;
        cursors = new EntityCursors(this);
        mostFields = Integer.highestOneBit(Math.max(1, table.columns().size())) * 8;
        columns = new ShortcutColumn[mostFields];
    }

    /** Returns a cursor of one row for whoever closes it; null where the entity has other columns. */
    @Nullable EntityCursor cursor(Entity<?> entity) {
        return cursors.take(entity);
    }

    public IndexedTable table() {
        return table;
    }

    /** Takes part in the use of the table, until {@link #release}; returns false where it has ended. */
    boolean acquire() {
        return table.lifetime().acquire();
    }

    void release() {
        table.lifetime().release();
    }

    /** Returns the column of a field; null if there is none, it does not fit, or the table has ended. */
    @SuppressWarnings("ReferenceEquality") // whatever is not the same is searched for
    @Nullable ShortcutColumn column(Field<?, ?> field) {
        @Nullable ShortcutColumn[] slots = columns;
        ShortcutColumn column = slots[System.identityHashCode(field) & (slots.length - 1)];
        return column != null && column.field() == field ? column : search(field);
    }

    @SuppressWarnings("ReferenceEquality")
    private synchronized @Nullable ShortcutColumn search(Field<?, ?> field) {
        int hash = System.identityHashCode(field);
        while (isOfAnother(columns[hash & (columns.length - 1)], field)
                && columns.length < MOST_SLOTS) {
            columns = twice(columns);
        }
        int mask = columns.length - 1;
        for (int i = 0; i <= mask; i++) {
            int slot = (hash + i) & mask;
            ShortcutColumn column = columns[slot];
            if (column == null) {
                return fields < mostFields ? kept(slot, made(field)) : null;
            }
            if (column.field() == field) {
                return column;
            }
        }
        return null;
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean isOfAnother(@Nullable ShortcutColumn column, Field<?, ?> field) {
        return column != null && column.field() != field;
    }

    /** Returns twice as many slots. What had one of its own before has one after. */
    private static @Nullable ShortcutColumn[] twice(@Nullable ShortcutColumn[] slots) {
        @Nullable ShortcutColumn[] more = new ShortcutColumn[2 * slots.length];
        for (ShortcutColumn column : slots) {
            if (column != null) {
                more[System.identityHashCode(column.field()) & (more.length - 1)] = column;
            }
        }
        return more;
    }

    /** Keeps a column; what has no counts yet is made again. */
    private @Nullable ShortcutColumn kept(int slot, @Nullable ShortcutColumn made) {
        if (made != null && !made.isBuilding()) {
            columns[slot] = made;
            fields++;
        }
        return made;
    }

    private @Nullable ShortcutColumn made(Field<?, ?> field) {
        int place = place(field);
        if (place < 0 || !acquire()) {
            return null;
        }
        try {
            return new ShortcutColumn(field, table, place);
        } finally {
            release();
        }
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
