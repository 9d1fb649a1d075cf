package dev.penstock.server.documents;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.documents.DocumentException;
import dev.penstock.documents.collection.Documents;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.database.DatabaseHealth;
import dev.penstock.server.database.DriverDataSource;
import org.jspecify.annotations.Nullable;

/** A pool of connections to a relational database. Thread-safe. */
final class JdbcConnections implements DocumentConnections {
    private final HikariDataSource pool;

    JdbcConnections(JdbcTarget target, int requests) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("penstock-documents");
        config.setDataSource(new DriverDataSource(target.driver(), target));
        // A search holds one, and one more to read a document in pieces after its stream has moved
        // on.
        config.setMaximumPoolSize(2 * requests);
        config.setMinimumIdle(1);
        config.setInitializationFailTimeout(-1);
        pool = new HikariDataSource(config);
    }

    @Override
    public Documents documents() {
        return Documents.open(pool);
    }

    @Override
    public @Nullable DatabaseHealth health() {
        return null;
    }

    @Override
    public StartupException failed(DocumentException failure) {
        return new StartupException("--documents: " + failure.getMessage(), failure);
    }

    @Override
    public void close() {
        pool.close();
    }
}
