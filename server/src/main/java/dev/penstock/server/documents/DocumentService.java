package dev.penstock.server.documents;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.collection.DocumentCollection;
import dev.penstock.documents.collection.Documents;
import dev.penstock.http.Admission;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.server.config.ConcurrencyLimits;
import dev.penstock.server.config.DocumentSettings;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.config.TokenFile;
import dev.penstock.server.database.DatabaseHealth;
import dev.penstock.server.page.DocumentsPage;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The collections of XML documents of a server at {@code /documents}, with their page. Closing it closes its
 * connections; responses must have ended before. Thread-safe.
 */
public final class DocumentService implements AutoCloseable {
    public static final String PATH = "/documents";

    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final int MOST_REQUESTS = 8;

    private final DocumentSettings settings;
    private final DocumentConnections connections;
    private final DocumentResource resource;
    private final Admission admission;

    private DocumentService(
            DocumentSettings settings,
            DocumentConnections connections,
            DocumentResource resource,
            Admission admission) {
        this.settings = settings;
        this.connections = connections;
        this.resource = resource;
        this.admission = admission;
    }

    /**
     * Opens the collections, and makes those that are missing.
     *
     * @throws StartupException if the database can't hold them
     */
    public static DocumentService open(DocumentSettings settings, ConcurrencyLimits limits) {
        DocumentConnections connections =
                DocumentConnections.to(settings.database(), MOST_REQUESTS);
        try {
            Documents documents = connections.documents();
            Map<String, DocumentCollection> collections = new LinkedHashMap<>();
            for (String name : settings.collections()) {
                collections.put(name, documents.collection(name));
            }
            connections.opened();
            return new DocumentService(
                    settings,
                    connections,
                    new DocumentResource(collections),
                    new Admission(MOST_REQUESTS, limits.queueLimit(), limits.queueTimeout()));
        } catch (DocumentException e) {
            connections.close();
            throw connections.failed(e);
        } catch (IllegalArgumentException e) {
            connections.close();
            throw new StartupException("--documents: " + e.getMessage(), e);
        }
    }

    /** Returns what admits requests for documents. */
    public Admission admission() {
        return admission;
    }

    /** Returns the check whether the database answers; null where another checks the same database. */
    public @Nullable DatabaseHealth health() {
        return connections.health();
    }

    /** Adds the routes. */
    public void mount(ServerBuilder builder) {
        var page =
                new DocumentsPage(
                        PATH, settings.collections().getFirst(), settings.tokens() != null);
        page.mount(builder);
        builder.group(
                PATH,
                group -> {
                    group.admission(admission)
                            .maxBody(Long.MAX_VALUE)
                            .before(page.filter())
                            .filter(new DocumentAccess(settings.tokens()));
                    resource.mount(group);
                });
    }

    /** Reads the tokens again, and logs the outcome. */
    public void reloadTokens() {
        TokenFile tokens = settings.tokens();
        if (tokens == null) {
            return;
        }
        try {
            if (tokens.reload()) {
                LOG.log(
                        System.Logger.Level.INFO,
                        "Read the tokens for documents again. They have changed");
            }
        } catch (StartupException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The tokens for documents that were read before stay in use: "
                            + e.getMessage());
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
