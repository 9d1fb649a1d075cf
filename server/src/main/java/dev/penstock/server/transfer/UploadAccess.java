package dev.penstock.server.transfer;

import dev.penstock.http.AttributeKey;
import dev.penstock.http.Exchange;
import dev.penstock.http.Filter;
import dev.penstock.http.HttpException;
import dev.penstock.server.config.TokenFile;
import dev.penstock.server.config.UploadSettings;
import dev.penstock.server.page.LocalOnly;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decision whose uploads a request is about. With tokens, a request must bring one, and what it uploads belongs to
 * that; without, it must come from this machine, and neither through a proxy nor under a foreign name. A web page from
 * elsewhere is refused in both cases, unless its origin is allowed. Thread-safe.
 */
final class UploadAccess implements Filter {
    /** To whom the uploads of a request belong; empty where there are no tokens. */
    private static final AttributeKey<String> OWNER = AttributeKey.of("owner");

    /**
     * The cookie by which the page brings the token of a download that the browser makes. It is good for reading alone.
     */
    private static final String COOKIE = "penstock-token";

    private static final String BEARER = "bearer ";
    private static final Set<String> READING = Set.of("GET", "HEAD");
    private static final int LONGEST = 1024;

    private final @Nullable TokenFile tokens;
    private final List<String> origins;

    UploadAccess(UploadSettings settings) {
        tokens = settings.tokens();
        origins = settings.origins();
    }

    /** Returns the owner of the uploads that a request is about. */
    static String owner(Exchange exchange) {
        return exchange.attribute(OWNER).orElse("");
    }

    @Override
    public boolean isNonBlocking() {
        return true;
    }

    @Override
    public void handle(Exchange exchange) {
        requireOrigin(exchange);
        TokenFile known = tokens;
        if (known == null) {
            requireThisMachine(exchange);
        } else if (!exchange.method().equals("OPTIONS")) {
            // Whoever asks what there is to speak gets an answer; it is the same for all.
            exchange.attribute(OWNER, owner(exchange, known));
        }
    }

    private void requireOrigin(Exchange exchange) {
        String origin = exchange.header("Origin").orElse("");
        boolean allowed =
                LocalOnly.isOfThisSite(exchange)
                        || origins.contains(origin)
                        || origins.contains("*");
        if (!allowed) {
            throw new HttpException(
                    403,
                    "Pages of another site may not use the uploads here; the option --allow-origin lets them, with a"
                            + " token");
        }
    }

    private static void requireThisMachine(Exchange exchange) {
        if (!LocalOnly.isLocal(exchange)) {
            throw new HttpException(
                    403,
                    "Without tokens, uploads are for this machine alone: send them to http://127.0.0.1, or start the"
                            + " server with --token-file");
        }
    }

    private static String owner(Exchange exchange, TokenFile known) {
        Optional<String> sent =
                exchange.header("Authorization")
                        .filter(value -> value.length() <= LONGEST)
                        .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(BEARER))
                        .map(value -> value.substring(BEARER.length()).strip());
        if (sent.isEmpty() && READING.contains(exchange.method())) {
            sent = exchange.cookie(COOKIE).filter(value -> value.length() <= LONGEST);
        }
        if (sent.isEmpty()) {
            throw refused("Uploads need a token: send the header Authorization: Bearer TOKEN", "");
        }
        return sent.flatMap(known::owner)
                .orElseThrow(() ->
                        refused(
                                "The token is none that is known here: check it, or ask whoever runs the server for"
                                        + " one",
                                ", error=\"invalid_token\""));
    }

    private static HttpException refused(String detail, String error) {
        return new HttpException(401, detail)
                .header("WWW-Authenticate", "Bearer realm=\"uploads\"" + error);
    }
}
