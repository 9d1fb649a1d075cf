package dev.penstock.http.http1;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.Failures;
import dev.penstock.http.exchange.MalformedRequest;
import dev.penstock.http.exchange.Rejection;
import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.http1.StrictDecoder.NotHttp;
import dev.penstock.http.http2.Http2Handler;
import dev.penstock.http.http2.Http2Session;
import dev.penstock.http.limits.Client;
import dev.penstock.http.limits.Clients;
import dev.penstock.http.limits.LimitExceeded;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.loop.ServerConnection;
import dev.penstock.http.tls.Tls;
import dev.penstock.http.upgrade.Upgrade;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1 connection. It is in one phase at a time, and all of it happens on its event loop, save where a method
 * says otherwise. One request is handled at a time; what a client pipelines behind it waits ({@link Http1Input}).
 */
public final class Http1Connection extends ChannelInboundHandlerAdapter
        implements ServerConnection {
    private final ServerContext server;
    private final Clients.Connection connection;
    private final ProtocolPolicy policy;
    private final Http1Input input;
    private final Http1Timeouts timeouts;

    private @Nullable ChannelHandlerContext context;
    private @Nullable Loop loop;
    private Phase phase = Phase.IDLE;
    private long phaseNanos = System.nanoTime();
    private @Nullable Http1Request current;
    private long drained;
    private volatile boolean reset;

    /** The phase of a connection. */
    enum Phase {
        /** Between requests. */
        IDLE,
        /** The start of a request's head is there. */
        HEAD,
        /** A request waits or is handled, or its response is on its way. */
        BUSY,
        /** The response has left, but not all of the request has come. */
        DRAINING,
        /** The end was sent; what still comes is dropped. */
        CLOSING,
        CLOSED
    }

    public Http1Connection(
            ServerContext server, Clients.Connection connection, ProtocolPolicy policy) {
        this.server = server;
        this.connection = connection;
        this.policy = policy;
        this.input = new Http1Input(this, server.settings());
        this.timeouts = new Http1Timeouts(server, this, input);
    }

    private ChannelHandlerContext context() {
        ChannelHandlerContext known = context;
        if (known == null) {
            throw new IllegalStateException("The connection is not open yet");
        }
        return known;
    }

    private void enter(Phase next) {
        enter(next, System.nanoTime());
    }

    private void enter(Phase next, long now) {
        phase = next;
        phaseNanos = now;
    }

    // What comes from the client.

    @Override
    public void channelActive(ChannelHandlerContext context) {
        begin(context, true);
    }

    /**
     * It is open.
     *
     * @param isNew whether the server does not know of it yet
     */
    public void begin(ChannelHandlerContext context, boolean isNew) {
        this.context = context;
        Channel channel = context.channel();
        // Asked for once, the channel knows it even when it is closed.
        var _ = channel.remoteAddress();
        loop = isNew ? server.opened(this, channel) : server.tookOver(this, channel);
        input.first(context);
        LimitExceeded exceeded = server.clients().exceeded(connection);
        if (exceeded != null) {
            refuse(new ErrorReply(Failures.tooMany(exceeded), "one connection too many"));
            return;
        }
        context.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (message instanceof ByteBuf bytes) {
            input.receivedAtRest(context, bytes);
            return;
        }
        try {
            if (phase == Phase.CLOSING || phase == Phase.CLOSED) {
                return;
            }
            if (message instanceof RequestHead head) {
                received(head);
            }
            if (message instanceof HttpContent content && phase != Phase.CLOSING) {
                received(content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void received(RequestHead head) {
        if (current != null) {
            throw new IllegalStateException("A request was decoded while another was answered");
        }
        if (policy.http1() != null) {
            refuse(policy.http1().reply());
            return;
        }
        Loop known = Objects.requireNonNull(loop, "opened");
        Http1Request request = new Http1Request(server, this, input, context(), known, head);
        current = request;
        enter(Phase.BUSY, request.exchange().startedNanos);
        timeouts.restart(phaseNanos);
        request.begin(head.target().segments());
    }

    private void received(HttpContent content) {
        Http1Request request = current;
        if (content.decoderResult().isFailure()) {
            bodyMalformed(request, content.decoderResult().cause());
        } else if (phase == Phase.DRAINING) {
            drain(content);
        } else if (request != null) {
            request.received(content);
        }
    }

    private void bodyMalformed(@Nullable Http1Request request, @Nullable Throwable cause) {
        ErrorReply refusal =
                ErrorReply.of(
                        cause instanceof MalformedRequest fault
                                ? fault
                                : new MalformedRequest(400, "a malformed body"));
        refusal.log(server, "the body of a request", remoteAddress());
        if (request == null) {
            closeGently();
        } else {
            request.malformedBody(refusal.answer());
        }
    }

    private void drain(HttpContent content) {
        drained += content.content().readableBytes();
        if (content instanceof LastHttpContent) {
            input.pause();
            next();
        } else if (drained > Http1Request.MOST_DRAINED) {
            closeGently();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (phase == Phase.IDLE && input.hasMore()) {
            enter(Phase.HEAD);
        }
        boolean noRequest = phase == Phase.HEAD || phase == Phase.IDLE;
        if (input.ended() && noRequest && !input.resumesSoon()) {
            context.close();
        }
        input.readOn(context);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == StrictDecoder.Preface.HTTP_2) {
            switchToHttp2(context);
        } else if (event instanceof ChannelInputShutdownEvent && !input.ended()) {
            input.end();
            timeouts.inputEnded(System.nanoTime());
            inputEnded(context);
        }
    }

    /** The client has begun with the preface of HTTP/2: another takes over, first of all what was read. */
    private void switchToHttp2(ChannelHandlerContext context) {
        if (policy.http2() != null) {
            policy.http2().send(context, server, remoteAddress());
            closeGently();
            return;
        }
        enter(Phase.CLOSED);
        context.pipeline()
                .replace(this, null, Http2Handler.of(new Http2Session(server, client()), server));
        input.handOver(context);
    }

    /** What is not here by now will not come. */
    private void inputEnded(ChannelHandlerContext context) {
        switch (phase) {
            case IDLE -> {
                if (!input.hasMore()) {
                    context.close();
                }
            }
            case HEAD, DRAINING -> {
                if (!input.resumesSoon()) {
                    context.close();
                }
            }
            case CLOSING -> context.close();
            case BUSY -> bodyCutOff();
            case CLOSED -> {}
        }
    }

    private void bodyCutOff() {
        if (current != null && !input.paused()) {
            current.malformedBody(
                    new HttpException(
                            400, "The client ended the request before all of its body was sent"));
        }
    }

    /** There is nothing more to decode, and nothing more will come. */
    void decodedAll(ChannelHandlerContext context) {
        if (phase == Phase.BUSY || phase == Phase.DRAINING) {
            inputEnded(context);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        enter(Phase.CLOSED);
        if (current != null) {
            current.gone();
        }
        server.closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable root = cause instanceof DecoderException ? cause.getCause() : cause;
        if (root instanceof NotHttp && current == null) {
            server.refusals()
                    .tell(() ->
                            "Closed a connection from %s: what it sent is not HTTP"
                                    .formatted(remoteAddress()));
            closeGently();
            return;
        }
        ErrorReply refusal = current == null ? ErrorReply.ofHead(root) : null;
        if (refusal != null) {
            refuse(refusal);
            return;
        }
        server.log().log(System.Logger.Level.DEBUG, "A connection failed", cause);
        if (root instanceof IOException) {
            // The client has broken it.
            breakOff();
        } else {
            reset();
        }
    }

    /** Answers what has no exchange, and closes the connection. */
    void refuse(ErrorReply refusal) {
        if (phase == Phase.CLOSING || phase == Phase.CLOSED) {
            return;
        }
        // What comes as a whole is refused before its head could begin a phase.
        long since = phase == Phase.IDLE ? System.nanoTime() : phaseNanos;
        Rejection.Connection rejected =
                new Rejection.Connection(
                        client(),
                        Objects.requireNonNull(loop, "opened"),
                        remoteAddress(),
                        "HTTP/1.1",
                        context().pipeline().get(SslHandler.class) != null);
        refusal.send(context(), server, rejected, since);
        closeGently();
    }

    // What its request asks for.

    /** The client's, as text; on any thread. */
    String remoteAddress() {
        return ServerContext.address(context().channel());
    }

    Client client() {
        return connection.client();
    }

    boolean isAnswering(Http1Request request) {
        return phase == Phase.BUSY && request == current;
    }

    /** Returns whether decoding may go on: no request is answered that has come as a whole. */
    boolean expectsInput() {
        return phase != Phase.BUSY || current == null || !current.bodyEnded();
    }

    /** The number of bytes of a body that may be read at once for its reader. */
    int bodyRoom() {
        return current == null ? 0 : current.bodyRoom();
    }

    /** Returns whether its request waits, without a thread or in a queue. */
    boolean waits() {
        return current != null && current.exchange().isAtRest();
    }

    boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    /** Returns whether it was broken from this side. On any thread. */
    boolean wasReset() {
        return reset;
    }

    /** The request's handler and its response are done with. */
    void finished(Http1Request request) {
        if (!isAnswering(request)) {
            return;
        }
        boolean bodyEnded = request.bodyEnded();
        current = null;
        drained = 0;
        // After a stop it is not kept for the rest of a body, even where the response's head has
        // said that it is kept.
        if (!request.persistent() || (!bodyEnded && server.stopping())) {
            closeGently();
        } else if (!bodyEnded) {
            enter(Phase.DRAINING);
            input.resumeSoon(context());
        } else {
            next();
        }
    }

    private void next() {
        if (server.stopping() || (input.ended() && !input.hasMore())) {
            closeGently();
            return;
        }
        // No earlier than what was before: after a pause of the JVM, the latest tick is long ago.
        long tick = Objects.requireNonNull(loop, "opened").tickNanos();
        enter(Phase.IDLE, tick - phaseNanos > 0 ? tick : phaseNanos);
        input.resumeSoon(context());
    }

    // How it ends.

    /** A write is about to fail for a reason of this side, and to close the connection: that must be no clean end. */
    void breaksOff() {
        reset = true;
        context().channel().config().setOption(ChannelOption.SO_LINGER, 0);
    }

    /** Never a clean end: where the body is delimited by it, a client would take what it has for the whole. */
    void breakOff() {
        Tls.breakOff(context().channel());
    }

    @Override
    public void reset() {
        if (!Objects.requireNonNull(loop, "opened").execute(this::resetNow)) {
            context().channel().close();
        }
    }

    void resetNow() {
        if (phase == Phase.CLOSED) {
            return;
        }
        reset = true;
        breakOff();
    }

    /** Sends the end, and waits for the client's: closing at once could destroy what the client has not read yet. */
    void closeGently() {
        if (phase == Phase.CLOSING || phase == Phase.CLOSED) {
            return;
        }
        enter(Phase.CLOSING);
        input.discard(context());
        if (input.ended()) {
            context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        context()
                .writeAndFlush(Unpooled.EMPTY_BUFFER)
                .addListener(_ -> Tls.shutdownOutput(context().channel()));
        input.readOn(context());
    }

    // Its time limits, and the end of the server.

    @Override
    public void tick(long now) {
        timeouts.tick(phase, phaseNanos, current, now);
    }

    /** Drops the connection at once: nobody has anything to lose, or its time is over. */
    void close() {
        context().close();
    }

    @Override
    public void stop() {
        switch (phase) {
            case IDLE, HEAD, DRAINING -> closeGently();
            case BUSY -> stopBusy();
            case CLOSING, CLOSED -> {}
        }
    }

    private void stopBusy() {
        if (current == null) {
            return;
        }
        Upgrade protocol = current.upgraded();
        if (protocol == null) {
            current.exchange().stop();
        } else {
            protocol.stop();
        }
    }

    @Override
    public boolean isOver() {
        return phase == Phase.CLOSED && (current == null || current.exchange().isFinished());
    }
}
