package dev.penstock.http.http1;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.MalformedRequest;
import dev.penstock.http.exchange.Rejection;
import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.log.RejectedRequest;
import dev.penstock.http.response.Problem;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * The answer to what is no request.
 *
 * @param answer what the client gets
 * @param reason what the log says of it; nothing of the client's bytes
 */
record ErrorReply(HttpException answer, @Nullable String reason) {
    static ErrorReply of(MalformedRequest fault) {
        return new ErrorReply(fault.answer(), fault.getMessage());
    }

    /** The answer to a head that could not be read; null if that has failed otherwise. */
    static @Nullable ErrorReply ofHead(@Nullable Throwable failure) {
        return switch (failure) {
            case MalformedRequest fault -> of(fault);
            case HttpException fault -> new ErrorReply(fault, "its target or host is malformed");
            case null, default -> null;
        };
    }

    /**
     * Tells the log.
     *
     * @param what was refused
     */
    void log(ServerContext server, String what, String remoteAddress) {
        server.refusals()
                .refused(
                        what,
                        remoteAddress,
                        answer.status(),
                        reason == null ? "malformed" : reason);
    }

    /** Writes the whole response and a line to the access log; the connection is to be ended afterwards. */
    void send(
            ChannelHandlerContext context,
            ServerContext server,
            Rejection.Connection rejected,
            long sinceNanos) {
        String remoteAddress = rejected.remoteAddress();
        log(server, "a request", remoteAddress);
        Rejection seen = Rejection.of(server, rejected, answer.status());
        ByteBuf response = encode(server.problem(answer), seen, server.date().now());
        int length = response.readableBytes();
        context.writeAndFlush(response);
        server.finished(() ->
                new RejectedRequest(
                        remoteAddress,
                        "HTTP/1.1",
                        answer.status(),
                        length,
                        System.nanoTime() - sinceNanos,
                        seen.logged()));
    }

    private static ByteBuf encode(Problem problem, Rejection seen, String date) {
        byte[] document = problem.bytes();
        ResponseHead first =
                new ResponseHead(problem.head(document.length, seen.headers()), false, false, date);
        return Unpooled.wrappedBuffer(first.toBuffer(), Unpooled.wrappedBuffer(document));
    }
}
