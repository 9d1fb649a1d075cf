package dev.penstock.query.sql;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import java.util.ArrayList;
import java.util.List;

/**
 * What a cursor has to know of each column of an answer, the hidden ones included, in arrays that all cursors of one template share. Nobody
 * writes to them.
 */
final class Layout {
    /** How many columns are not hidden. */
    final int visible;

    final ColumnType[] types;

    /** Which may be NULL; nobody vouches for the columns of a view. */
    final boolean[] nullable;

    /** Whose texts come with spaces at the end that are not part of them. */
    final boolean[] padded;

    private Layout(int visible, int width) {
        this.visible = visible;
        types = new ColumnType[width];
        nullable = new boolean[width];
        padded = new boolean[width];
    }

    static Layout of(
            SqlTable table, List<Column> columns, List<SqlColumn> sources, SqlTemplate.Wide wide) {
        List<SqlColumn> hidden = new ArrayList<>();
        if (wide.isGuarded()) {
            Column bytes = new Column("bytes", ColumnType.LONG, "bigint", true, 20);
            hidden.add(SqlColumn.plain(bytes, "", "", ""));
            hidden.addAll(wide.key());
        }
        Layout layout = new Layout(columns.size(), columns.size() + hidden.size());
        for (int i = 0; i < layout.types.length; i++) {
            boolean shown = i < columns.size();
            SqlColumn source = shown ? sources.get(i) : hidden.get(i - columns.size());
            layout.types[i] = shown ? columns.get(i).type() : source.column().type();
            layout.nullable[i] = !shown || table.table().view() || columns.get(i).nullable();
            layout.padded[i] = source.padded();
        }
        return layout;
    }
}
