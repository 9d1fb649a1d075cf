package dev.penstock.query.sql.statement;

import java.util.List;

/**
 * The columns of an answer whose cells above a limit are left out of it; hidden columns after the visible ones then
 * hold how many bytes they have together, and what finds them again: the row's primary key, or each cell's length and
 * digest.
 *
 * @param limit bytes of a cell; 0 where no column is guarded
 * @param cells the guarded columns, by index in the answer
 * @param key the primary key's columns; without one, columns that may help the database to find the row
 * @param byContent whether cells are found by their length and digest, because the row has no key
 */
public record WideColumns(int limit, List<Integer> cells, List<SqlColumn> key, boolean byContent) {
    public static final WideColumns NONE = new WideColumns(0, List.of(), List.of(), false);

    public WideColumns {
        cells = List.copyOf(cells);
        key = List.copyOf(key);
    }

    public boolean isGuarded() {
        return !cells.isEmpty();
    }
}
