package dev.penstock.http.http2;

import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.exchange.Settings;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http2.DecoratingHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Netty's codec of HTTP/2 as this server uses it: no channel for each stream, equal shares for all streams (the
 * priorities of RFC 7540 are deprecated), and errors that end as {@link Http2Errors} says.
 */
public final class Http2Handler extends Http2ConnectionHandler {
    /** What comes before the payload of a frame. */
    static final int FRAME = 9;

    private static final int TABLE = 4 * 1024;
    private static final AsciiString DATE = new AsciiString("date");
    private static final AsciiString CONTENT_LENGTH = new AsciiString("content-length");

    private final Http2Session session;
    private final Http2Requests requests;
    private final FrameGuard guard;
    private boolean discarding;

    private Http2Handler(
            Http2Session session,
            Http2Requests requests,
            FrameGuard guard,
            Http2ConnectionDecoder decoder,
            Http2ConnectionEncoder encoder,
            Http2Settings announced) {
        super(decoder, encoder, announced, true);
        this.session = session;
        this.requests = requests;
        this.guard = guard;
    }

    public static Http2Handler of(Http2Session session, ServerContext server) {
        Settings settings = server.settings();
        Http2Connection connection = new DefaultHttp2Connection(true);
        Http2Requests requests = new Http2Requests(server, session, connection);
        connection.remote().maxActiveStreams(settings.maxStreams());
        // The windows of the streams bound what is held; that of the connection would only have
        // one that nobody reads stall the others.
        connection
                .local()
                .flowController(new DefaultHttp2LocalFlowController(connection, 0.5f, true));
        connection
                .remote()
                .flowController(
                        new DefaultHttp2RemoteFlowController(
                                connection, new UniformStreamByteDistributor(connection)));
        long maxHead =
                settings.maxRequestLine()
                        + settings.maxHeaderBytes()
                        + 32L * (settings.maxHeaders() + 4);
        FrameGuard guard =
                new FrameGuard(
                        new DefaultHttp2FrameReader(new DefaultHttp2HeadersDecoder(true, maxHead)),
                        connection,
                        requests);
        Http2ConnectionEncoder encoder =
                new DefaultHttp2ConnectionEncoder(connection, new Writer(requests, guard));
        DefaultHttp2ConnectionDecoder decoder =
                new DefaultHttp2ConnectionDecoder(
                        connection,
                        encoder,
                        guard,
                        Http2PromisedRequestVerifier.ALWAYS_VERIFY,
                        true,
                        true,
                        true,
                        true);
        decoder.frameListener(requests);
        connection.addListener(requests);
        Http2Settings announced =
                new Http2Settings()
                        .maxConcurrentStreams(settings.maxStreams())
                        .initialWindowSize(Http2Body.WINDOW)
                        .maxHeaderListSize(maxHead)
                        .connectProtocolEnabled(true);
        return new Http2Handler(session, requests, guard, decoder, encoder, announced);
    }

    Http2Requests requests() {
        return requests;
    }

    FrameGuard guard() {
        return guard;
    }

    /** From now on drops all that comes. */
    void discard() {
        discarding = true;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) throws Exception {
        super.handlerAdded(context);
        session.begin(this, context);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
            throws Exception {
        if (discarding) {
            session.dropped(in.readableBytes());
            in.skipBytes(in.readableBytes());
        } else {
            super.decode(context, in, out);
        }
    }

    /** A client that sends no more can't go on with anything. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        super.userEventTriggered(context, event);
        if (event instanceof ChannelInputShutdownEvent) {
            context.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        discarding = true;
        super.channelInactive(context);
        session.closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        session.errors().below(cause);
    }

    @Override
    protected void onConnectionError(
            ChannelHandlerContext context,
            boolean outbound,
            Throwable cause,
            @Nullable Http2Exception error) {
        session.errors().ofConnection(cause, error);
    }

    @Override
    protected void onStreamError(
            ChannelHandlerContext context,
            boolean outbound,
            Throwable cause,
            Http2Exception.StreamException error) {
        session.errors().ofStream(outbound, error);
    }

    @Override
    public ChannelFuture resetStream(
            ChannelHandlerContext context, int stream, long error, ChannelPromise promise) {
        guard.reset(stream);
        return super.resetStream(context, stream, error, promise);
    }

    /** So many bytes with what comes before each frame of them. */
    private static int framed(int bytes, int mostInOne) {
        return bytes + FRAME * Math.max(1, Math.ceilDiv(bytes, mostInOne));
    }

    /** Tells who sends what, once the client has room for it. */
    private static final class Writer extends DecoratingHttp2FrameWriter {
        private final Http2Requests requests;
        private final FrameGuard guard;

        Writer(Http2Requests requests, FrameGuard guard) {
            super(new DefaultHttp2FrameWriter(new HeadersEncoder(requests)));
            this.requests = requests;
            this.guard = guard;
        }

        @Override
        public ChannelFuture writeData(
                ChannelHandlerContext context,
                int stream,
                ByteBuf data,
                int padding,
                boolean last,
                ChannelPromise promise) {
            int bytes = data.readableBytes();
            guard.sent(bytes);
            requests.written(
                    stream, framed(bytes, configuration().frameSizePolicy().maxFrameSize()));
            return super.writeData(context, stream, data, padding, last, promise);
        }
    }

    /**
     * Keeps the table of sent headers small, whatever the client allows, and free of what differs from response to
     * response.
     */
    private static final class HeadersEncoder extends DefaultHttp2HeadersEncoder {
        private final Http2Requests requests;

        HeadersEncoder(Http2Requests requests) {
            super(
                    (name, _) -> DATE.contentEquals(name) || CONTENT_LENGTH.contentEquals(name),
                    true,
                    16);
            this.requests = requests;
        }

        @Override
        public void encodeHeaders(int stream, Http2Headers headers, ByteBuf out)
                throws Http2Exception {
            int before = out.readableBytes();
            super.encodeHeaders(stream, headers, out);
            requests.written(
                    stream,
                    framed(out.readableBytes() - before, Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE));
        }

        @Override
        public void maxHeaderTableSize(long most) throws Http2Exception {
            super.maxHeaderTableSize(Math.min(most, TABLE));
        }
    }
}
