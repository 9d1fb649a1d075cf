package dev.penstock.documents.collection;

import com.mongodb.client.MongoDatabase;
import dev.penstock.documents.store.DocumentStore;
import dev.penstock.documents.store.jdbc.JdbcDocumentStore;
import dev.penstock.documents.store.mongo.MongoDocumentStore;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * The collections of XML documents in one database, which are held as its own JSON: in PostgreSQL, MariaDB, MySQL,
 * SQLite, H2 or MongoDB. Thread-safe. It holds no connection; whoever has made the database's client closes that.
 */
public final class Documents {
    private final Function<String, DocumentStore> stores;
    private final Map<String, DocumentCollection> collections = new ConcurrentHashMap<>();

    private Documents(Function<String, DocumentStore> stores) {
        this.stores = stores;
    }

    /**
     * The collections of a relational database. A stream of results holds a connection while it is open. A document
     * that is held in pieces and is read later, or in another thread than the stream, needs another.
     */
    public static Documents open(DataSource dataSource) {
        return new Documents(
                name -> new JdbcDocumentStore(dataSource, name, InstantSource.system()));
    }

    /** The collections of a database in MongoDB. Its driver is an optional dependency. */
    @SuppressWarnings("exports") // whoever calls it requires the driver's module
    public static Documents openMongo(MongoDatabase database) {
        return new Documents(
                name -> new MongoDocumentStore(database, name, InstantSource.system()));
    }

    /**
     * Returns a collection, and makes what it lacks in the database.
     *
     * @param name at most 40 lower-case letters, digits and single underscores, a letter first
     * @throws dev.penstock.documents.DocumentException {@code STORE} if its tables can't be made
     */
    public DocumentCollection collection(String name) {
        return collections.computeIfAbsent(
                name,
                _ -> {
                    DocumentStore store = stores.apply(name);
                    store.create();
                    return new DocumentCollection(store);
                });
    }
}
