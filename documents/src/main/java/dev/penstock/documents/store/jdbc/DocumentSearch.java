package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.DocumentStore.Question;
import dev.penstock.documents.store.StoreFilter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The search of a collection by conditions on its documents. Thread-safe. */
final class DocumentSearch {
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
                    dialect.findsInOneQuery() && !hasPieces
                            ? findInOneQuery(question, known)
                            : null;
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
     * Finds by an index and one query, which is right if the catalog is as it is known and nothing is in pieces. The
     * rows are sorted, which those that an index finds are in any case.
     *
     * @return null if no index serves the condition, or it is not right
     */
    private @Nullable DocumentCursor findInOneQuery(Question question, Set<String> known)
            throws SQLException {
        Map<List<String>, Integer> indexes = catalog.knownIndexes();
        boolean[] areAsked = new boolean[1];
        StoreFilter filter =
                question.on(() -> {
                    areAsked[0] = true;
                    return known;
                });
        SqlCondition condition = condition(indexes, filter);
        if (condition.indexes().isEmpty()) {
            return null;
        }
        String sql =
                "SELECT f.*, c.entries, c.indexes, c.pieces FROM (%s) c LEFT JOIN (%s WHERE %s) f ON TRUE"
                        .formatted(catalog.countsQuery(), select, condition.sql());
        List<Object> values = new ArrayList<>();
        values.add(tables.collection());
        values.add(tables.collection());
        values.addAll(condition.values());
        var transaction = new JdbcTransaction(dataSource);
        try {
            FoundRows found = FoundRows.streamed(transaction, sql, values, dialect.readsRowByRow());
            boolean isRight = false;
            try {
                isRight =
                        found.first()
                                && (!areAsked[0] || found.number(5) == known.size())
                                && found.number(6) == indexes.size()
                                && found.number(7) == 0;
            } finally {
                if (!isRight) {
                    found.close();
                }
            }
            if (isRight) {
                return new JdbcCursor(store, transaction, found, filter, condition.exact());
            }
            transaction.close();
            return null;
        } catch (SQLException | RuntimeException | Error e) {
            transaction.abandon(e);
            throw e;
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
