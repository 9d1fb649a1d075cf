package dev.penstock.documents.store.mongo;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.DocumentBuffer;
import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.DocumentIds;
import dev.penstock.documents.store.DocumentStore;
import dev.penstock.documents.store.Redaction;
import dev.penstock.documents.store.StoreExplanation;
import dev.penstock.documents.store.StoreFilter;
import dev.penstock.documents.store.StoredDocument;
import dev.penstock.documents.store.ValueScan;
import dev.penstock.documents.store.Versions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A collection in MongoDB, through its official driver. A document is {@code {_id, version, parts, doc}}; one that is
 * deeper or larger than MongoDB allows is held in pieces in a second collection.
 *
 * <p>It needs no transactions, which a single server does not have: the catalog's entries are written before the
 * document that needs them, pieces before the document that counts them.
 */
public final class MongoDocumentStore implements DocumentStore {
    /** MongoDB allows 100 with the object that holds a document. */
    private static final int DEPTH_LIMIT = 98;

    private static final int BSON_LIMIT = 15 << 20;
    private static final int MOST_TRIES = 5;

    private final MongoCollection<BsonDocument> documents;
    private final MongoCollection<BsonDocument> catalog;
    private final MongoParts parts;
    private final String collection;
    private final InstantSource clock;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /**
     * A store of one collection. It reads from the primary server, and its writes are acknowledged, whatever the
     * settings of the database are: what was read elsewhere could be older than what was written here.
     */
    public MongoDocumentStore(MongoDatabase given, String collection, InstantSource clock) {
        MongoDatabase primary = given.withReadPreference(ReadPreference.primary());
        MongoDatabase database =
                primary.getWriteConcern().isAcknowledged()
                        ? primary
                        : primary.withWriteConcern(WriteConcern.ACKNOWLEDGED);
        var tables = new CollectionTables(collection);
        this.collection = collection;
        this.clock = clock;
        documents = database.getCollection(tables.documents(), BsonDocument.class);
        catalog = database.getCollection(CollectionTables.ENTRIES, BsonDocument.class);
        parts = new MongoParts(database.getCollection(tables.parts(), BsonDocument.class));
    }

    private <T extends @Nullable Object> T attempt(String doing, Supplier<T> work) {
        try {
            return work.get();
        } catch (MongoException e) {
            throw failed(doing, e);
        }
    }

    public DocumentException failed(String doing, MongoException cause) {
        return new DocumentException(
                Kind.STORE,
                "MongoDB can't " + doing + " of " + collection + ": " + cause.getMessage(),
                cause);
    }

    @Override
    public void create() {
        attempt("make the index on parts", () -> documents.createIndex(Indexes.ascending("parts")));
    }

    @Override
    public long put(String id, DocumentBuffer json, long expected, Collection<String> entries) {
        DocumentIds.check(id);
        int depth = ValueScan.scan(json.open(), (_, _) -> {});
        RawBsonDocument small =
                depth <= DEPTH_LIMIT && json.size() <= DocumentBuffer.MEMORY_BYTES
                        ? BsonText.encode(json.open())
                        : null;
        RawBsonDocument doc =
                small == null || small.getByteBuffer().remaining() > BSON_LIMIT ? null : small;
        return attempt(
                "write a document",
                () -> {
                    addEntries(entries);
                    for (int tried = 1; ; tried++) {
                        long version = putOnce(id, json, doc, expected);
                        if (version > 0) {
                            return version;
                        }
                        if (tried == MOST_TRIES) {
                            throw overtaken(id, "written");
                        }
                    }
                });
    }

    private DocumentException overtaken(String id, String done) {
        return new DocumentException(
                Kind.CONFLICT,
                "the document %s of %s changed %d times while it was %s; try again later"
                        .formatted(id, collection, MOST_TRIES, done));
    }

    private void addEntries(Collection<String> entries) {
        var missing = new TreeSet<>(entries);
        missing.removeAll(known);
        for (String entry : missing) {
            var key = new BsonDocument("name", new BsonString(collection));
            key.append("entry", new BsonString(entry));
            catalog.updateOne(
                    Filters.eq("_id", key),
                    Updates.setOnInsert("name", collection),
                    new UpdateOptions().upsert(true));
        }
        known.addAll(missing);
    }

    /** Writes if the document is as it was when it was looked at; gives 0 if it is not. */
    private long putOnce(
            String id, DocumentBuffer json, @Nullable RawBsonDocument doc, long expected) {
        Long found = versionOf(id);
        if (expected != ANY) {
            Versions.check(collection, id, expected, found);
        }
        long next = Versions.next(found, clock);
        // Pieces that a broken write has left, or another writes now, are of another version.
        long version = doc == null ? Math.max(next, Versions.next(null, clock)) : next;
        int count;
        try {
            count = doc == null ? parts.write(id, version, json) : 0;
        } catch (MongoWriteException e) {
            if (isDuplicate(e)) {
                return 0;
            }
            throw e;
        }
        var row = new BsonDocument("_id", new BsonString(id));
        row.append("version", new BsonInt64(version)).append("parts", new BsonInt32(count));
        if (doc != null) {
            row.append("doc", doc);
        }
        boolean written = found == null ? insert(row) : replace(id, found, row);
        if (!written) {
            parts.delete(id, version);
            return 0;
        }
        parts.deleteBelow(id, version);
        return version;
    }

    private boolean insert(BsonDocument row) {
        try {
            documents.insertOne(row);
            return true;
        } catch (MongoWriteException e) {
            if (isDuplicate(e)) {
                return false;
            }
            throw e;
        }
    }

    private static boolean isDuplicate(MongoWriteException failure) {
        return failure.getError().getCategory() == ErrorCategory.DUPLICATE_KEY;
    }

    private boolean replace(String id, long found, BsonDocument row) {
        return documents
                        .replaceOne(
                                Filters.and(Filters.eq("_id", id), Filters.eq("version", found)),
                                row)
                        .getMatchedCount()
                == 1;
    }

    private @Nullable Long versionOf(String id) {
        BsonDocument row =
                documents
                        .find(Filters.eq("_id", id))
                        .projection(Projections.include("version"))
                        .first();
        return row == null ? null : row.getInt64("version").getValue();
    }

    @Override
    public @Nullable Long version(String id) {
        return this.<@Nullable Long>attempt("read a document's version", () -> versionOf(id));
    }

    @Override
    public @Nullable StoredDocument get(String id) {
        return this.<@Nullable StoredDocument>attempt(
                "read a document",
                () -> {
                    BsonDocument row = documents.find(Filters.eq("_id", id)).first();
                    return row == null ? null : read(row);
                });
    }

    public StoredDocument read(BsonDocument row) {
        String id = row.getString("_id").getValue();
        long version = row.getInt64("version").getValue();
        int count = row.getInt32("parts").getValue();
        return count == 0
                ? StoredDocument.of(
                        id, version, BsonText.decode(row.getDocument("doc").asBsonReader()))
                : new StoredDocument(id, version, () -> parts.open(id, version, count));
    }

    @Override
    public boolean delete(String id, long expected) {
        return attempt("delete a document", () -> deleteNow(id, expected));
    }

    private boolean deleteNow(String id, long expected) {
        for (int tried = 0; tried < MOST_TRIES; tried++) {
            Long found = versionOf(id);
            if (expected != ANY) {
                Versions.check(collection, id, expected, found);
            }
            if (found == null) {
                return false;
            }
            Bson now = Filters.and(Filters.eq("_id", id), Filters.eq("version", found));
            if (documents.deleteOne(now).getDeletedCount() == 1) {
                parts.deleteBelow(id, found + 1);
                return true;
            }
        }
        throw overtaken(id, "deleted");
    }

    @Override
    public boolean findsInSnapshot() {
        return false;
    }

    /** An entry is written before the documents that need it, so what is not there afterwards was not needed. */
    @Override
    public DocumentCursor find(Question question) {
        for (int tried = 1; tried < MOST_TRIES; tried++) {
            Set<String> before = entries();
            DocumentCursor cursor = open(question.on(() -> before));
            if (areStill(before, cursor)) {
                return cursor;
            }
            cursor.close();
        }
        return open(new StoreFilter.Everything());
    }

    /** Returns whether there are no new entries. */
    private boolean areStill(Set<String> before, DocumentCursor cursor) {
        try {
            return entries().equals(before);
        } catch (RuntimeException e) {
            cursor.close();
            throw e;
        }
    }

    @Override
    public DocumentCursor find(StoreFilter filter) {
        return open(filter);
    }

    private DocumentCursor open(StoreFilter filter) {
        return attempt(
                "find documents",
                () -> {
                    MongoCondition condition = MongoCondition.of(filter, indexes());
                    Bson query = condition.bson();
                    if (parts.any()) {
                        query = Filters.or(query, Filters.gt("parts", 0));
                    }
                    return new MongoCursorOfDocuments(
                            this,
                            documents.find(query).sort(Sorts.ascending("_id")).iterator(),
                            filter,
                            condition.exact());
                });
    }

    private List<List<String>> indexes() {
        return catalog.find(Filters.and(Filters.eq("name", collection), Filters.exists("index")))
                .map(row ->
                        row.getArray("index").stream()
                                .map(key -> key.asString().getValue())
                                .toList())
                .into(new ArrayList<>());
    }

    @Override
    public void index(List<String> path) {
        attempt(
                "make an index",
                () -> {
                    String name = MongoCondition.name(path);
                    documents.createIndex(Indexes.ascending(name));
                    documents.createIndex(Indexes.ascending(name + ".#text"));
                    var key = new BsonDocument("name", new BsonString(collection));
                    key.append("index", new BsonString(name));
                    return catalog.updateOne(
                            Filters.eq("_id", key),
                            Updates.combine(
                                    Updates.setOnInsert("name", collection),
                                    Updates.set("index", path)),
                            new UpdateOptions().upsert(true));
                });
    }

    @Override
    public StoreExplanation explain(StoreFilter filter) {
        return attempt(
                "explain a condition",
                () -> {
                    List<List<String>> declared = indexes();
                    MongoCondition condition = MongoCondition.of(filter, declared);
                    Bson shown = MongoCondition.of(Redaction.of(filter), List.of()).bson();
                    return new StoreExplanation(
                            "MongoDB",
                            condition.exact(),
                            shown.toBsonDocument().toJson(),
                            condition.indexes(),
                            StoreExplanation.unused(filter, declared, condition.indexes()));
                });
    }

    @Override
    public Set<String> entries() {
        return attempt(
                "read the catalog",
                () -> {
                    catalog.find(
                                    Filters.and(
                                            Filters.eq("name", collection),
                                            Filters.exists("_id.entry")))
                            .map(row -> row.getDocument("_id").getString("entry").getValue())
                            .into(known);
                    return Set.copyOf(known);
                });
    }
}
