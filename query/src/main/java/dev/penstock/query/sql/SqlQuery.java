package dev.penstock.query.sql;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import java.util.List;
import java.util.stream.Stream;

/**
 * A plan as SQL of one dialect.
 *
 * @param table the table that it reads
 * @param text the SQL
 * @param values what it binds, in order
 * @param columns the columns of the answer, under their labels
 * @param sources the same as the table has them
 * @param wide what the answer says of cells that are too wide
 * @param skip how many rows the cursor leaves out
 */
record SqlQuery(
        SqlTable table,
        String text,
        List<Object> values,
        List<Column> columns,
        List<SqlColumn> sources,
        Wide wide,
        long skip) {
    /** Decoded heap that one batch of rows may take, in bytes. */
    static final int BATCH_BYTES = 128 * 1024;

    private static final int MAX_ROWS_PER_BATCH = 512;

    SqlQuery {
        requireNonNull(table);
        values = List.copyOf(values);
        columns = List.copyOf(columns);
        sources = List.copyOf(sources);
    }

    /**
     * Cells above a limit are left out of the answer; hidden columns after the visible ones then hold how many bytes they have
     * together, and the row's primary key.
     *
     * @param limit bytes of a cell; 0 where no column is guarded
     * @param cells the guarded columns, by index in the answer
     * @param key the primary key's columns
     */
    record Wide(int limit, List<Integer> cells, List<SqlColumn> key) {
        static final Wide NONE = new Wide(0, List.of(), List.of());

        Wide {
            cells = List.copyOf(cells);
            key = List.copyOf(key);
        }

        boolean isGuarded() {
            return !cells.isEmpty();
        }
    }

    /** Whether columns of the answer, hidden ones included, are binary. */
    boolean hasBinary() {
        return hasBinary(sources, wide);
    }

    static boolean hasBinary(List<SqlColumn> sources, Wide wide) {
        return Stream.concat(sources.stream(), wide.key().stream())
                .anyMatch(source -> source.column().type() == ColumnType.BINARY);
    }

    /** Decoded heap of the widest row that the SQL lets through: about 16 bytes a cell and the data. */
    long rowBytes() {
        long bytes = 64;
        for (int i = 0; i < columns.size(); i++) {
            boolean guarded = wide.cells().contains(i);
            bytes += 16 + (guarded ? wide.limit() : Math.min(columns.get(i).maxBytes(), 1 << 20));
        }
        return bytes;
    }

    /** How many rows of the widest kind fit a batch; one at the least. */
    int rowsPerBatch() {
        return Math.clamp(BATCH_BYTES / rowBytes(), 1, MAX_ROWS_PER_BATCH);
    }

    /** Whether a column holds instants, so that the session's zone matters. */
    boolean hasInstants() {
        return table.columns().stream()
                .anyMatch(c -> c.column().type() == ColumnType.TIMESTAMP_UTC);
    }
}
