package dev.penstock.http.http2;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.Rejection;
import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.log.RejectedRequest;
import dev.penstock.http.response.Problem;
import dev.penstock.http.response.ResponseTransport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.ssl.SslHandler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection of HTTP/2, and the frames that come for them. On its event loop.
 *
 * <p>A stream whose client has gone counts as one of the connection's streams until its handler has noticed, so that a
 * client can't have more handlers at work than it may have streams.
 */
final class Http2Requests extends Http2EventAdapter {
    private final ServerContext server;
    private final Http2Session session;
    private final Http2Connection connection;
    private final Http2Connection.PropertyKey key;
    private final List<Http2Request> requests = new ArrayList<>(4);

    /** Of all responses so far. */
    private long bytesSent;

    Http2Requests(ServerContext server, Http2Session session, Http2Connection connection) {
        this.server = server;
        this.session = session;
        this.connection = connection;
        key = connection.newKey();
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    /** Those that there are now. */
    List<Http2Request> all() {
        return List.copyOf(requests);
    }

    private @Nullable Http2Request of(@Nullable Http2Stream stream) {
        return stream == null ? null : stream.getProperty(key);
    }

    private void add(Http2Stream stream, Http2Request request) {
        stream.setProperty(key, request);
        request.place(requests.size());
        requests.add(request);
    }

    /** Nothing of a request is left. */
    void remove(Http2Request request) {
        Http2Request moved = requests.removeLast();
        if (moved != request) {
            requests.set(request.place(), moved);
            moved.place(request.place());
        }
    }

    /** Called now and then, for their time limits. */
    void tick(long now) {
        // Backwards: when one goes meanwhile, the last takes its place.
        for (int i = requests.size() - 1; i >= 0; i--) {
            if (i < requests.size()) {
                requests.get(i).tick(now);
            }
        }
    }

    /** So many bytes of a stream go to the socket, framing included: the client has room for them. */
    void written(int stream, int bytes) {
        bytesSent += bytes;
        Http2Request request = of(connection.stream(stream));
        if (request != null) {
            request.written(bytes);
        }
    }

    // What comes from the client.

    @Override
    public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings)
            throws Http2Exception {
        session.settingsCame();
    }

    @Override
    public void onSettingsAckRead(ChannelHandlerContext context) {
        session.settingsAcknowledged();
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext context,
            int id,
            Http2Headers headers,
            int dependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean last)
            throws Http2Exception {
        Http2Stream stream = connection.stream(id);
        Http2Request known = of(stream);
        if (known != null) {
            trailers(known, headers, last);
        } else if (!stream.isHeadersSent()) {
            begin(stream, headers, last);
        }
    }

    /** Netty has seen that nothing follows them. */
    private void trailers(Http2Request request, Http2Headers headers, boolean last)
            throws Http2Exception {
        if (!last) {
            return;
        }
        try {
            request.ended(Http2Head.trailers(request.stream().id(), headers, server.settings()));
        } catch (HttpException fault) {
            request.malformedBody(fault);
        }
    }

    private void begin(Http2Stream stream, Http2Headers headers, boolean last)
            throws Http2Exception {
        if (requests.size() >= server.settings().maxStreams()) {
            throw Http2Exception.streamError(
                    stream.id(),
                    Http2Error.REFUSED_STREAM,
                    "Handlers of earlier streams still run");
        }
        Http2Head head;
        try {
            head = Http2Head.of(stream.id(), headers, last, server.settings());
        } catch (HttpException fault) {
            refuse(stream, fault);
            session.errors().broke(Http2Error.PROTOCOL_ERROR);
            return;
        }
        Http2Request request = new Http2Request(session, stream, head);
        add(stream, request);
        request.begin(head.target().segments(), head.contentLength());
    }

    @Override
    public int onDataRead(
            ChannelHandlerContext context, int id, ByteBuf data, int padding, boolean last) {
        Http2Request request = of(connection.stream(id));
        int bytes = data.readableBytes();
        if (request == null) {
            return bytes + padding;
        }
        request.received(data, last);
        return padding;
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        Http2Request request = of(stream);
        if (request != null) {
            request.closed();
        }
    }

    // What can't be answered by a handler.

    /** The head of a stream that is not there yet was too large. Returns whether the client is told so. */
    boolean refuseLargeHead(int id) {
        try {
            // Whether more of it follows is not known any more.
            Http2Stream made = connection.remote().createStream(id, false);
            made.headersReceived(false);
            refuse(
                    made,
                    new HttpException(
                            431,
                            "The request has more than %d bytes of headers."
                                    .formatted(server.settings().maxHeaderBytes())));
            return true;
        } catch (Http2Exception _) {
            return false;
        }
    }

    private void refuse(Http2Stream stream, HttpException answer) {
        String address = session.remoteAddress();
        server.refusals()
                .refused("a request", address, answer.status(), "its head is not acceptable");
        Rejection seen = Rejection.of(server, rejected(address), answer.status());
        Problem problem = server.problem(answer);
        byte[] document = problem.bytes();
        ResponseTransport.Head head = problem.head(document.length, seen.headers());
        long before = bytesSent;
        var _ = session.writeHead(stream, Http2Head.of(head, server.date().now()), false);
        long bytes = bytesSent - before + Http2Handler.FRAME + document.length;
        session.writeData(stream, Unpooled.wrappedBuffer(document), true)
                .addListener(_ -> {
                    if (stream.state().remoteSideOpen()) {
                        // It need not send the rest (RFC 9113, section 8.1).
                        session.reset(stream, Http2Error.NO_ERROR);
                    }
                });
        server.finished(() ->
                new RejectedRequest(address, "HTTP/2", answer.status(), bytes, 0, seen.logged()));
    }

    private Rejection.Connection rejected(String address) {
        return new Rejection.Connection(
                session.client(),
                session.loop(),
                address,
                "HTTP/2",
                session.channel().pipeline().get(SslHandler.class) != null);
    }
}
