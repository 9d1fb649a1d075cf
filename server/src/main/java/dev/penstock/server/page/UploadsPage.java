package dev.penstock.server.page;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.Resource;
import dev.penstock.http.server.ServerBuilder;

/**
 * The page of uploads: takes files by drag and drop, shows how far each is, pauses and resumes them, and lists what is
 * there. It is a client of the protocol below the same path; so browsers get it there, and programs do not.
 */
public final class UploadsPage {
    /** The directory of files, as the home page has it. */
    public static final Example FILES =
            new Example(
                    "Files",
                    "What is in the directory, of any size: a download that broke off goes on where it was.",
                    "/files/",
                    "");

    private final String path;
    private final String page;

    /**
     * The page at a path.
     *
     * @param needsToken whether requests have to bring a token, which the page asks for
     */
    public UploadsPage(String path, boolean needsToken) {
        this.path = path;
        page =
                PageText.resource(UploadsPage.class, "uploads.html")
                        .replace("{{path}}", path)
                        .replace("{{token}}", needsToken ? "required" : "none");
    }

    /** Returns what the home page has of uploads. */
    public static Example example(boolean needsToken) {
        return new Example(
                "Uploads",
                "Drop files onto a page, or send them by a command: pause, close, come back, and they go on where they"
                        + " were.",
                "/uploads",
                "./penstock put",
                needsToken ? "--token-file TOKEN FILE" : "FILE");
    }

    /** Serves the page's style and script. */
    public void mount(ServerBuilder builder) {
        builder.get("/uploads.css", Resource.of(UploadsPage.class, "uploads.css"))
                .get("/uploads.js", Resource.of(UploadsPage.class, "uploads.js"))
                .get("/uploads-client.js", Resource.of(UploadsPage.class, "uploads-client.js"));
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
