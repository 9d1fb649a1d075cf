package dev.penstock.http.http1;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.http2.Http2Goodbye;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import org.jspecify.annotations.Nullable;

/**
 * The protocols that a connection may speak, and the answers to those that it may not.
 *
 * @param http1 the answer to every request of HTTP/1; null where it is spoken
 * @param http2 the answer to the preface of HTTP/2; null where it is spoken
 */
public record ProtocolPolicy(@Nullable Http1Refusal http1, @Nullable Http2Refusal http2) {
    /** HTTP/1.1 and HTTP/2, as the client begins. */
    public static final ProtocolPolicy BOTH = new ProtocolPolicy(null, null);

    /** HTTP/1.1 alone. */
    public static final ProtocolPolicy HTTP_1_ONLY =
            new ProtocolPolicy(
                    null,
                    new Http2Refusal(
                            Http2Error.HTTP_1_1_REQUIRED,
                            "HTTP/2 is not spoken here: use HTTP/1.1"));

    /** HTTP/2 alone. */
    public static final ProtocolPolicy HTTP_2_ONLY =
            new ProtocolPolicy(
                    new Http1Refusal(
                            505,
                            "HTTP/1 is not spoken here: use HTTP/2 from the start, over TLS by ALPN,"
                                    + " otherwise with prior knowledge",
                            "HTTP/1 is not spoken there"),
                    null);

    /** Nothing, as the connection ought to have begun with TLS. */
    public static final ProtocolPolicy TLS_MISSING =
            new ProtocolPolicy(
                    new Http1Refusal(
                            400,
                            "This port speaks TLS: ask for https:// instead of http://",
                            "what it sent is not TLS; it may have to ask for https:// instead of http://"),
                    new Http2Refusal(
                            Http2Error.INADEQUATE_SECURITY,
                            "This port speaks TLS: ask for https:// instead of http://"));

    /**
     * The answer to a request of HTTP/1.
     *
     * @param status the status of the response
     * @param detail what the client is told
     * @param reason what the log says
     */
    public record Http1Refusal(int status, String detail, String reason) {
        ErrorReply reply() {
            return new ErrorReply(new HttpException(status, detail), reason);
        }
    }

    /**
     * The answer to the preface of HTTP/2.
     *
     * @param error the code of the {@code GOAWAY}
     * @param detail what the client is told, in ASCII
     */
    public record Http2Refusal(Http2Error error, String detail) {
        /** Sends it in the client's own protocol, so that it can tell its user; the connection is to be ended then. */
        void send(ChannelHandlerContext context, ServerContext server, String remoteAddress) {
            server.refusals()
                    .tell(() ->
                            "Ended an HTTP/2 connection of %s with %s: %s"
                                    .formatted(remoteAddress, error, detail));
            context.writeAndFlush(Http2Goodbye.frames(context.alloc(), error, detail));
        }
    }
}
