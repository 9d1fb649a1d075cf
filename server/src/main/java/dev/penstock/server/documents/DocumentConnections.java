package dev.penstock.server.documents;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.collection.Documents;
import dev.penstock.server.config.DatabaseTarget;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.MongoTarget;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.database.DatabaseHealth;
import org.jspecify.annotations.Nullable;

/** The connections to the database that holds the documents. Thread-safe. */
interface DocumentConnections extends AutoCloseable {
    /**
     * Makes connections when they are needed; the caller closes them.
     *
     * @param requests how many use them at once
     * @throws StartupException if what the target says can't be done
     */
    static DocumentConnections to(DatabaseTarget target, int requests) {
        return switch (target) {
            case JdbcTarget jdbc -> new JdbcConnections(jdbc, requests);
            case MongoTarget mongo -> MongoConnections.to(mongo, requests);
        };
    }

    /** Returns the documents there. */
    Documents documents();

    /** Tells that the collections are open: from now on, the log says when the database goes and comes. */
    default void opened() {}

    /** Returns the check whether the database answers; null where another checks the same database. */
    @Nullable DatabaseHealth health();

    /** Explains why the collections could not be opened. */
    StartupException failed(DocumentException failure);

    @Override
    void close();
}
