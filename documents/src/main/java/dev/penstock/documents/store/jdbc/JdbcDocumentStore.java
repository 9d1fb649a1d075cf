package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.DocumentBuffer;
import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.DocumentIds;
import dev.penstock.documents.store.DocumentStore;
import dev.penstock.documents.store.PieceInput;
import dev.penstock.documents.store.StoreExplanation;
import dev.penstock.documents.store.StoreFilter;
import dev.penstock.documents.store.StoredDocument;
import dev.penstock.documents.store.ValueScan;
import dev.penstock.documents.store.Versions;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A collection in a relational database, through its own functions on JSON.
 *
 * <p>A document is one row with one value of JSON. One that is deeper or larger than a value may be is held in pieces
 * in a table of parts instead; conditions are decided here for these, so that answers are the same.
 */
public final class JdbcDocumentStore implements DocumentStore {
    private static final int MOST_TRIES = 5;

    private final DataSource dataSource;
    private final Dialect dialect;
    private final CollectionTables tables;
    private final InstantSource clock;
    private final JdbcCatalog catalog;
    private final DocumentRows rows;
    private final DocumentSearch search;

    /** A store of one collection, whose tables {@link #create} makes. */
    public JdbcDocumentStore(DataSource dataSource, String collection, InstantSource clock) {
        this(dataSource, Dialects.of(dataSource), collection, clock);
    }

    public JdbcDocumentStore(
            DataSource dataSource, Dialect dialect, String collection, InstantSource clock) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        tables = new CollectionTables(collection);
        this.clock = clock;
        catalog = new JdbcCatalog(dialect, tables);
        rows = new DocumentRows(dialect, tables);
        search = new DocumentSearch(this, dataSource, dialect, tables, catalog);
    }

    public Dialect dialect() {
        return dialect;
    }

    public DocumentException failed(String doing, SQLException cause) {
        return new DocumentException(
                Kind.STORE,
                dialect.name()
                        + " can't "
                        + doing
                        + " of "
                        + tables.collection()
                        + ": "
                        + cause.getMessage(),
                cause);
    }

    /** The work of a transaction. */
    private interface Work<T extends @Nullable Object> {
        T in(JdbcTransaction transaction) throws SQLException;
    }

    /** Does something in a transaction, again where another was in its way. */
    private <T extends @Nullable Object> T transact(String doing, Work<T> work) {
        for (int tried = 1; ; tried++) {
            try (var transaction = new JdbcTransaction(dataSource)) {
                T done = work.in(transaction);
                transaction.commit();
                return done;
            } catch (SQLException e) {
                boolean again =
                        e instanceof DocumentRows.OvertakenException
                                || dialect.transientFailure(e)
                                || dialect.duplicate(e);
                if (tried == MOST_TRIES && e instanceof DocumentRows.OvertakenException) {
                    throw new DocumentException(
                            DocumentException.Kind.CONFLICT,
                            "Can't %s: others changed it %d times meanwhile; try again later"
                                    .formatted(doing, tried),
                            e);
                }
                if (!again || tried == MOST_TRIES) {
                    throw failed(doing, e);
                }
            }
        }
    }

    @Override
    public void create() {
        try {
            new JdbcSchema(dataSource, dialect, tables).create();
        } catch (SQLException e) {
            throw failed("make the tables", e);
        }
    }

    @Override
    public long put(String id, DocumentBuffer json, long expected, Collection<String> entries) {
        DocumentIds.check(id);
        boolean whole = isWhole(json);
        Collection<String> missing = catalog.missing(entries);
        long written =
                transact(
                        "write a document",
                        transaction -> {
                            transaction.execute(dialect.writerLock(), tables.collection());
                            long version = write(transaction, id, json, whole, expected);
                            catalog.add(transaction, missing);
                            return version;
                        });
        catalog.written(missing);
        return written;
    }

    @Override
    public boolean insertsTogether() {
        return true;
    }

    @Override
    public void insert(List<NewDocument> documents) {
        List<NewDocument> whole = new ArrayList<>();
        List<NewDocument> inParts = new ArrayList<>();
        Set<String> entries = new TreeSet<>();
        for (NewDocument each : documents) {
            DocumentIds.check(each.id());
            (isWhole(each.json()) ? whole : inParts).add(each);
            entries.addAll(each.entries());
        }
        Collection<String> missing = catalog.missing(entries);
        transact(
                "write documents",
                transaction -> {
                    transaction.execute(dialect.writerLock(), tables.collection());
                    rows.insert(transaction, whole, Versions.next(null, clock));
                    catalog.writeTexts(transaction, whole);
                    for (NewDocument each : inParts) {
                        write(transaction, each.id(), each.json(), false, ABSENT);
                    }
                    catalog.add(transaction, missing);
                    return true;
                });
        catalog.written(missing);
    }

    private boolean isWhole(DocumentBuffer json) {
        return ValueScan.scan(json.open(), (_, _) -> {}) <= dialect.depthLimit()
                && json.size() <= dialect.sizeLimit();
    }

    private long write(
            JdbcTransaction transaction,
            String id,
            DocumentBuffer json,
            boolean whole,
            long expected)
            throws SQLException {
        Long found = rows.versionOf(transaction, id);
        if (expected != ANY) {
            Versions.check(tables.collection(), id, expected, found);
        }
        long version = Versions.next(found, clock);
        int parts =
                whole ? 0 : Math.toIntExact(-Math.floorDiv(-json.size(), PieceInput.PIECE_BYTES));
        String text = whole ? json.text() : null;
        if (found == null) {
            rows.insert(transaction, id, version, parts, text);
        } else {
            rows.replace(transaction, id, version, parts, text, found);
        }
        if (!whole) {
            rows.writeParts(transaction, id, version, json);
        }
        catalog.writeTexts(transaction, id, json::open);
        return version;
    }

    @Override
    public @Nullable StoredDocument get(String id) {
        return this.<@Nullable StoredDocument>transact(
                "read a document",
                transaction -> {
                    List<DocumentRow> found =
                            transaction.query(
                                    rows.select() + " WHERE id = ?", DocumentRow::read, id);
                    return found.isEmpty() ? null : document(found.getFirst(), () -> null);
                });
    }

    @Override
    public @Nullable Long version(String id) {
        return this.<@Nullable Long>transact(
                "read a document's version", transaction -> rows.versionOf(transaction, id));
    }

    /**
     * The document of a row.
     *
     * @param shared gives the transaction in which pieces are to be read; null for one of their own
     */
    StoredDocument document(DocumentRow row, Supplier<@Nullable JdbcTransaction> shared) {
        return new StoredDocument(row.id(), row.version(), () -> open(row, shared));
    }

    private InputStream open(DocumentRow row, Supplier<@Nullable JdbcTransaction> shared) {
        String json = row.json();
        return json == null
                ? new DocumentParts(dataSource, shared, tables, row)
                : new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public boolean delete(String id, long expected) {
        return transact(
                "delete a document",
                transaction -> {
                    transaction.execute(dialect.writerLock(), tables.collection());
                    Long found = rows.versionOf(transaction, id);
                    if (expected != ANY) {
                        Versions.check(tables.collection(), id, expected, found);
                    }
                    if (found == null) {
                        return false;
                    }
                    rows.delete(transaction, id, found);
                    return true;
                });
    }

    @Override
    public boolean findsInSnapshot() {
        return true;
    }

    @Override
    public DocumentCursor find(Question question) {
        return search.find(question);
    }

    @Override
    public void index(List<String> path) {
        if (path.isEmpty() || !path.stream().allMatch(StoreFilter::isStorable)) {
            throw new IllegalArgumentException("an index needs a path of keys, the root's first");
        }
        transact(
                "make an index",
                transaction -> {
                    transaction.execute(dialect.exclusiveLock(), tables.collection());
                    TextIndex index = catalog.addIndex(transaction, path);
                    if (index != null) {
                        fill(transaction, index);
                    }
                    return true;
                });
    }

    private void fill(JdbcTransaction transaction, TextIndex index) throws SQLException {
        for (String statement : dialect.indexStatements(index)) {
            transaction.execute(statement);
        }
        if (!dialect.textTable()) {
            return;
        }
        String after = "";
        for (List<DocumentRow> page = page(transaction, after);
                !page.isEmpty();
                page = page(transaction, after)) {
            for (DocumentRow row : page) {
                catalog.writeTexts(
                        transaction, row.id(), () -> open(row, () -> transaction), index);
                after = row.id();
            }
        }
    }

    private List<DocumentRow> page(JdbcTransaction transaction, String after) throws SQLException {
        return transaction.query(
                rows.select() + " WHERE id > ? ORDER BY id LIMIT 20", DocumentRow::read, after);
    }

    @Override
    public StoreExplanation explain(StoreFilter filter) {
        return transact(
                "explain a condition",
                transaction -> {
                    Map<List<String>, Integer> declared = catalog.indexes(transaction);
                    SqlCondition condition = search.condition(declared, filter);
                    return new StoreExplanation(
                            dialect.name(),
                            condition.exact(),
                            condition.sql(),
                            condition.indexes(),
                            StoreExplanation.unused(
                                    filter, declared.keySet(), condition.indexes()));
                });
    }

    @Override
    public Set<String> entries() {
        Set<String> known = catalog.known();
        return transact(
                "read the catalog",
                transaction -> catalog.entries(transaction, known, catalog.counts(transaction)));
    }
}
