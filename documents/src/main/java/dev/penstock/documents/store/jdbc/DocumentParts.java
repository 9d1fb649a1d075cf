package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.PieceInput;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of a document that one value can't hold, read piece by piece. It may hold a connection until it is closed.
 * Documents are never changed in place, so its pieces are of one version; if a writer removes them meanwhile, reading
 * fails instead of ending early.
 */
final class DocumentParts extends PieceInput {
    private final DataSource dataSource;
    private final Supplier<@Nullable JdbcTransaction> shared;
    private final String sql;
    private final String id;
    private final long version;
    private @Nullable JdbcTransaction own;

    /**
     * @param dataSource where to read if there is no transaction to share
     * @param shared gives the transaction that has found the document, while it may be used; otherwise null
     */
    DocumentParts(
            DataSource dataSource,
            Supplier<@Nullable JdbcTransaction> shared,
            CollectionTables tables,
            DocumentRow row) {
        super(row.parts());
        this.dataSource = dataSource;
        this.shared = shared;
        id = row.id();
        version = row.version();
        sql = "SELECT part FROM " + tables.parts() + " WHERE id = ? AND version = ? AND number = ?";
    }

    @Override
    public byte[] piece(int number) throws IOException {
        List<byte[]> found;
        try {
            found = transaction().query(sql, row -> row.getBytes(1), id, version, number);
        } catch (SQLException e) {
            throw new IOException(
                    "part " + number + " of the document " + id + " can't be read", e);
        }
        if (found.isEmpty()) {
            throw gone(id);
        }
        return found.getFirst();
    }

    private JdbcTransaction transaction() throws SQLException {
        JdbcTransaction theirs = shared.get();
        if (theirs != null) {
            return theirs;
        }
        JdbcTransaction mine = own;
        if (mine == null) {
            mine = new JdbcTransaction(dataSource);
            own = mine;
        }
        return mine;
    }

    @Override
    public void close() throws IOException {
        JdbcTransaction mine = own;
        own = null;
        if (mine == null) {
            return;
        }
        try {
            mine.close();
        } catch (SQLException e) {
            throw new IOException("a document in parts can't be closed", e);
        }
    }
}
