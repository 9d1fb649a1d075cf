package dev.penstock.films.page;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Resource;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.query.Engine;
import java.util.List;

/**
 * The page {@code GET /films}: streams over the film store, each with the Java that was run, the SQL that it became,
 * the answer, and the time that took.
 *
 * <pre>{@code
 * try (Connection connection = source.getConnection()) {
 *     FilmStore.of(1).create(connection);
 * }
 * ServerBuilder server = Server.builder();
 * new Films(Database.connect(source)).mount(server, shortRequests);
 * }</pre>
 *
 * <p>Thread-safe. A page runs its few short queries one after the other, on the handler's thread.
 */
public final class Films {
    private static final String POLICY =
            "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    private final List<Showing<?>> showings;
    private final String engine;

    /**
     * The page over an engine that has a film store.
     *
     * @throws IllegalArgumentException if its tables are not there, or are others
     */
    public Films(Engine engine) {
        this.showings = Showings.of(engine);
        this.engine = engine.name();
    }

    /**
     * Serves the page at {@code /films}, under the admission of short requests, and its style at {@code /films.css}.
     * Returns the builder.
     */
    public ServerBuilder mount(ServerBuilder server, Admission shortRequests) {
        return server.get("/films", this::page, _ -> shortRequests)
                .get("/films.css", Resource.of(Films.class, "films.css"));
    }

    private void page(Exchange exchange) {
        exchange.header("Content-Security-Policy", POLICY)
                .header("Cache-Control", "no-store")
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .respond(200, "text/html; charset=utf-8", FilmsPage.of(showings, engine));
    }
}
