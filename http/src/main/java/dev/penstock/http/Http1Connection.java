package dev.penstock.http;

import dev.penstock.http.StrictDecoder.MalformedRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1 connection. It is in one phase at a time, and all of it happens on its event loop, save where a method says
 * otherwise.
 *
 * <p>One request is handled at a time. What a client pipelines behind it stays undecoded, and when {@link #AHEAD} bytes of
 * that are there, the socket is not read any more. Until then it is read although nothing is expected, because only so does
 * a client that leaves show.
 *
 * <p>A client that closes its sending side may have gone, or may wait for its response: nothing tells the two apart until
 * something is sent. So the response goes on, and when there is nothing on its way to the client for
 * {@link #QUIET_NANOS}, the client is taken for gone.
 */
final class Http1Connection extends ChannelInboundHandlerAdapter
        implements ServerExchange.Connection {
    /** How many bytes are read ahead of what can be decoded. */
    private static final int AHEAD = 16 * 1024;

    /** How much of a body that no handler wanted is read and dropped, to keep the connection. */
    private static final int MOST_DRAINED = 64 * 1024;

    private static final int MOST_DROPPED = 1024 * 1024;
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final byte[] CONTINUE = Syntax.ascii("HTTP/1.1 100 Continue\r\n\r\n");

    private final Server server;
    private final Settings settings;
    private final StrictDecoder decoder;
    private final MinimumRate reading;
    private final MinimumRate writing;
    private final long openedNanos = System.nanoTime();

    private @Nullable ChannelHandlerContext context;
    private String remoteAddress = "-";
    private Phase phase = Phase.IDLE;
    private long phaseNanos = openedNanos;
    private @Nullable ServerExchange current;
    private @Nullable Http1Wire wire;
    private boolean inputClosed;
    private long quietNanos;
    private long lastWritten;
    private long dropped;
    private boolean reset;
    private boolean resumeQueued;

    /** Of the current request; the handler's thread reads them. */
    private volatile boolean http10;

    private volatile boolean keepAlive;
    private volatile boolean expectsContinue;
    private volatile long contentLength;

    /** Where a connection stands. */
    private enum Phase {
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

    Http1Connection(Server server, StrictDecoder decoder) {
        this.server = server;
        this.settings = server.settings();
        this.decoder = decoder;
        long window = settings.minimumRateWindow().toNanos();
        reading = new MinimumRate(settings.minimumRate(), window);
        writing = new MinimumRate(settings.minimumRate(), window);
    }

    private ChannelHandlerContext context() {
        ChannelHandlerContext known = context;
        if (known == null) {
            throw new IllegalStateException("The connection is not open yet");
        }
        return known;
    }

    private void enter(Phase next) {
        phase = next;
        phaseNanos = System.nanoTime();
    }

    // What comes from the client.

    @Override
    public void channelActive(ChannelHandlerContext context) {
        this.context = context;
        if (context.channel().remoteAddress() instanceof InetSocketAddress address) {
            remoteAddress = address.getAddress().getHostAddress();
        }
        server.opened(this, context.channel());
        context.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        try {
            if (phase == Phase.CLOSING || phase == Phase.CLOSED) {
                return;
            }
            if (message instanceof HttpRequest request) {
                received(request);
            }
            if (message instanceof HttpContent content && phase != Phase.CLOSING) {
                received(content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void received(HttpRequest request) {
        if (current != null) {
            throw new IllegalStateException("A request was decoded while another was answered");
        }
        if (request.decoderResult().isFailure()) {
            refuse(fault(request.decoderResult().cause()));
            return;
        }
        try {
            accept(RequestHead.of(request));
        } catch (MalformedRequest fault) {
            refuse(fault);
        } catch (HttpException fault) {
            refuse(fault, "its target or host is malformed");
        }
    }

    private void accept(RequestHead head) {
        http10 = head.http10();
        keepAlive = head.keepAlive();
        expectsContinue = head.expectsContinue();
        contentLength = head.contentLength();
        RequestBody body = new RequestBody(settings.maxBodyBytes(), this::demandBody);
        Http1Wire newWire = new Http1Wire(this, context().channel());
        HttpHeaders headers = head.headers();
        ServerExchange exchange =
                new ServerExchange(
                        server, this, newWire, head.method(), head.target(), headers, body);
        wire = newWire;
        current = exchange;
        quietNanos = System.nanoTime();
        reading.restart();
        writing.restart();
        enter(Phase.BUSY);
        if (contentLength == 0) {
            body.end();
            decoder.pause();
        }
        if (contentLength > settings.maxBodyBytes()) {
            keepAlive = false;
            exchange.answerHere(_ -> {
                throw RequestBody.tooLarge(settings.maxBodyBytes());
            });
        } else {
            server.dispatch(exchange);
        }
    }

    private void received(HttpContent content) throws Exception {
        ServerExchange exchange = current;
        boolean last = content instanceof LastHttpContent;
        if (content.decoderResult().isFailure()) {
            malformedBody(exchange);
            return;
        }
        if (phase == Phase.DRAINING) {
            dropped += content.content().readableBytes();
            if (last) {
                decoder.pause();
                next();
            } else if (dropped > MOST_DRAINED) {
                closeGently();
            }
            return;
        }
        if (exchange == null || exchange.received().ended()) {
            return;
        }
        RequestBody body = exchange.received();
        if (!body.offer(content.content().retain())) {
            decoder.pause();
        }
        if (last) {
            body.end();
            decoder.pause();
        }
    }

    private void malformedBody(@Nullable ServerExchange exchange) {
        keepAlive = false;
        if (exchange == null || phase == Phase.DRAINING) {
            closeGently();
        } else {
            exchange.received().malformed("The chunks of the request's body are malformed");
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (phase == Phase.IDLE && decoder.buffered() > 0) {
            enter(Phase.HEAD);
        }
        if (inputClosed && (phase == Phase.HEAD || phase == Phase.IDLE)) {
            context.close();
        }
        readOn();
    }

    private void readOn() {
        boolean wanted = !decoder.paused() || decoder.buffered() < AHEAD;
        if (wanted && !inputClosed && phase != Phase.CLOSED) {
            context().read();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent && !inputClosed) {
            inputClosed = true;
            quietNanos = System.nanoTime();
            inputEnded(context);
        }
    }

    /** What is not here by now will not come. */
    private void inputEnded(ChannelHandlerContext context) {
        switch (phase) {
            case IDLE -> {
                if (decoder.buffered() == 0) {
                    context.close();
                }
            }
            case HEAD, DRAINING, CLOSING -> context.close();
            case BUSY -> bodyCutOff();
            case CLOSED -> {}
        }
    }

    private void bodyCutOff() {
        if (current != null && !decoder.paused()) {
            current.received()
                    .malformed("The client ended the request before all of its body was sent");
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        gone();
        server.closed();
    }

    private void gone() {
        enter(Phase.CLOSED);
        // In this order: what a handler does about it starts before its writes fail.
        if (current != null) {
            current.disconnected();
        }
        if (wire != null) {
            wire.gone();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable root = cause instanceof DecoderException ? cause.getCause() : cause;
        if (root instanceof MalformedRequest fault && current == null) {
            refuse(fault);
            return;
        }
        server.log().log(System.Logger.Level.DEBUG, "A connection failed", cause);
        reset();
    }

    private static MalformedRequest fault(@Nullable Throwable cause) {
        return switch (cause) {
            case MalformedRequest known -> known;
            case TooLongHttpLineException _ -> new MalformedRequest(414, "a long request line");
            case TooLongHttpHeaderException _ -> new MalformedRequest(431, "long headers");
            case null, default -> new MalformedRequest(400, "a malformed head");
        };
    }

    private void refuse(MalformedRequest fault) {
        refuse(
                new HttpException(fault.status(), "The request has " + fault.getMessage() + "."),
                fault.getMessage());
    }

    /** Answers a request that has no exchange, and closes the connection. */
    private void refuse(HttpException answer, @Nullable String reason) {
        if (phase == Phase.CLOSING || phase == Phase.CLOSED) {
            return;
        }
        server.log().log(
                System.Logger.Level.INFO,
                "Refused a request from %s with %d: %s"
                        .formatted(remoteAddress, answer.status(), reason));
        Problem problem = Problem.of(answer);
        byte[] document = problem.bytes();
        Fields fields = new Fields();
        fields.set("Content-Type", Problem.MEDIA_TYPE);
        Wire.Head head = new Wire.Head(problem.status(), fields, document.length, false);
        ByteBuf whole = encode(head, false).writeBytes(document);
        int length = whole.readableBytes();
        context().writeAndFlush(whole);
        server.accessLog()
                .log(
                        remoteAddress,
                        "-",
                        "-",
                        answer.status(),
                        length,
                        System.nanoTime() - phaseNanos,
                        AccessLog.Ending.COMPLETE);
        closeGently();
    }

    // What the handler's thread asks for.

    /** Called on the handler's thread, when it first reads the body and when there is room for more. */
    private void demandBody() {
        try {
            context().executor().execute(this::readBody);
        } catch (RejectedExecutionException _) {
            // The server has stopped; the reader is told by the connection's end.
        }
    }

    private void readBody() {
        ServerExchange exchange = current;
        if (phase != Phase.BUSY || exchange == null || exchange.received().ended()) {
            return;
        }
        if (expectsContinue) {
            expectsContinue = false;
            if (wire != null && !wire.committed() && exchange.received().received() == 0) {
                context().writeAndFlush(Unpooled.wrappedBuffer(CONTINUE));
            }
        }
        if (!exchange.received().full()) {
            resume();
        }
    }

    private void resume() {
        try {
            decoder.resume(context());
        } catch (Exception failure) {
            exceptionCaught(context(), failure);
        }
        if (inputClosed && (phase == Phase.BUSY || phase == Phase.DRAINING)) {
            inputEnded(context());
        }
        channelReadComplete(context());
    }

    boolean http10() {
        return http10;
    }

    /** Whether another request may follow this one, as far as is known when its response's head is sent. On any thread. */
    boolean mayPersist() {
        ServerExchange exchange = current;
        if (!keepAlive || server.stopping() || exchange == null) {
            return false;
        }
        RequestBody body = exchange.received();
        return body.ended()
                || (!expectsContinue
                        && contentLength >= 0
                        && contentLength - body.received() <= MOST_DRAINED);
    }

    /** On any thread. */
    ByteBuf encode(Wire.Head head, boolean persistent) {
        return ResponseHead.encode(
                context().alloc(), head, http10, persistent, server.date().now());
    }

    @Override
    public String remoteAddress() {
        return remoteAddress;
    }

    // How a response ends.

    void responseSent(Http1Wire from) {
        if (from == wire && current != null && phase == Phase.BUSY) {
            current.sent();
        }
    }

    void writeFailed() {
        breakOff();
    }

    /** Never a clean end: where the body is delimited by it, a client would take what it has for the whole. */
    private void breakOff() {
        Channel channel = context().channel();
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        channel.close();
    }

    /** Breaks the connection, so that the client gets an error and no end. On any thread. */
    void reset() {
        try {
            context().executor().execute(this::resetNow);
        } catch (RejectedExecutionException _) {
            context().channel().close();
        }
    }

    private void resetNow() {
        if (phase == Phase.CLOSED) {
            return;
        }
        reset = true;
        breakOff();
    }

    @Override
    public void finished(ServerExchange exchange) {
        log(exchange);
        try {
            if (context().executor().inEventLoop()) {
                finishedHere(exchange);
            } else {
                context().executor().execute(() -> finishedHere(exchange));
            }
        } catch (RejectedExecutionException _) {
            // The server has stopped, and this connection with it.
        }
    }

    private void finishedHere(ServerExchange exchange) {
        if (phase != Phase.BUSY || exchange != current) {
            return;
        }
        Http1Wire done = wire;
        boolean bodyEnded = exchange.received().ended();
        current = null;
        wire = null;
        dropped = 0;
        if (done == null || !done.persistent()) {
            closeGently();
        } else if (!bodyEnded) {
            enter(Phase.DRAINING);
            resumeSoon();
        } else {
            next();
        }
    }

    private void next() {
        if (server.stopping() || (inputClosed && decoder.buffered() == 0)) {
            closeGently();
            return;
        }
        enter(Phase.IDLE);
        resumeSoon();
    }

    /** Not from where the decoder may be at work: requests that are answered at once would nest. */
    private void resumeSoon() {
        if (resumeQueued) {
            return;
        }
        if (decoder.buffered() > 0) {
            resumeQueued = true;
            context().executor().execute(this::resumeQueued);
        } else {
            resume();
        }
    }

    private void resumeQueued() {
        resumeQueued = false;
        ServerExchange exchange = current;
        if (phase != Phase.BUSY || exchange == null || !exchange.received().ended()) {
            resume();
        }
    }

    private void log(ServerExchange exchange) {
        Http1Wire done = exchange.wire() instanceof Http1Wire known ? known : null;
        AccessLog.Ending ending = AccessLog.Ending.COMPLETE;
        if (exchange.isGone()) {
            ending = reset ? AccessLog.Ending.RESET : AccessLog.Ending.CLIENT_GONE;
        }
        server.accessLog()
                .log(
                        remoteAddress,
                        exchange.method(),
                        exchange.path(),
                        exchange.response().committed() ? exchange.response().status() : 0,
                        done == null ? 0 : done.sent(),
                        System.nanoTime() - exchange.startedNanos,
                        ending);
    }

    /** Sends the end, and waits for the client's: closing at once could destroy what the client has not read yet. */
    private void closeGently() {
        if (phase == Phase.CLOSING || phase == Phase.CLOSED) {
            return;
        }
        enter(Phase.CLOSING);
        decoder.discard();
        if (inputClosed) {
            context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        context()
                .writeAndFlush(Unpooled.EMPTY_BUFFER)
                .addListener(_ -> {
                    if (context().channel() instanceof DuplexChannel duplex && duplex.isActive()) {
                        duplex.shutdownOutput();
                    }
                });
        readOn();
    }

    // What happens by and by.

    /** Called about ten times a second. */
    void tick(long now) {
        switch (phase) {
            case IDLE -> closeAfter(settings.idleTimeout().toNanos(), now);
            case HEAD -> {
                if (now - phaseNanos > settings.headTimeout().toNanos()) {
                    refuse(new MalformedRequest(408, "not come within " + settings.headTimeout()));
                }
            }
            case BUSY -> tickBusy(now);
            case DRAINING -> closeAfter(settings.headTimeout().toNanos(), now);
            case CLOSING -> {
                if (now - phaseNanos > CLOSING_NANOS || decoder.discarded() > MOST_DROPPED) {
                    context().close();
                }
            }
            case CLOSED -> {}
        }
        if (current != null) {
            current.interruptIfStuck(now, settings.interruptAfter().toNanos());
        }
    }

    private void closeAfter(long nanos, long now) {
        if (now - phaseNanos > nanos) {
            closeGently();
        }
    }

    private void tickBusy(long now) {
        ServerExchange exchange = current;
        Http1Wire out = wire;
        if (exchange == null || out == null) {
            return;
        }
        Admission queue = exchange.admission();
        if (queue != null
                && now - phaseNanos > queue.patience().toNanos()
                && exchange.abandon(true)) {
            server.refuse(exchange, queue);
            return;
        }
        ChannelOutboundBuffer pending = context().channel().unsafe().outboundBuffer();
        boolean writes = pending != null && pending.totalPendingWriteBytes() > 0;
        long written = out.sent() + (pending == null ? 0 : pending.currentProgress());
        RequestBody body = exchange.received();
        if (!writing.check(writes, written, now)
                || !reading.check(body.wanted(), body.received(), now)) {
            server.tooSlow(remoteAddress, writes ? "read" : "sent");
            resetNow();
            return;
        }
        if (writes || written != lastWritten) {
            lastWritten = written;
            quietNanos = now;
        }
        if (inputClosed && now - quietNanos > QUIET_NANOS) {
            breakOff();
        }
    }

    /** Takes no further request; what waits is refused, what runs goes on. */
    void stop() {
        switch (phase) {
            case IDLE, HEAD -> closeGently();
            case BUSY -> {
                ServerExchange exchange = current;
                Admission queue = exchange == null ? null : exchange.admission();
                if (exchange != null && queue != null && exchange.abandon(false)) {
                    server.refuse(exchange, queue);
                }
            }
            case DRAINING, CLOSING, CLOSED -> {}
        }
    }

    /** Whether there is nothing left to look after: closed, and no handler runs. */
    boolean isOver() {
        return phase == Phase.CLOSED && (current == null || current.isFinished());
    }
}
