package dev.penstock.http.message;

import java.util.Locale;
import java.util.Set;

/**
 * The fields that must be headers (RFC 9110, section 6.5.1): what frames, routes or authenticates a message, says how
 * to handle it or what its content is. A recipient that merged such a trailer would read another message than this
 * server.
 */
public final class TrailerNames {
    private static final Set<String> HEADERS_OF_REQUESTS =
            Set.of(
                    "authorization",
                    "cache-control",
                    "connection",
                    "content-encoding",
                    "content-length",
                    "content-range",
                    "content-type",
                    "cookie",
                    "expect",
                    "host",
                    "if-match",
                    "if-modified-since",
                    "if-none-match",
                    "if-range",
                    "if-unmodified-since",
                    "keep-alive",
                    "max-forwards",
                    "pragma",
                    "proxy-authorization",
                    "proxy-connection",
                    "range",
                    "set-cookie",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    private static final Set<String> HEADERS_OF_RESPONSES =
            Set.of(
                    "accept-ranges",
                    "age",
                    "date",
                    "expires",
                    "location",
                    "proxy-authenticate",
                    "retry-after",
                    "strict-transport-security",
                    "vary",
                    "www-authenticate");

    private TrailerNames() {}

    /** Returns whether a request may have it as a trailer. */
    public static boolean isAllowedInRequest(String name) {
        return !HEADERS_OF_REQUESTS.contains(name.toLowerCase(Locale.ROOT));
    }

    /**
     * Refuses what a response can't have as a trailer.
     *
     * @throws IllegalArgumentException that says why
     */
    public static void checkForResponse(String name) {
        Syntax.checkName(name);
        if (!isAllowedInRequest(name)
                || HEADERS_OF_RESPONSES.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    name + " can't be a trailer: it must be a header (RFC 9110, section 6.5.1)");
        }
    }
}
