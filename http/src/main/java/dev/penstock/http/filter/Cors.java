package dev.penstock.http.filter;

import dev.penstock.http.Exchange;
import dev.penstock.http.Filter;
import dev.penstock.http.HttpException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Permission for scripts of other sites to read responses (the Fetch standard, "CORS protocol"). Browsers ask for it;
 * it protects users, not the server. Unless said otherwise: no credentials, no headers but those that need no
 * permission, and the methods GET, HEAD and POST. Responses without {@code Origin} are as they were, but for {@code
 * Vary}. Immutable; thread-safe.
 */
public final class Cors implements Filter {
    private static final String ANY = "*";

    private final Set<String> origins;
    private final List<String> methods;
    private final List<String> headers;
    private final List<String> exposed;
    private final boolean credentials;
    private final Duration maxAge;

    private Cors(
            Set<String> origins,
            List<String> methods,
            List<String> headers,
            List<String> exposed,
            boolean credentials,
            Duration maxAge) {
        this.origins = origins;
        this.methods = methods;
        this.headers = headers;
        this.exposed = exposed;
        this.credentials = credentials;
        this.maxAge = maxAge;
        if (credentials && origins.contains(ANY)) {
            throw new IllegalArgumentException(
                    "Every origin and credentials together would let any site act as its visitors; name the origins");
        }
    }

    /**
     * Permission for the scripts of some sites.
     *
     * @param origins such as {@code https://shop.example}, with the port where it is not the scheme's own
     * @throws IllegalArgumentException if one is no origin
     */
    public static Cors of(String... origins) {
        for (String origin : origins) {
            checkOrigin(origin);
        }
        return new Cors(
                Set.of(origins),
                List.of("GET", "HEAD", "POST"),
                List.of(),
                List.of(),
                false,
                Duration.ofMinutes(10));
    }

    /** Permission for the scripts of every site; for what anybody may read without signing in. */
    public static Cors anyOrigin() {
        return new Cors(
                Set.of(ANY),
                List.of("GET", "HEAD", "POST"),
                List.of(),
                List.of(),
                false,
                Duration.ofMinutes(10));
    }

    private static void checkOrigin(String origin) {
        URI uri = URI.create(origin);
        boolean whole =
                uri.getScheme() != null
                        && uri.getHost() != null
                        && uri.getRawPath().isEmpty()
                        && uri.getRawQuery() == null
                        && uri.getRawFragment() == null
                        && uri.getRawUserInfo() == null;
        if (!whole || !origin.equals(origin.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "No origin, which would be scheme://host[:port] in lower case: " + origin);
        }
    }

    /** The same, for these methods. */
    public Cors methods(String... allowed) {
        return new Cors(origins, List.of(allowed), headers, exposed, credentials, maxAge);
    }

    /** The same, where requests may have these headers. */
    public Cors requestHeaders(String... allowed) {
        return new Cors(origins, methods, List.of(allowed), exposed, credentials, maxAge);
    }

    /** The same, where scripts may read these headers of responses. */
    public Cors exposedHeaders(String... readable) {
        return new Cors(origins, methods, headers, List.of(readable), credentials, maxAge);
    }

    /**
     * The same, where requests may bring cookies and the like.
     *
     * @throws IllegalArgumentException if every origin is allowed
     */
    public Cors credentials() {
        return new Cors(origins, methods, headers, exposed, true, maxAge);
    }

    /** The same, where a browser keeps a permission for so long. Ten minutes unless set. */
    public Cors maxAge(Duration age) {
        return new Cors(origins, methods, headers, exposed, credentials, age);
    }

    @Override
    public boolean isNonBlocking() {
        return true;
    }

    /** Answers a browser that asks before a request; 403 with the reason where it may not be sent. */
    @Override
    public void handle(Exchange exchange) {
        String origin = exchange.header("Origin").orElse("");
        String method = exchange.header("Access-Control-Request-Method").orElse("");
        if (!exchange.method().equals("OPTIONS") || origin.isEmpty() || method.isEmpty()) {
            return;
        }
        if (!isAllowed(origin)) {
            throw new HttpException(403, "Scripts of this origin may not read what is here");
        }
        if (!methods.contains(method)) {
            throw new HttpException(
                    403,
                    "Scripts of other sites may not send this method; they may send "
                            + String.join(", ", methods));
        }
        Set<String> refused = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        exchange.header("Access-Control-Request-Headers").stream()
                .flatMap(names -> Arrays.stream(names.split(",", -1)))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .forEach(refused::add);
        headers.forEach(refused::remove);
        if (!refused.isEmpty()) {
            throw new HttpException(
                    403,
                    "Scripts of other sites may not send these headers; they may send "
                            + (headers.isEmpty() ? "none" : String.join(", ", headers)));
        }
        exchange.status(204)
                .header("Access-Control-Allow-Methods", String.join(", ", methods))
                .header("Access-Control-Max-Age", Long.toString(maxAge.toSeconds()));
        if (!headers.isEmpty()) {
            exchange.header("Access-Control-Allow-Headers", String.join(", ", headers));
        }
    }

    @Override
    public void after(Exchange exchange, int status) {
        if (status == 0) {
            return;
        }
        boolean any = origins.contains(ANY);
        if (!any) {
            exchange.addHeader("Vary", "Origin");
        }
        String origin = exchange.header("Origin").orElse("");
        if (origin.isEmpty() || !isAllowed(origin)) {
            return;
        }
        exchange.header("Access-Control-Allow-Origin", any ? ANY : origin);
        if (credentials) {
            exchange.header("Access-Control-Allow-Credentials", "true");
        }
        if (!exposed.isEmpty()) {
            exchange.header("Access-Control-Expose-Headers", String.join(", ", exposed));
        }
    }

    private boolean isAllowed(String origin) {
        return origins.contains(ANY) || origins.contains(origin);
    }
}
