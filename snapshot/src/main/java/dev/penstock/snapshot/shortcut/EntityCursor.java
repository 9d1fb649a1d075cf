package dev.penstock.snapshot.shortcut;

import dev.penstock.query.Column;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.snapshot.column.CellCursor;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.index.IndexedColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cursor of a few rows of a table, with the columns of an entity's fields. It goes back to {@link EntityCursors} when
 * it is closed. Used by one thread at a time.
 */
final class EntityCursor extends CellCursor {
    private final Entity<?> entity;
    private final EntityCursors home;
    private final List<Column> columns;
    private final StoredColumn[] stored;
    private final CellReader[] readers;

    /** The rows that it has; null for one alone. */
    private int @Nullable [] rows;

    private int only;
    private int count;
    private int next;

    /** The present row; negative for none. */
    private int row = -1;

    private boolean isClosed;

    EntityCursor(Entity<?> entity, List<IndexedColumn> columns, EntityCursors home) {
        this.entity = entity;
        this.home = home;
        this.columns = columns.stream().map(each -> each.stored().column()).toList();
        stored = columns.stream().map(IndexedColumn::stored).toArray(StoredColumn[]::new);
        readers = columns.stream().map(IndexedColumn::reader).toArray(CellReader[]::new);
    }

    Entity<?> entity() {
        return entity;
    }

    /** Has this row next, and no other; none where it is negative. */
    void go(int row) {
        only = row;
        start(null, row < 0 ? 0 : 1);
    }

    /** Has these rows next, one after the other. */
    void go(int[] rows) {
        start(rows, rows.length);
    }

    private void start(int @Nullable [] rows, int count) {
        this.rows = rows;
        this.count = count;
        next = 0;
        row = -1;
        isClosed = false;
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public boolean next() {
        if (next == count) {
            row = -1;
            return false;
        }
        row = rows == null ? only : rows[next];
        next++;
        return true;
    }

    @Override
    protected @Nullable CellReader reader(int column) {
        if (row < 0) {
            throw new IllegalStateException("a cursor is read that is on no row");
        }
        return readers[column];
    }

    @Override
    protected long cell(int column) {
        return stored[column].cell(row);
    }

    @Override
    public void cancel() {
        // There is nothing to wait for.
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        rows = null;
        row = -1;
        next = count;
        home.give(this);
    }
}
