package dev.penstock.query.sql.read;

import dev.penstock.query.sql.statement.Capability;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.SqlQuery;
import org.jspecify.annotations.Nullable;

/** The choice of the cursor that reads a query's rows. */
public final class CursorFactory {
    private CursorFactory() {}

    /** Returns a cursor that has not started. */
    public static RowCursor cursor(
            Dialect dialect, Session session, SqlQuery query, @Nullable WideCells wideCells) {
        if (!dialect.has(Capability.READS_BY_COPY)) {
            return new ResultSetCursor(session, query, dialect, wideCells);
        }
        return query.template().hasBinary()
                ? new BinaryCopyCursor(session, query, wideCells)
                : new CopyCursor(session, query, wideCells);
    }
}
