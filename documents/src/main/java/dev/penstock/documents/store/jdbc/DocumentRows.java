package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.DocumentBuffer;
import dev.penstock.documents.store.DocumentStore.NewDocument;
import dev.penstock.documents.store.PieceInput;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a collection's documents and of what is held beside them, changed within a caller's transaction. */
final class DocumentRows {
    private final Dialect dialect;
    private final CollectionTables tables;

    DocumentRows(Dialect dialect, CollectionTables tables) {
        this.dialect = dialect;
        this.tables = tables;
    }

    /** Another writer was faster. */
    static final class OvertakenException extends SQLException {
        private static final long serialVersionUID = 1;
    }

    String select() {
        return "SELECT id, version, parts, " + dialect.jsonColumn() + " FROM " + tables.documents();
    }

    /** Deletes a document in a version. */
    void delete(JdbcTransaction transaction, String id, long found) throws SQLException {
        int deleted =
                transaction.update(
                        "DELETE FROM " + tables.documents() + " WHERE id = ? AND version = ?",
                        id,
                        found);
        if (deleted == 0) {
            throw new OvertakenException();
        }
        deleteBeside(transaction, id);
    }

    void insert(
            JdbcTransaction transaction, String id, long version, int parts, @Nullable String text)
            throws SQLException {
        transaction.update(
                insertion(text == null ? "NULL" : dialect.jsonPlaceholder()),
                withText(text, id, version, parts));
    }

    /** Inserts documents that are each held as one value, sent together. */
    void insert(JdbcTransaction transaction, List<NewDocument> documents, long version)
            throws SQLException {
        try (JdbcTransaction.Batch batch =
                transaction.batch(insertion(dialect.jsonPlaceholder()))) {
            for (NewDocument each : documents) {
                batch.add(each.id(), version, 0, each.json().text());
            }
            batch.flush();
        }
    }

    private String insertion(String doc) {
        return "INSERT INTO "
                + tables.documents()
                + " (id, version, parts, doc) VALUES (?, ?, ?, "
                + doc
                + ")";
    }

    private static Object[] withText(@Nullable String text, Object... values) {
        var all = new ArrayList<>(List.of(values));
        if (text != null) {
            all.add(text);
        }
        return all.toArray();
    }

    void replace(
            JdbcTransaction transaction,
            String id,
            long version,
            int parts,
            @Nullable String text,
            long found)
            throws SQLException {
        ArrayList<Object> values = new ArrayList<>(List.of(version, parts));
        if (text != null) {
            values.add(text);
        }
        values.add(id);
        values.add(found);
        int changed =
                transaction.update(
                        "UPDATE "
                                + tables.documents()
                                + " SET version = ?, parts = ?, doc = "
                                + (text == null ? "NULL" : dialect.jsonPlaceholder())
                                + " WHERE id = ? AND version = ?",
                        values.toArray());
        if (changed == 0) {
            throw new OvertakenException();
        }
        deleteBeside(transaction, id);
    }

    private void deleteBeside(JdbcTransaction transaction, String id) throws SQLException {
        transaction.update("DELETE FROM " + tables.parts() + " WHERE id = ?", id);
        if (dialect.textTable()) {
            transaction.update("DELETE FROM " + tables.texts() + " WHERE id = ?", id);
        }
    }

    void writeParts(JdbcTransaction transaction, String id, long version, DocumentBuffer json)
            throws SQLException {
        try (InputStream in = json.open()) {
            int number = 0;
            for (byte[] part = in.readNBytes(PieceInput.PIECE_BYTES);
                    part.length > 0;
                    part = in.readNBytes(PieceInput.PIECE_BYTES)) {
                transaction.update(
                        "INSERT INTO "
                                + tables.parts()
                                + " (id, version, number, part) VALUES (?, ?, ?, ?)",
                        id,
                        version,
                        number++,
                        part);
            }
        } catch (IOException e) {
            throw new DocumentException(
                    Kind.INPUT_OUTPUT, "the JSON of a document can't be read again", e);
        }
    }

    @Nullable Long versionOf(JdbcTransaction transaction, String id) throws SQLException {
        List<Long> found =
                transaction.query(
                        "SELECT version FROM " + tables.documents() + " WHERE id = ?",
                        row -> row.getLong(1),
                        id);
        return found.isEmpty() ? null : found.getFirst();
    }
}
