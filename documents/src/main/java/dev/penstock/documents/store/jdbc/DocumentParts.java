package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.PieceInput;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/**
 * The JSON of a document that one value can't hold, read piece by piece. It may hold a connection until it is closed.
 * Documents are never changed in place, so its pieces are of one version; if a writer removes them meanwhile, reading
 * fails instead of ending early.
 */
final class DocumentParts extends PieceInput {
    private final JdbcTransaction transaction;
    private final boolean owned;
    private final String sql;
    private final String id;
    private final long version;

    /**
     * @param owned whether the transaction ends with this
     */
    DocumentParts(
            JdbcTransaction transaction,
            boolean owned,
            CollectionTables tables,
            String id,
            long version,
            int parts) {
        super(parts);
        this.transaction = transaction;
        this.owned = owned;
        this.id = id;
        this.version = version;
        sql = "SELECT part FROM " + tables.parts() + " WHERE id = ? AND version = ? AND number = ?";
    }

    @Override
    public byte[] piece(int number) throws IOException {
        List<byte[]> found;
        try {
            found = transaction.query(sql, row -> row.getBytes(1), id, version, number);
        } catch (SQLException e) {
            throw new IOException(
                    "part " + number + " of the document " + id + " can't be read", e);
        }
        if (found.isEmpty()) {
            throw gone(id);
        }
        return found.getFirst();
    }

    @Override
    public void close() throws IOException {
        if (!owned) {
            return;
        }
        try {
            transaction.close();
        } catch (SQLException e) {
            throw new IOException("a document in parts can't be closed", e);
        }
    }
}
