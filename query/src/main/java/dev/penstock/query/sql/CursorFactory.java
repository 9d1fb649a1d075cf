package dev.penstock.query.sql;

import org.jspecify.annotations.Nullable;

/** The choice of the cursor that reads a query's rows. */
final class CursorFactory {
    private CursorFactory() {}

    /** A cursor that has not started. */
    static RowCursor cursor(
            Dialect dialect, Session session, SqlQuery query, @Nullable WideCells wideCells) {
        if (!dialect.readsByCopy()) {
            return new ResultSetCursor(session, query, dialect, wideCells);
        }
        return query.template().hasBinary()
                ? new BinaryCopyCursor(session, query, wideCells)
                : new CopyCursor(session, query, wideCells);
    }
}
