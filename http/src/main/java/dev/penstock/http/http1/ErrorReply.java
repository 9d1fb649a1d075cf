package dev.penstock.http.http1;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.MalformedRequest;
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

    /** Writes the whole response and a line to the access log; the connection is to be ended afterwards. */
    void send(
            ChannelHandlerContext context,
            ServerContext server,
            String remoteAddress,
            long sinceNanos) {
        server.refusals()
                .refused(
                        "a request",
                        remoteAddress,
                        answer.status(),
                        reason == null ? "malformed" : reason);
        ByteBuf response = encode(server.problem(answer), server.date().now());
        int length = response.readableBytes();
        context.writeAndFlush(response);
        server.finished(() ->
                new RejectedRequest(
                        remoteAddress,
                        "HTTP/1.1",
                        answer.status(),
                        length,
                        System.nanoTime() - sinceNanos));
    }

    private static ByteBuf encode(Problem problem, String date) {
        byte[] document = problem.bytes();
        ResponseHead first = new ResponseHead(problem.head(document.length), false, false, date);
        return Unpooled.wrappedBuffer(first.toBuffer(), Unpooled.wrappedBuffer(document));
    }
}
