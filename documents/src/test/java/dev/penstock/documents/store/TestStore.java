package dev.penstock.documents.store;

import dev.penstock.databases.TestDatabase;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** A fresh store of one kind, for one test. */
final class TestStore implements AutoCloseable {
    /** The stores there are. */
    enum Kind {
        POSTGRESQL,
        MARIADB,
        SQLITE,
        H2
    }

    private final Closeable held;
    private final DataSource dataSource;

    private TestStore(DataSource dataSource, Closeable held) {
        this.dataSource = dataSource;
        this.held = held;
    }

    static TestStore create(Kind kind) {
        return switch (kind) {
            case POSTGRESQL -> database(TestDatabase.Kind.POSTGRESQL);
            case MARIADB -> database(TestDatabase.Kind.MARIADB);
            case H2 -> database(TestDatabase.Kind.H2);
            case SQLITE -> sqlite();
        };
    }

    private static TestStore database(TestDatabase.Kind kind) {
        TestDatabase database = TestDatabase.create(kind);
        return new TestStore(database.dataSource(), database::close);
    }

    private static TestStore sqlite() {
        try {
            Path file = Files.createTempFile("penstock-documents", ".sqlite");
            var dataSource = new SQLiteDataSource();
            dataSource.setUrl("jdbc:sqlite:" + file);
            dataSource.setJournalMode("WAL");
            return new TestStore(dataSource, () -> Files.delete(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    DocumentStore collection(String name) {
        DocumentStore store = new JdbcDocumentStore(dataSource, name, InstantSource.system());
        store.create();
        return store;
    }

    @Override
    public void close() throws IOException {
        held.close();
    }
}
