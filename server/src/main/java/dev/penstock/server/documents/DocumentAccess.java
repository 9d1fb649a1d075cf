package dev.penstock.server.documents;

import dev.penstock.http.Exchange;
import dev.penstock.http.Filter;
import dev.penstock.http.HttpException;
import dev.penstock.server.config.TokenFile;
import dev.penstock.server.page.LocalOnly;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The decision who may use documents. With tokens, a request must bring one; without, it must come from this machine,
 * and neither through a proxy nor from a page of another site. Thread-safe.
 */
final class DocumentAccess implements Filter {
    private static final String BEARER = "bearer ";
    private static final int LONGEST = 1024;

    private final @Nullable TokenFile tokens;

    DocumentAccess(@Nullable TokenFile tokens) {
        this.tokens = tokens;
    }

    @Override
    public boolean isNonBlocking() {
        return true;
    }

    @Override
    public void handle(Exchange exchange) {
        if (!LocalOnly.isOfThisSite(exchange)) {
            throw new HttpException(403, "Pages of another site may not use the documents here");
        }
        TokenFile known = tokens;
        if (known != null) {
            requireToken(exchange, known);
        } else if (!LocalOnly.isLocal(exchange)) {
            throw new HttpException(
                    403,
                    "Without tokens, documents are for this machine alone: ask http://127.0.0.1, or start the server"
                            + " with --token-file");
        }
    }

    private static void requireToken(Exchange exchange, TokenFile known) {
        String sent =
                exchange.header("Authorization")
                        .filter(value -> value.length() <= LONGEST)
                        .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(BEARER))
                        .map(value -> value.substring(BEARER.length()).strip())
                        .orElseThrow(() ->
                                refused(
                                        "Documents need a token: send the header Authorization: Bearer TOKEN",
                                        ""));
        if (known.owner(sent).isEmpty()) {
            throw refused(
                    "The token is none that is known here: check it, or ask whoever runs the server for one",
                    ", error=\"invalid_token\"");
        }
    }

    private static HttpException refused(String detail, String error) {
        return new HttpException(401, detail)
                .header("WWW-Authenticate", "Bearer realm=\"documents\"" + error);
    }
}
