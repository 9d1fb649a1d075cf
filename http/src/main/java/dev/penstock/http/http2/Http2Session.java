package dev.penstock.http.http2;

import dev.penstock.http.exchange.ClientWatch;
import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.exchange.Settings;
import dev.penstock.http.limits.Client;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.loop.ServerConnection;
import dev.penstock.http.tls.Tls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/2 connection: what its requests send on it, and how it ends. What comes goes to {@link Http2Requests}. All
 * of it happens on its event loop, save where a method says otherwise.
 */
public final class Http2Session implements ServerConnection {
    private static final int CONNECTION_WINDOW = 1024 * 1024;
    private static final int DEFAULT_WINDOW = 64 * 1024 - 1;
    private static final int MOST_DROPPED = 1024 * 1024;
    private static final Duration IDLE_WHEN_FULL = Duration.ofSeconds(1);
    private static final Duration HEAD_WHEN_FULL = Duration.ofSeconds(2);
    private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** There may be very many streams: each is looked at twice a second. */
    private static final int TICKS_PER_LOOK = 5;

    private static final Http2Headers CONTINUE =
            ReadOnlyHttp2Headers.serverHeaders(false, new AsciiString("100"));

    private final ServerContext server;
    private final Client client;
    private final Http2Errors errors;

    private @Nullable Http2Handler handler;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Loop loop;
    private Phase phase = Phase.OPENING;

    /** When the phase began, or the latest request ended. */
    private long sinceNanos = System.nanoTime();

    /** Since when the client is to say that it keeps to our settings. 0 when it has. */
    private long settingsNanos = sinceNanos;

    private int ticks;
    private long dropped;
    private volatile boolean reset;

    private enum Phase {
        /** The client's settings have not come. */
        OPENING,
        OPEN,
        /** The client was told to begin no further streams. */
        STOPPING,
        /** The end was sent; what still comes is dropped. */
        CLOSING,
        CLOSED
    }

    public Http2Session(ServerContext server, Client client) {
        this.server = server;
        this.client = client;
        this.errors = new Http2Errors(server, this);
    }

    /** Called once, when it is part of the channel. */
    void begin(Http2Handler handler, ChannelHandlerContext context) {
        this.handler = handler;
        this.context = context;
        // Asked for once, the channel knows it even when it is closed.
        var _ = context.channel().remoteAddress();
        loop = server.tookOver(this, context.channel());
    }

    Http2Handler handler() {
        return Objects.requireNonNull(handler, "begun");
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context, "begun");
    }

    private Http2Requests requests() {
        return handler().requests();
    }

    private Http2Connection connection() {
        return handler().connection();
    }

    private void enter(Phase next) {
        phase = next;
        sinceNanos = System.nanoTime();
    }

    // What its requests ask for.

    ServerContext server() {
        return server;
    }

    Loop loop() {
        return Objects.requireNonNull(loop, "begun");
    }

    Channel channel() {
        return context().channel();
    }

    /** The codec in the pipeline. */
    ChannelHandlerContext handlerContext() {
        return context();
    }

    Client client() {
        return client;
    }

    /** The client's, as text; on any thread. */
    String remoteAddress() {
        return ServerContext.address(context().channel());
    }

    boolean wasReset() {
        return reset;
    }

    ChannelFuture writeHead(Http2Stream stream, Http2Headers head, boolean last) {
        if (stream.state() == Http2Stream.State.CLOSED) {
            return context().newFailedFuture(new IllegalStateException("The stream is over"));
        }
        return handler()
                .encoder()
                .writeHeaders(context(), stream.id(), head, 0, last, context().newPromise());
    }

    ChannelFuture writeData(Http2Stream stream, ByteBuf data, boolean last) {
        if (stream.state() == Http2Stream.State.CLOSED) {
            data.release();
            return context().newFailedFuture(new IllegalStateException("The stream is over"));
        }
        handler().guard().wrote();
        return handler()
                .encoder()
                .writeData(context(), stream.id(), data, 0, last, context().newPromise());
    }

    void writeContinue(Http2Stream stream) {
        var _ = writeHead(stream, CONTINUE, false);
        flush();
    }

    void flush() {
        handler().flush(context());
    }

    /** So many bytes of a stream are not held any more. */
    void giveBack(Http2Stream stream, int bytes) {
        try {
            if (connection().local().flowController().consumeBytes(stream, bytes)) {
                flush();
            }
        } catch (Http2Exception failure) {
            handler().onError(context(), true, failure);
        }
    }

    /** Breaks a stream. */
    void reset(Http2Stream stream, Http2Error error) {
        if (phase != Phase.CLOSED && stream.state() != Http2Stream.State.CLOSED) {
            var _ =
                    handler()
                            .resetStream(
                                    context(), stream.id(), error.code(), context().newPromise());
            context().flush();
        }
    }

    /** The client does not keep up with a stream. */
    void tooSlow(Http2Stream stream, ClientWatch.Finding how) {
        server.tooSlow(remoteAddress(), how);
        if (channel().isWritable() && stream.state() != Http2Stream.State.CLOSED) {
            reset(stream, Http2Error.ENHANCE_YOUR_CALM);
        } else {
            breakOff();
        }
    }

    /** A request's handler and its response are done with. */
    void finished(Http2Request request) {
        boolean more = request.stream().state().remoteSideOpen();
        if (more && (phase == Phase.OPEN || phase == Phase.STOPPING)) {
            request.drain();
        } else {
            remove(request);
        }
    }

    /** Nothing of a request is left. */
    void remove(Http2Request request) {
        requests().remove(request);
        sinceNanos = System.nanoTime();
        if (phase == Phase.STOPPING && requests().isEmpty()) {
            closeGently();
        }
    }

    // What comes from the client, besides requests.

    /** Its settings are here. */
    void settingsCame() throws Http2Exception {
        if (phase == Phase.OPENING) {
            enter(Phase.OPEN);
            connection()
                    .local()
                    .flowController()
                    .incrementWindowSize(
                            connection().connectionStream(), CONNECTION_WINDOW - DEFAULT_WINDOW);
            if (server.stopping()) {
                stop();
            }
        }
    }

    /** It keeps to ours. */
    void settingsAcknowledged() {
        settingsNanos = 0;
    }

    // How it ends.

    /** What it does about errors. */
    Http2Errors errors() {
        return errors;
    }

    /** Ends it, as the client has made this error. */
    public void end(Http2Exception error) {
        errors.ofConnection(error, error);
    }

    boolean isEnding() {
        return phase == Phase.CLOSING || phase == Phase.CLOSED;
    }

    /** Sends the end with an error, and breaks off all requests: nothing that comes can be trusted any more. */
    void endNow(Http2Error error, ByteBuf reason) {
        handler()
                .encoder()
                .frameWriter()
                .writeGoAway(
                        context(),
                        connection().remote().lastStreamCreated(),
                        error.code(),
                        reason,
                        context().newPromise());
        reset = true;
        requests().all().forEach(Http2Request::closed);
        linger();
    }

    @Override
    public void stop() {
        if (phase == Phase.OPENING) {
            closeGently();
        } else if (phase == Phase.OPEN) {
            enter(Phase.STOPPING);
            // What is under way by now is answered with 503; the number of the last stream is told
            // when they are done.
            goAway(Integer.MAX_VALUE);
            requests().all().forEach(Http2Request::stop);
            if (requests().isEmpty()) {
                closeGently();
            }
        }
    }

    private void goAway(int latest) {
        var _ =
                handler()
                        .goAway(
                                context(),
                                latest,
                                Http2Error.NO_ERROR.code(),
                                Unpooled.EMPTY_BUFFER,
                                context().newPromise());
        context().flush();
    }

    /** Sends the end, and waits for the client's: closing at once could destroy what the client has not read yet. */
    private void closeGently() {
        if (isEnding()) {
            return;
        }
        goAway(connection().remote().lastStreamCreated());
        linger();
    }

    private void linger() {
        enter(Phase.CLOSING);
        handler().discard();
        context()
                .writeAndFlush(Unpooled.EMPTY_BUFFER)
                .addListener(_ -> Tls.shutdownOutput(channel()));
    }

    /** So many bytes came after the end. */
    void dropped(int bytes) {
        dropped += bytes;
        if (dropped > MOST_DROPPED) {
            context().close();
        }
    }

    @Override
    public void reset() {
        if (!loop().execute(this::breakOff)) {
            channel().close();
        }
    }

    void breakOff() {
        if (phase != Phase.CLOSED) {
            reset = true;
            Tls.breakOff(channel());
        }
    }

    /** The connection is no more. */
    void closed() {
        enter(Phase.CLOSED);
        server.closed();
    }

    @Override
    public boolean isOver() {
        return phase == Phase.CLOSED && requests().isEmpty();
    }

    // Its time limits.

    /** Who has no request yet makes room while there is none. */
    private long limit(Duration usual, Duration whenFull) {
        return (server.isFull() && whenFull.compareTo(usual) < 0 ? whenFull : usual).toNanos();
    }

    @Override
    public void tick(long now) {
        Settings settings = server.settings();
        switch (phase) {
            case OPENING -> {
                if (now - sinceNanos > limit(settings.headTimeout(), HEAD_WHEN_FULL)) {
                    closeGently();
                }
            }
            case OPEN, STOPPING -> {
                long idle = limit(settings.idleTimeout(), IDLE_WHEN_FULL);
                long headTimeout = settings.headTimeout().toNanos();
                if (requests().isEmpty() && now - sinceNanos > idle) {
                    closeGently();
                } else if (handler().guard().waitsLonger(headTimeout, now)) {
                    end(new FrameGuard.Flood("a head that does not end"));
                } else if (settingsNanos != 0 && now - settingsNanos > headTimeout) {
                    end(
                            Http2Exception.connectionError(
                                    Http2Error.SETTINGS_TIMEOUT, "Settings without a word"));
                }
            }
            case CLOSING -> {
                if (now - sinceNanos > CLOSING_NANOS) {
                    context().close();
                }
            }
            case CLOSED -> {}
        }
        if (++ticks % TICKS_PER_LOOK == 0) {
            requests().tick(now);
        }
    }
}
