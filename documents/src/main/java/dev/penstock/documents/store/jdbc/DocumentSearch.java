package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.DocumentStore.Question;
import dev.penstock.documents.store.StoreFilter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The search of a collection by conditions on its documents. Thread-safe. */
final class DocumentSearch {
    /** The documents that are read at once, at most. */
    private static final int MOST_FEW = 4;

    private final JdbcDocumentStore store;
    private final DataSource dataSource;
    private final Dialect dialect;
    private final CollectionTables tables;
    private final JdbcCatalog catalog;
    private final String select;

    /** Whether there were documents in pieces when a search last looked. */
    private volatile boolean hasPieces;

    DocumentSearch(
            JdbcDocumentStore store,
            DataSource dataSource,
            Dialect dialect,
            CollectionTables tables,
            JdbcCatalog catalog) {
        this.store = store;
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.tables = tables;
        this.catalog = catalog;
        select = new DocumentRows(dialect, tables).select();
    }

    /** The entries and the documents are read in one transaction that sees one state of the database. */
    DocumentCursor find(Question question) {
        Set<String> known = catalog.known();
        try {
            @Nullable DocumentCursor found =
                    dialect.findsFewFast() && !hasPieces ? findFew(question, known) : null;
            if (found != null) {
                return found;
            }
            var transaction = JdbcTransaction.snapshot(dataSource, dialect);
            try {
                JdbcCatalog.Counts counts = catalog.counts(transaction);
                hasPieces = counts.inParts();
                return find(
                        transaction,
                        counts,
                        question.on(() -> entries(transaction, known, counts)));
            } catch (SQLException | RuntimeException | Error e) {
                transaction.abandon(e);
                throw e;
            }
        } catch (SQLException e) {
            throw store.failed("find documents", e);
        }
    }

    /**
     * Finds by an index and one query that is a transaction of its own, which is one message to the database. The
     * database does not sort: it is to end as soon as there are more than a few.
     *
     * @return null if no index serves the condition, more than a few documents are found, some are in pieces, or there
     *     are entries that were not known
     */
    private @Nullable DocumentCursor findFew(Question question, Set<String> known)
            throws SQLException {
        boolean[] areAsked = new boolean[1];
        StoreFilter filter =
                question.on(() -> {
                    areAsked[0] = true;
                    return known;
                });
        SqlCondition condition = condition(catalog.knownIndexes(), filter);
        if (condition.indexes().isEmpty()) {
            return null;
        }
        List<Object> values = new ArrayList<>();
        if (areAsked[0]) {
            values.add(tables.collection());
        }
        values.addAll(condition.values());
        // The numbers are in one row at least, whose document is null where none is found.
        String sql =
                ("SELECT f.*, c.* FROM (SELECT %s AS entries, %s AS pieces) c"
                                + " LEFT JOIN (%s WHERE %s) f ON TRUE")
                        .formatted(
                                areAsked[0] ? JdbcCatalog.ENTRY_COUNT : "0",
                                catalog.mostParts(),
                                select,
                                condition.sql());
        List<Few> found = JdbcTransaction.query(dataSource, sql, values, MOST_FEW + 1, Few::read);
        long entries = areAsked[0] ? known.size() : 0;
        boolean isRight =
                found.size() <= MOST_FEW
                        && found.stream()
                                .allMatch(few -> few.entries() == entries && few.pieces() == 0);
        if (!isRight) {
            return null;
        }
        List<DocumentRow> rows =
                found.stream()
                        .map(Few::row)
                        .flatMap(Optional::stream)
                        .sorted(Comparator.comparing(DocumentRow::id))
                        .toList();
        return new ReadRows(store, rows, filter, condition.exact());
    }

    /**
     * A row of what {@link #findFew} reads.
     *
     * @param entries how many entries there are, or 0 where that is not asked
     * @param pieces the pieces of the document that has most
     * @param row a document, if one is found
     */
    private record Few(long entries, long pieces, Optional<DocumentRow> row) {
        static Few read(ResultSet row) throws SQLException {
            Optional<DocumentRow> document =
                    row.getString(1) == null
                            ? Optional.empty()
                            : Optional.of(DocumentRow.read(row));
            return new Few(row.getLong(5), row.getLong(6), document);
        }
    }

    private Set<String> entries(
            JdbcTransaction transaction, Set<String> known, JdbcCatalog.Counts counts) {
        try {
            return catalog.entries(transaction, known, counts);
        } catch (SQLException e) {
            throw store.failed("read the catalog", e);
        }
    }

    private DocumentCursor find(
            JdbcTransaction transaction, JdbcCatalog.Counts counts, StoreFilter filter)
            throws SQLException {
        SqlCondition condition = condition(catalog.indexes(transaction, counts), filter);
        boolean inParts = counts.inParts();
        String sql =
                select + " WHERE ((" + condition.sql() + ")" + (inParts ? " OR parts > 0)" : ")");
        FoundRows found =
                inParts && !dialect.interleaves()
                        ? FoundRows.paged(transaction, sql, condition.values())
                        : FoundRows.streamed(
                                transaction, sql, condition.values(), dialect.readsRowByRow());
        return new JdbcCursor(store, transaction, found, filter, condition.exact());
    }

    SqlCondition condition(Map<List<String>, Integer> indexes, StoreFilter filter) {
        return new FilterSql(dialect, tables, indexes).translate(filter);
    }
}
