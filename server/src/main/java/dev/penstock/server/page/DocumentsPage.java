package dev.penstock.server.page;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.Resource;
import dev.penstock.http.server.ServerBuilder;

/** The page of XML documents: stores one, searches by XPath or by paths, and shows what is found and how. */
public final class DocumentsPage {
    /** What the home page has of documents. */
    public static final Example EXAMPLE =
            new Example(
                    "XML documents",
                    "Kept as JSON by the database, given back as they were, found by XPath.",
                    "/documents",
                    "");

    private final String path;
    private final String page;

    /**
     * The page at a path.
     *
     * @param collection that it begins with
     * @param needsToken whether requests have to bring a token, which the page asks for
     */
    public DocumentsPage(String path, String collection, boolean needsToken) {
        this.path = path;
        page =
                PageText.resource(DocumentsPage.class, "documents.html")
                        .replace("{{path}}", path)
                        .replace("{{collection}}", PageText.escape(collection))
                        .replace("{{token}}", needsToken ? "required" : "none");
    }

    /** Serves the page's style and script. */
    public void mount(ServerBuilder builder) {
        builder.get("/documents.css", Resource.of(DocumentsPage.class, "documents.css"))
                .get("/documents.js", Resource.of(DocumentsPage.class, "documents.js"));
    }

    /** Returns a filter that answers browsers with the page. */
    public Handler filter() {
        return Handler.nonBlocking(exchange -> {
            if (exchange.method().equals("GET") && exchange.path().equals(path)) {
                exchange.addHeader("Vary", "Accept");
                if (asksForPage(exchange)) {
                    PagePolicy.SCRIPT.send(exchange, 200, "no-cache", page);
                }
            }
        });
    }

    private static boolean asksForPage(Exchange exchange) {
        return exchange.headers("Accept").stream().anyMatch(types -> types.contains("text/html"));
    }
}
