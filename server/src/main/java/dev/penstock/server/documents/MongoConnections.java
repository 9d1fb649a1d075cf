package dev.penstock.server.documents;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.penstock.documents.DocumentException;
import dev.penstock.documents.collection.Documents;
import dev.penstock.server.config.MongoTarget;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.database.DatabaseHealth;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/**
 * A client of MongoDB. Its connections, and the time that anything takes, are bounded, unless the URL has bounds of its
 * own. Thread-safe.
 */
final class MongoConnections implements DocumentConnections {
    private static final int REACH_SECONDS = 5;
    private static final int ANSWER_SECONDS = 60;

    private final MongoTarget target;
    private final MongoReachability reachability;
    private final MongoClient client;

    private MongoConnections(
            MongoTarget target, MongoReachability reachability, MongoClient client) {
        this.target = target;
        this.reachability = reachability;
        this.client = client;
    }

    static MongoConnections to(MongoTarget target, int requests) {
        var reachability = new MongoReachability();
        try {
            return new MongoConnections(
                    target,
                    reachability,
                    MongoClients.create(settings(target.url(), reachability, requests)));
        } catch (MongoException e) {
            throw MongoFailure.atStart(e, target);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new StartupException(
                    "%s has options that can't be used together, or here: check those behind ? in --mongodb"
                            .formatted(target));
        }
    }

    private static MongoClientSettings settings(
            ConnectionString url, MongoReachability reachability, int requests) {
        return MongoClientSettings.builder()
                .applicationName("penstock")
                .applyConnectionString(url)
                .applyToClusterSettings(cluster -> {
                    cluster.addClusterListener(reachability);
                    if (url.getServerSelectionTimeout() == null) {
                        cluster.serverSelectionTimeout(REACH_SECONDS, TimeUnit.SECONDS);
                    }
                })
                .applyToSocketSettings(socket -> {
                    if (url.getConnectTimeout() == null) {
                        socket.connectTimeout(REACH_SECONDS, TimeUnit.SECONDS);
                    }
                    if (url.getSocketTimeout() == null) {
                        socket.readTimeout(ANSWER_SECONDS, TimeUnit.SECONDS);
                    }
                })
                .applyToConnectionPoolSettings(pool -> {
                    if (url.getMaxWaitTime() == null) {
                        pool.maxWaitTime(REACH_SECONDS, TimeUnit.SECONDS);
                    }
                    if (url.getMaxConnectionPoolSize() == null) {
                        // As with a relational database; and one that asks whether it answers.
                        pool.maxSize(2 * requests + 1);
                    }
                })
                .build();
    }

    private MongoDatabase database() {
        return client.getDatabase(target.database());
    }

    @Override
    public Documents documents() {
        return Documents.openMongo(database());
    }

    @Override
    public void opened() {
        reachability.begin();
    }

    @Override
    public DatabaseHealth health() {
        MongoDatabase asked = database();
        var ping = new BsonDocument("ping", new BsonInt32(1));
        return new DatabaseHealth(
                "MongoDB",
                () -> {
                    asked.runCommand(ping);
                    return true;
                });
    }

    @Override
    public StartupException failed(DocumentException failure) {
        return failure.getCause() instanceof MongoException cause
                ? MongoFailure.atStart(cause, target)
                : new StartupException("--documents: " + failure.getMessage(), failure);
    }

    @Override
    public void close() {
        client.close();
    }
}
