package dev.penstock.http.exchange;

import dev.penstock.http.limits.Client;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.response.ResponseTransport;
import dev.penstock.http.route.FilterChain;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer to bytes that could not be read as a request, after the server's filters.
 *
 * @param headers to be added to the response
 * @param logged for the access log, by name
 */
public record Rejection(ResponseHeaders headers, Map<String, String> logged) {
    private static final RequestTarget UNKNOWN = new RequestTarget("-", List.of(), "", List.of());

    /** Calls the filters for an answer of this status. On the event loop. */
    public static Rejection of(ServerContext server, Connection connection, int status) {
        FilterChain filters = server.dispatcher().filters();
        if (filters.after().isEmpty()) {
            return new Rejection(new ResponseHeaders(), Map.of());
        }
        ServerExchange exchange =
                new ServerExchange(server, connection, "-", UNKNOWN, RequestHeaders.NONE, null);
        exchange.unrouted(filters);
        exchange.rejected(status);
        return new Rejection(exchange.response().headers(), exchange.logged());
    }

    /** The connection that it came from. */
    public record Connection(
            Client client, Loop loop, String remoteAddress, String protocol, boolean isSecure)
            implements ExchangeConnection {
        @Override
        public ResponseTransport transport() {
            return new Nowhere();
        }

        @Override
        public void reset() {}

        @Override
        public void finished(ServerExchange exchange) {}
    }

    /** The response is sent by whoever has rejected the request. */
    private static final class Nowhere implements ResponseTransport {
        @Override
        public ByteBuf allocate(int bytes) {
            return Unpooled.buffer(bytes);
        }

        @Override
        public void send(@Nullable Head head, @Nullable ByteBuf payload, boolean last) {
            if (payload != null) {
                payload.release();
            }
        }

        @Override
        public boolean offer(ByteBuf payload, int budget) {
            payload.release();
            return false;
        }

        @Override
        public void onRoom(Runnable action) {}

        @Override
        public void reset() {}
    }
}
