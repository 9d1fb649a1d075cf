package dev.penstock.http.http2;

import dev.penstock.http.exchange.ServerContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The errors of an HTTP/2 connection and of its streams: what is broken by each, what the client is told, and what the
 * log is. On the connection's event loop.
 */
final class Http2Errors {
    private final ServerContext server;
    private final Http2Session session;

    Http2Errors(ServerContext server, Http2Session session) {
        this.server = server;
        this.session = session;
    }

    /** The client made this side break a stream, or refuse it. */
    void broke(Http2Error error) throws Http2Exception {
        session.handler().guard().broke(error);
    }

    /** A stream can't go on. */
    void ofStream(boolean outbound, Http2Exception.StreamException error) {
        Http2Handler handler = session.handler();
        Http2Stream stream = handler.connection().stream(error.streamId());
        if (outbound && stream == null) {
            return;
        }
        if (outbound) {
            server.log().log(
                    System.Logger.Level.DEBUG,
                    "Broke a stream of {0}: {1}",
                    session.remoteAddress(),
                    error.error());
        } else {
            server.refusals()
                    .tell(() ->
                            "Broke a stream of %s: %s"
                                    .formatted(session.remoteAddress(), error.error()));
        }
        boolean tooLarge = error instanceof Http2Exception.HeaderListSizeException;
        if (!tooLarge || stream != null || !handler.requests().refuseLargeHead(error.streamId())) {
            ChannelHandlerContext context = session.handlerContext();
            var _ =
                    handler.resetStream(
                            context, error.streamId(), error.error().code(), context.newPromise());
        }
        if (!outbound) {
            try {
                broke(error.error());
            } catch (Http2Exception flood) {
                ofConnection(flood, flood);
            }
        }
    }

    /** Nothing that comes can be trusted any more. */
    void ofConnection(Throwable cause, @Nullable Http2Exception known) {
        if (session.isEnding()) {
            return;
        }
        if (known == null && cause instanceof IOException) {
            below(cause);
            return;
        }
        Http2Error error = known == null ? Http2Error.INTERNAL_ERROR : known.error();
        boolean ours = known == null || error == Http2Error.INTERNAL_ERROR;
        String line =
                "Ended an HTTP/2 connection of %s with %s%s"
                        .formatted(
                                session.remoteAddress(),
                                error,
                                known instanceof FrameGuard.Flood ? ": " + known.getMessage() : "");
        if (ours) {
            server.log().log(System.Logger.Level.WARNING, line, cause);
        } else {
            server.refusals().tell(() -> line);
        }
        ByteBuf reason =
                known instanceof FrameGuard.Flood
                        ? ByteBufUtil.writeAscii(
                                session.handlerContext().alloc(), known.getMessage())
                        : Unpooled.EMPTY_BUFFER;
        session.endNow(error, reason);
    }

    /** Something has failed below HTTP/2. */
    void below(Throwable cause) {
        server.log().log(System.Logger.Level.DEBUG, "A connection failed", cause);
        session.breakOff();
    }
}
