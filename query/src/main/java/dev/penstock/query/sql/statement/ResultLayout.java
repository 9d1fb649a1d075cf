package dev.penstock.query.sql.statement;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import java.util.ArrayList;
import java.util.List;

/**
 * The types and traits of each column of a result, the hidden ones included, in arrays that all cursors of one
 * template share. Nobody writes to them.
 */
public final class ResultLayout {
    /** How many columns are not hidden. */
    public final int visible;

    public final ColumnType[] types;

    /** Which may be NULL; nobody vouches for the columns of a view. */
    public final boolean[] nullable;

    /** Whose texts come with spaces at the end that are not part of them. */
    public final boolean[] padded;

    /** Decoded heap of the widest row that the SQL lets through, in bytes: about 16 a cell, and the data. */
    final long rowBytes;

    /** Whether a table that is read has a column of instants, so that the session's zone matters. */
    public final boolean hasInstants;

    private ResultLayout(int visible, int width, long rowBytes, boolean hasInstants) {
        this.visible = visible;
        this.rowBytes = rowBytes;
        this.hasInstants = hasInstants;
        types = new ColumnType[width];
        nullable = new boolean[width];
        padded = new boolean[width];
    }

    /**
     * Returns the layout of a result.
     *
     * @param hasInstants whether a table that is read has a column of instants, be it in a subselect
     */
    public static ResultLayout of(
            SqlTable table,
            List<Column> columns,
            List<SqlColumn> sources,
            WideColumns wide,
            boolean hasInstants) {
        List<SqlColumn> hidden = new ArrayList<>();
        if (wide.isGuarded()) {
            Column bytes = new Column("bytes", ColumnType.LONG, "bigint", true, 20);
            hidden.add(SqlColumn.plain(bytes, "", "", ""));
            hidden.addAll(wide.key());
            Column digest = new Column("digest", ColumnType.TEXT, "text", true, 64);
            for (int i = 0; wide.byContent() && i < wide.cells().size(); i++) {
                hidden.add(SqlColumn.plain(bytes, "", "", ""));
                hidden.add(SqlColumn.plain(digest, "", "", ""));
            }
        }
        ResultLayout layout =
                new ResultLayout(
                        columns.size(),
                        columns.size() + hidden.size(),
                        rowBytes(columns, wide),
                        hasInstants);
        for (int i = 0; i < layout.types.length; i++) {
            boolean shown = i < columns.size();
            SqlColumn source = shown ? sources.get(i) : hidden.get(i - columns.size());
            layout.types[i] = shown ? columns.get(i).type() : source.column().type();
            layout.nullable[i] = !shown || table.table().view() || columns.get(i).nullable();
            layout.padded[i] = source.padded();
        }
        return layout;
    }

    private static long rowBytes(List<Column> columns, WideColumns wide) {
        long bytes = 64;
        for (Column column : columns) {
            bytes += 16 + Math.min(column.maxBytes(), 1 << 20);
        }
        for (int cell : wide.cells()) {
            Column column = columns.get(cell);
            // A driver may get bytes in two digits each.
            int times = column.type() == ColumnType.BINARY ? 2 : 1;
            bytes += (long) times * wide.limit() - Math.min(column.maxBytes(), 1 << 20);
        }
        return bytes;
    }
}
