package dev.penstock.documents.store;

import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.List;

/**
 * The JSON of a document that one value can't hold, read piece by piece. It may hold a connection until it is closed.
 * Documents are never changed in place, so its pieces are of one version; if a writer removes them meanwhile, reading
 * fails instead of ending early.
 */
final class DocumentParts extends InputStream {
    /** The bytes of one piece. */
    static final int PART_BYTES = 1 << 20;

    private final JdbcTransaction transaction;
    private final boolean owned;
    private final String sql;
    private final String id;
    private final long version;
    private final int parts;
    private int read;
    private byte[] part = {};
    private int position;

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
        this.transaction = transaction;
        this.owned = owned;
        this.id = id;
        this.version = version;
        this.parts = parts;
        sql = "SELECT part FROM " + tables.parts() + " WHERE id = ? AND version = ? AND number = ?";
    }

    private boolean ended() throws IOException {
        while (position == part.length) {
            if (read == parts) {
                return true;
            }
            next();
        }
        return false;
    }

    private void next() throws IOException {
        List<byte[]> found;
        try {
            found = transaction.query(sql, row -> row.getBytes(1), id, version, read);
        } catch (SQLException e) {
            throw new IOException("part " + (read + 1) + " of a document can't be read", e);
        }
        if (found.isEmpty()) {
            throw new IOException(
                    "the document "
                            + id
                            + " was replaced or deleted while it was read; read it again");
        }
        part = found.getFirst();
        position = 0;
        read++;
    }

    @Override
    public int read() throws IOException {
        return ended() ? -1 : part[position++] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (ended()) {
            return -1;
        }
        int count = Math.min(length, part.length - position);
        System.arraycopy(part, position, bytes, from, count);
        position += count;
        return count;
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
