package dev.penstock.http.websocket;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.ServerExchange;
import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.message.Syntax;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request for a WebSocket that is as it must be: a GET that asks for an upgrade (RFC 6455, section 4.2), or an
 * extended CONNECT of HTTP/2 (RFC 8441, section 5).
 *
 * @param accept what proves to the client that it was understood; null over HTTP/2, whose framing does
 * @param subprotocol the one that was chosen, or null
 * @param deflate how messages are compressed, or null where they are not
 */
record WebSocketHandshake(
        @Nullable String accept, @Nullable String subprotocol, @Nullable MessageDeflate deflate) {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String VERSION = "13";
    private static final int KEY_BYTES = 16;

    /** Of the key's bytes in base64, padding included. */
    private static final int KEY_LENGTH = 24;

    /**
     * Checks a request.
     *
     * @throws HttpException if it is none, or not as it must be, or from where it may not be
     */
    static WebSocketHandshake of(ServerExchange exchange, WebSocket.Options options) {
        if (!exchange.isConnect()) {
            checkUpgrade(exchange);
        }
        checkVersion(exchange);
        if (exchange.received() != null) {
            throw new HttpException(400, "A request for a WebSocket can't have a body");
        }
        checkOrigin(exchange, options);
        boolean compresses = options.compression() && exchange.mayCompress();
        List<String> extensions = exchange.headers("Sec-WebSocket-Extensions");
        return new WebSocketHandshake(
                exchange.isConnect() ? null : accept(key(exchange)),
                choose(exchange, options),
                compresses ? MessageDeflate.choose(extensions) : null);
    }

    private static void checkUpgrade(ServerExchange exchange) {
        if (!exchange.method().equals("GET")) {
            throw new HttpException(405, "A WebSocket is opened by GET").header("Allow", "GET");
        }
        if (!Syntax.hasElement(exchange.headers("Upgrade"), "websocket")
                || !Syntax.hasElement(exchange.headers("Connection"), "upgrade")) {
            throw new HttpException(426, "This path answers WebSockets only: ask for an upgrade")
                    .header("Upgrade", "websocket");
        }
    }

    private static void checkVersion(ServerExchange exchange) {
        List<String> versions = exchange.headers("Sec-WebSocket-Version");
        if (versions.isEmpty()) {
            throw new HttpException(400, "The request has no Sec-WebSocket-Version: 13 is spoken");
        }
        if (versions.size() > 1 || !versions.getFirst().trim().equals(VERSION)) {
            throw new HttpException(426, "Version 13 of WebSockets is spoken, and no other")
                    .header("Upgrade", "websocket")
                    .header("Sec-WebSocket-Version", VERSION);
        }
    }

    private static String key(ServerExchange exchange) {
        List<String> keys = exchange.headers("Sec-WebSocket-Key");
        try {
            if (keys.size() == 1
                    && keys.getFirst().length() == KEY_LENGTH
                    && Base64.getDecoder().decode(keys.getFirst()).length == KEY_BYTES) {
                return keys.getFirst();
            }
        } catch (IllegalArgumentException _) {
            // Said below.
        }
        throw new HttpException(
                400, "The request needs one Sec-WebSocket-Key, of 16 bytes in base64");
    }

    private static String accept(String key) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-1")
                            .digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every JDK has SHA-1", impossible);
        }
    }

    /**
     * A browser lets a script of any page open a WebSocket to any server, with the user's cookies, and says only whose
     * script it is. So this is what keeps other pages out. Who is no browser says nothing.
     */
    private static void checkOrigin(ServerExchange exchange, WebSocket.Options options) {
        List<String> origins = exchange.headers("Origin");
        if (origins.isEmpty() || options.origins().contains("*")) {
            return;
        }
        String origin = origins.getFirst().trim();
        String host = exchange.header("Host").orElse("").trim();
        boolean same = origins.size() == 1 && isOf(origin, host);
        if (!same && options.origins().stream().noneMatch(origin::equalsIgnoreCase)) {
            throw new HttpException(
                    403,
                    "A script of another origin can't open this WebSocket,"
                            + " unless the server's options name its origin");
        }
    }

    /**
     * Returns whether it is the host's. Its scheme does not matter, which a proxy before this server may have changed.
     */
    private static boolean isOf(String origin, String host) {
        int authority = origin.indexOf("://") + 3;
        String scheme = authority < 3 ? "" : origin.substring(0, authority - 3);
        String port =
                switch (scheme.toLowerCase(Locale.ROOT)) {
                    case "http" -> ":80";
                    case "https" -> ":443";
                    default -> "";
                };
        return !port.isEmpty()
                && !host.isEmpty()
                && without(port, origin.substring(authority)).equalsIgnoreCase(without(port, host));
    }

    private static String without(String port, String host) {
        return host.endsWith(port) ? host.substring(0, host.length() - port.length()) : host;
    }

    private static @Nullable String choose(ServerExchange exchange, WebSocket.Options options) {
        List<String> offered = Syntax.elements(exchange.headers("Sec-WebSocket-Protocol"));
        return options.subprotocols().stream().filter(offered::contains).findFirst().orElse(null);
    }

    /** The base-2 logarithm of the window with which messages are compressed; 0 where they are not. */
    int windowBits() {
        return deflate == null ? 0 : deflate.windowBits();
    }

    /** Adds the headers of the response. */
    void addHeaders(ResponseHeaders headers) {
        if (accept != null) {
            headers.set("Upgrade", "websocket");
            headers.set("Sec-WebSocket-Accept", accept);
        }
        if (subprotocol != null) {
            headers.set("Sec-WebSocket-Protocol", subprotocol);
        }
        if (deflate != null) {
            headers.set("Sec-WebSocket-Extensions", deflate.response());
        }
    }
}
