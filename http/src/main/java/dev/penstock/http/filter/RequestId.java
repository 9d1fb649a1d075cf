package dev.penstock.http.filter;

import dev.penstock.http.AttributeKey;
import dev.penstock.http.Exchange;
import dev.penstock.http.Filter;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * A name for each request, in the header {@code X-Request-Id} of its response and, as {@code requestId}, in the access
 * log, by which its traces in several places are found. Thread-safe.
 */
public final class RequestId implements Filter {
    /** The name of the request. */
    public static final AttributeKey<String> KEY =
            AttributeKey.logged("requestId", Function.identity());

    private static final String HEADER = "X-Request-Id";
    private static final int LONGEST = 64;

    private final boolean clients;

    private RequestId(boolean clients) {
        this.clients = clients;
    }

    /** New names, whatever clients send. */
    public static RequestId made() {
        return new RequestId(false);
    }

    /**
     * The name that the client sends in {@code X-Request-Id}, if it has 1 to 64 letters, digits, {@code -}, {@code _}
     * and dots, else a new one; for a server behind a proxy that names requests.
     */
    public static RequestId ofClientOrMade() {
        return new RequestId(true);
    }

    @Override
    public boolean isNonBlocking() {
        return true;
    }

    @Override
    public void handle(Exchange exchange) {
        exchange.attribute(KEY, name(exchange));
    }

    /** Requests that are refused before their filters have a name too. */
    @Override
    public void after(Exchange exchange, int status) {
        String name = exchange.attribute(KEY).orElse(null);
        if (name == null) {
            name = name(exchange);
            exchange.attribute(KEY, name);
        }
        if (status > 0) {
            exchange.header(HEADER, name);
        }
    }

    private String name(Exchange exchange) {
        if (clients) {
            String sent = exchange.header(HEADER).orElse("");
            if (isName(sent)) {
                return sent;
            }
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }

    private static boolean isName(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean alphanumeric =
                    (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
            if (!alphanumeric && c != '.' && c != '_' && c != '-') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= LONGEST;
    }
}
