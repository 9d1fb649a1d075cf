package dev.penstock.http.websocket;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.ServerExchange;
import dev.penstock.http.limits.Bounds;
import dev.penstock.http.message.Syntax;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which both sides send messages when they like (RFC 6455), and which holds no thread while they don't.
 * Opened by a handler of GET; over HTTP/2 a client asks for it by an extended CONNECT (RFC 8441), which goes to the
 * same handler, and it is a stream beside others:
 *
 * <pre>{@code
 * .get("/echo", exchange -> WebSocket.open(exchange, new WebSocket.Listener() {
 *     public void text(WebSocket socket, String message, boolean last) throws IOException {
 *         socket.send(message);
 *     }
 * }))
 * }</pre>
 *
 * <p>It counts as a request that waits, for as long as it is open. What is on its way to the client is bounded by 64
 * KiB; what has come and was not taken by the listener by about 16 KiB (over HTTP/2 64 KiB) beyond a message of the
 * greatest size. A client that does not answer a ping is thrown out. Messages are compressed where the client offers
 * that, each for itself, so that an idle connection holds nothing for it. Thread-safe.
 */
public final class WebSocket implements AutoCloseable {
    private final WebSocketConnection connection;
    private final WebSocketSender sender;
    private final @Nullable String subprotocol;

    WebSocket(
            WebSocketConnection connection, WebSocketSender sender, @Nullable String subprotocol) {
        this.connection = connection;
        this.sender = sender;
        this.subprotocol = subprotocol;
    }

    /**
     * A listener to what comes from a client. Called on virtual threads, in order and one call at a time; while a call
     * lasts, little more is read from the client, so a slow listener slows the client down. What a call throws is
     * logged and closes the connection with 1011.
     */
    public interface Listener {
        /** The connection is open: the first call. */
        default void opened(WebSocket socket) throws Exception {}

        /**
         * A message of text, or a part of one if parts were asked for. Unless it is overridden, texts are refused: the
         * connection is closed with 1003.
         *
         * @param last whether the message ends with it
         */
        default void text(WebSocket socket, String text, boolean last) throws Exception {
            socket.close(1003, "This endpoint takes no texts");
        }

        /** The same of bytes; the buffer is the listener's own. */
        default void binary(WebSocket socket, ByteBuffer bytes, boolean last) throws Exception {
            socket.close(1003, "This endpoint takes texts only");
        }

        /**
         * The connection is closed: the last call, exactly one if {@link #opened} was called.
         *
         * @param code what the client said, 1005 if it gave none, or what it was told; 1006 if it went without a word
         * @param reason the same; often empty
         */
        default void closed(WebSocket socket, int code, String reason) throws Exception {}
    }

    /**
     * Settings with which connections are opened. Immutable.
     *
     * @param maxMessageBytes the largest message that a client may send, or the largest frame where parts are taken;
     * 125 to 2^30. What is compressed counts as it was before. Beyond it the connection is closed with 1009. All that
     * has come of a client's messages before they are whole is at most a quarter of what may lie unread in the server,
     * which is an eighth of the heap and at most 256 MiB: beyond that, it is closed with 1013
     * @param inParts whether parts of messages go to the listener as they come, instead of whole messages
     * @param subprotocols those that are spoken, the best first; the first that the client offers is chosen, if
     *     there is one
     * @param origins which pages' scripts may open it besides those of the same host, as {@code
     *     https://example.org}; {@code *} is any
     * @param compression whether messages are compressed in both directions (permessage-deflate, RFC 7692), where the
     *     client offers that and the server compresses at all
     * @param pingEvery how long the client may be silent until it is sent a ping; 10 ms to a day
     * @param pongTimeout how long it may be silent then, until it is thrown out; 10 ms to a day
     * @param idleTimeout how long neither side may send a message until the connection is closed with 1001, pings or
     *     not; 10 ms to 3,650 days, or zero for as long as it may be
     */
    public record Options(
            int maxMessageBytes,
            boolean inParts,
            List<String> subprotocols,
            List<String> origins,
            boolean compression,
            Duration pingEvery,
            Duration pongTimeout,
            Duration idleTimeout) {
        private static final Duration LEAST = Duration.ofMillis(10);
        private static final Duration MOST_PING = Duration.ofDays(1);
        private static final Duration MOST_IDLE = Duration.ofDays(3650);

        /**
         * Whole messages of at most 64 KiB, compressed where the client offers it; no subprotocols; the same origin; a
         * ping after 30 s of silence, and 30 s more for its answer; no limit of idleness.
         */
        public static final Options DEFAULT =
                new Options(
                        64 * 1024,
                        false,
                        List.of(),
                        List.of(),
                        true,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(30),
                        Duration.ZERO);

        /** Checks them. */
        public Options {
            var _ = Bounds.within("maxMessageBytes", maxMessageBytes, 125, 1 << 30);
            subprotocols = List.copyOf(subprotocols);
            origins = List.copyOf(origins);
            for (String subprotocol : subprotocols) {
                if (!Syntax.isToken(subprotocol)) {
                    throw new IllegalArgumentException(
                            "Subprotocol '" + subprotocol + "' is not a token of HTTP");
                }
            }
            for (String origin : origins) {
                if (!origin.equals("*") && !origin.matches("https?://[^/]+")) {
                    throw new IllegalArgumentException(
                            "Origin '%s' is not of the form https://example.org".formatted(origin));
                }
            }
            check("pingEvery", pingEvery, MOST_PING);
            check("pongTimeout", pongTimeout, MOST_PING);
            if (!idleTimeout.isZero()) {
                check("idleTimeout", idleTimeout, MOST_IDLE);
            }
        }

        private static void check(String name, Duration time, Duration most) {
            if (time.compareTo(LEAST) < 0 || time.compareTo(most) > 0) {
                throw new IllegalArgumentException(
                        "%s is %s; it must be from 10 ms to %d days"
                                .formatted(name, time, most.toDays()));
            }
        }

        /** The same with another bound on messages. */
        public Options withMaxMessageBytes(int bytes) {
            return new Options(
                    bytes,
                    inParts,
                    subprotocols,
                    origins,
                    compression,
                    pingEvery,
                    pongTimeout,
                    idleTimeout);
        }

        /** The same, with messages in parts. */
        public Options withParts() {
            return new Options(
                    maxMessageBytes,
                    true,
                    subprotocols,
                    origins,
                    compression,
                    pingEvery,
                    pongTimeout,
                    idleTimeout);
        }

        /** The same with subprotocols. */
        public Options withSubprotocols(String... names) {
            return new Options(
                    maxMessageBytes,
                    inParts,
                    List.of(names),
                    origins,
                    compression,
                    pingEvery,
                    pongTimeout,
                    idleTimeout);
        }

        /** The same with other origins. */
        public Options withOrigins(String... allowed) {
            return new Options(
                    maxMessageBytes,
                    inParts,
                    subprotocols,
                    List.of(allowed),
                    compression,
                    pingEvery,
                    pongTimeout,
                    idleTimeout);
        }

        /** The same, where messages are sent as they are, and compressed ones are not taken. */
        public Options withoutCompression() {
            return new Options(
                    maxMessageBytes,
                    inParts,
                    subprotocols,
                    origins,
                    false,
                    pingEvery,
                    pongTimeout,
                    idleTimeout);
        }

        /** The same with pings after so much silence, for whose answers there is as much time. */
        public Options withPingEvery(Duration silence) {
            return withPingEvery(silence, silence);
        }

        /** The same with pings after so much silence, and so much time for their answers. */
        public Options withPingEvery(Duration silence, Duration timeout) {
            return new Options(
                    maxMessageBytes,
                    inParts,
                    subprotocols,
                    origins,
                    compression,
                    silence,
                    timeout,
                    idleTimeout);
        }

        /** The same, closed after so long without a message. */
        public Options withIdleTimeout(Duration timeout) {
            return new Options(
                    maxMessageBytes,
                    inParts,
                    subprotocols,
                    origins,
                    compression,
                    pingEvery,
                    pongTimeout,
                    timeout);
        }
    }

    /** Opens one with the default options. */
    public static void open(Exchange exchange, Listener listener) {
        open(exchange, Options.DEFAULT, listener);
    }

    /**
     * Opens a connection as soon as the handler returns; to be called by the handler of a GET, which does nothing else
     * with the exchange.
     *
     * @throws HttpException if the request does not ask for a WebSocket (426), or not properly (400); if it comes
     *     from a script of another origin (403); if as many requests wait as may (503); if it came by HTTP/1.0, by a
     *     GET of HTTP/2, or to a servlet container (501)
     */
    public static void open(Exchange exchange, Options options, Listener listener) {
        if (!(exchange instanceof ServerExchange known)) {
            throw new IllegalArgumentException(
                    "WebSockets can be opened on exchanges of this server only, not on a "
                            + exchange.getClass().getName());
        }
        if (!known.canUpgrade()) {
            throw new HttpException(
                    501,
                    "A WebSocket is opened on the server's own port, by an upgrade of HTTP/1.1"
                            + " or by CONNECT with :protocol = websocket over HTTP/2");
        }
        WebSocketHandshake handshake = WebSocketHandshake.of(known, options);
        Long client = known.client().key();
        known.upgrade(new WebSocketConnection(handshake, options, listener, client));
    }

    /** What was chosen of the subprotocols; nothing if the client offered none that is spoken. */
    public Optional<String> subprotocol() {
        return Optional.ofNullable(subprotocol);
    }

    /** Returns whether messages can be sent. */
    public boolean isOpen() {
        return sender.isOpen();
    }

    /**
     * Sends a text, as one message. Blocks while the client is slower, and while another message is being sent; for
     * threads that may.
     *
     * @throws IOException if the connection is closed, or is while it waits; or if the thread is interrupted, in which
     *     case a message of more than 32,000 bytes whose beginning was sent closes the connection with 1011
     */
    public void send(String text) throws IOException {
        sender.send(Frames.TEXT, Frames.utf8(text));
    }

    /** The same of bytes: all that remain in the buffer. */
    public void send(ByteBuffer bytes) throws IOException {
        sender.send(Frames.BINARY, bytes);
    }

    /**
     * Sends a text, as one message, if there is room for it now; never waits.
     *
     * @return false if it was not sent: the connection is closed, the client is too slow, or a message of more than
     *     32,000 bytes is being sent. Threads that offer at once don't hinder each other
     * @throws IllegalArgumentException if it is longer than 32,000 bytes of UTF-8, for which there is never room at
     *     once
     */
    public boolean offer(String text) {
        return offer(new OfferedMessage(Frames.TEXT, Frames.utf8(text)));
    }

    /** The same of bytes: all that remain in the buffer. */
    public boolean offer(ByteBuffer bytes) {
        boolean sent = offer(new OfferedMessage(Frames.BINARY, bytes));
        if (sent) {
            bytes.position(bytes.limit());
        }
        return sent;
    }

    boolean offer(OfferedMessage message) {
        return sender.offer(message);
    }

    /** Closes the connection with 1000. */
    @Override
    public void close() {
        close(1000, "");
    }

    /**
     * Says that nothing more will be sent, and closes the connection when the client has answered, or after 5 s. What
     * was sent before still goes out. Closing twice does no harm.
     *
     * @param code 1000 to 1003, 1007 to 1014, or 3000 to 4999
     * @param reason at most 123 bytes of UTF-8
     */
    public void close(int code, String reason) {
        Frames.checkClose(code, reason);
        connection.close(code, reason);
    }
}
