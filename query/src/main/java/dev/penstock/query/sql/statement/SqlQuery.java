package dev.penstock.query.sql.statement;

import dev.penstock.query.Column;
import java.util.List;

/**
 * A plan as SQL of one dialect.
 *
 * @param template the SQL, and what its answer is like
 * @param values what it binds, in order
 * @param checked what is looked at before
 * @param skip how many rows the cursor leaves out
 * @param rows how many rows there are at the most; {@link Long#MAX_VALUE} where that is not known
 */
public record SqlQuery(
        SqlTemplate template, List<Object> values, List<Object> checked, long skip, long rows) {
    public SqlTable table() {
        return template.table();
    }

    public String text() {
        return template.text();
    }

    public List<Column> columns() {
        return template.columns();
    }

    public List<SqlColumn> sources() {
        return template.sources();
    }

    public WideColumns wide() {
        return template.wide();
    }

    /** Returns whether the whole answer fits a batch, and can be had without any setting of the session. */
    public boolean isSmall() {
        return template.traits().plain() && skip == 0 && rows <= template.rowsPerBatch();
    }

    /** Returns whether the SQL itself says how many rows there are at the most. */
    public boolean isLimited() {
        return rows < Long.MAX_VALUE;
    }

    /** Decoded heap that it takes to have the answer at once, at the most, in bytes. */
    public long bytesAtOnce() {
        return Math.min(rows, template.rowsAtOnce() + 1L) * template.layout().rowBytes;
    }
}
