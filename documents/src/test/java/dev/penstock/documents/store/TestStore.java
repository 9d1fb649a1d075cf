package dev.penstock.documents.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.penstock.databases.TestDatabase;
import dev.penstock.documents.collection.Documents;
import dev.penstock.documents.store.jdbc.JdbcDocumentStore;
import dev.penstock.documents.store.mongo.MongoDocumentStore;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.Supplier;
import org.sqlite.SQLiteDataSource;

/** A fresh store of one kind, for one test; its end fails if a connection to it is left open. */
public final class TestStore implements AutoCloseable {
    /** The stores there are. */
    public enum Kind {
        POSTGRESQL,
        MARIADB,
        SQLITE,
        H2,
        /** MongoDB's driver with a server that speaks its protocol, in this JVM. */
        MONGODB
    }

    private final Closeable held;
    private final Function<String, DocumentStore> collections;
    private final Supplier<Documents> process;
    private final Documents documents;

    private TestStore(
            Function<String, DocumentStore> collections,
            Supplier<Documents> process,
            Closeable held) {
        this.collections = collections;
        this.process = process;
        documents = process.get();
        this.held = held;
    }

    private TestStore(CountedDataSource counted, Closeable held) {
        this(
                name -> new JdbcDocumentStore(counted, name, InstantSource.system()),
                () -> Documents.open(counted),
                () -> {
                    held.close();
                    assertThat(counted.open()).as("connections left open").isZero();
                });
    }

    public static TestStore create(Kind kind) {
        return switch (kind) {
            case POSTGRESQL -> database(TestDatabase.Kind.POSTGRESQL);
            case MARIADB -> database(TestDatabase.Kind.MARIADB);
            case H2 -> database(TestDatabase.Kind.H2);
            case SQLITE -> sqlite();
            case MONGODB -> mongo();
        };
    }

    private static TestStore database(TestDatabase.Kind kind) {
        TestDatabase database = TestDatabase.create(kind);
        return new TestStore(new CountedDataSource(database.pooled()), database::close);
    }

    private static TestStore sqlite() {
        try {
            Path file = Files.createTempFile("penstock-documents", ".sqlite");
            var dataSource = new SQLiteDataSource();
            dataSource.setUrl("jdbc:sqlite:" + file);
            dataSource.setJournalMode("WAL");
            // Others may force the log to a busy disk meanwhile; the three seconds of the driver
            // are for a quiet one.
            dataSource.setBusyTimeout(60_000);
            return new TestStore(new CountedDataSource(dataSource), () -> Files.delete(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TestStore mongo() {
        var server = new MongoServer(new MemoryBackend());
        MongoClient client = MongoClients.create(server.bindAndGetConnectionString());
        MongoDatabase database = client.getDatabase("test");
        return new TestStore(
                name -> new MongoDocumentStore(database, name, InstantSource.system()),
                () -> Documents.openMongo(database),
                () -> {
                    client.close();
                    server.shutdownNow();
                });
    }

    /** Its collections as users have them. */
    public Documents documents() {
        return documents;
    }

    /** Its collections as another process has them. */
    public Documents another() {
        return process.get();
    }

    /** A collection as {@link #documents} has them underneath. */
    public DocumentStore collection(String name) {
        DocumentStore store = collections.apply(name);
        store.create();
        return store;
    }

    @Override
    public void close() throws IOException {
        held.close();
    }
}
