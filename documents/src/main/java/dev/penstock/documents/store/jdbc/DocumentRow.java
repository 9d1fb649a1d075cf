package dev.penstock.documents.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A row of a collection's documents.
 *
 * @param parts how many pieces there are beside; 0 if the row has the document
 * @param json the document, null if it is in pieces
 */
record DocumentRow(String id, long version, int parts, @Nullable String json) {
    /** Reads a row of {@code id, version, parts, doc}. */
    static DocumentRow read(ResultSet row) throws SQLException {
        return new DocumentRow(row.getString(1), row.getLong(2), row.getInt(3), row.getString(4));
    }
}
