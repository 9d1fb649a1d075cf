package dev.penstock.http;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that is done with, for logs and figures. To be used only while the listener that got it is running, and by
 * its thread.
 */
public interface FinishedRequest {
    /** The client's address, as text without port; {@code unix} for one at a Unix domain socket. */
    String remoteAddress();

    /** The method as it was sent, whatever it was; {@code -} where the request was malformed. */
    String method();

    /**
     * The path, decoded, without the query; {@code -} where the request was malformed. From a client: anything may be
     * in it.
     */
    String path();

    /** The path of its route as the server was built with it, such as {@code /api/{table}}; null where it has none. */
    @Nullable String route();

    /** {@code HTTP/1.1}, say. */
    String protocol();

    /** The status that was sent; 0 where none was. */
    int status();

    /** How much was sent, head and framing included; where another server has the connection, of the body alone. */
    long bytesSent();

    /** How long it took, from its head until the last byte had left or the response was broken. */
    long durationNanos();

    /** How long of that it was queued before its handler ran first. */
    long queuedNanos();

    /** How its response ended. */
    Ending ending();

    /** The first header of that name, ignoring case. */
    Optional<String> header(String name);

    /** What filters and handlers have kept with its exchange under a key. */
    default <T> Optional<T> attribute(AttributeKey<T> key) {
        return Optional.empty();
    }

    /** What the access log says of it besides: the texts of its {@linkplain AttributeKey#logged logged} attributes. */
    default Map<String, String> logged() {
        return Map.of();
    }

    /** The end of a response. */
    enum Ending {
        /** All of it has left. */
        COMPLETE("complete"),
        /** The server broke it: the handler failed after the head was sent, or the client was too slow. */
        RESET("reset"),
        /** The client went before all of it had left. */
        CLIENT_GONE("client-gone");

        private final String text;

        Ending(String text) {
            this.text = text;
        }

        /** As logs and figures name it: {@code client-gone}. */
        public String text() {
            return text;
        }
    }
}
