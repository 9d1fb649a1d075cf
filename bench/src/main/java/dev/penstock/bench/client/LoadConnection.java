package dev.penstock.bench.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client of a load: one channel at a time (a connection, or a stream of one), one request at a time. Its event
 * loop's thread does everything.
 */
final class LoadConnection {
    /** A client whose request failed waits so long, so that a server that refuses is not asked in a tight loop. */
    private static final long AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A slow client reads so often. */
    static final long SLOW_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The opening of a channel whose pipeline ends with a handler. */
    interface Opener {
        Future<?> open(Answers answers);
    }

    private final EventLoop loop;
    private final LoadGroup group;
    private final int number;
    private final Opener opener;
    private final Runnable onFinished;
    private final BodyCheck body;
    private @Nullable Channel channel;
    private @Nullable Answers answers;
    private boolean asking;
    private boolean finished;
    private boolean started;
    private boolean keepAlive;
    private String failure = "";
    private Load.Step step;
    private String cookie = "";
    private int retryAfterSeconds;
    private int position;
    private int made;
    private long due;
    private long intended;
    private long inWindow;

    LoadConnection(
            LoadGroup group, int number, EventLoop loop, Opener opener, Runnable onFinished) {
        this.group = group;
        this.number = number;
        this.loop = loop;
        this.opener = opener;
        this.onFinished = onFinished;
        step = group.group().script().step(number, 0);
        body = new BodyCheck(step.expected());
    }

    /** Makes the next request at its time. */
    void schedule(long due) {
        this.due = due;
        long delay = due - System.nanoTime();
        if (delay <= 0) {
            loop.execute(this::ask);
        } else {
            var _ = loop.schedule(this::ask, delay, TimeUnit.NANOSECONDS);
        }
    }

    private void ask() {
        if (finished) {
            return;
        }
        asking = true;
        made++;
        // The first request of one that asks whenever it can begins when it begins: what its client
        // takes to open others before is not the server's time.
        boolean inTurn = group.group().interval().isZero();
        intended = made == 1 && inTurn ? System.nanoTime() : due;
        inWindow = 0;
        started = false;
        failure = "";
        retryAfterSeconds = 0;
        step = group.group().script().step(number, position);
        body.reset(step.expected());
        Channel open = channel;
        if (open != null) {
            send(open);
            return;
        }
        Answers own = new Answers();
        answers = own;
        var _ =
                opener.open(own)
                        .addListener(opened -> {
                            if (!opened.isSuccess() && answers == own) {
                                failed("connect");
                            }
                        });
    }

    private void readSlowly(Channel from) {
        if (from.isActive()) {
            var _ =
                    loop.schedule(
                            () -> {
                                from.read();
                                readSlowly(from);
                            },
                            SLOW_TICK_NANOS,
                            TimeUnit.NANOSECONDS);
        }
    }

    private void send(Channel to) {
        FullHttpRequest request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, step.path());
        request.headers().set(HttpHeaderNames.HOST, "127.0.0.1").set(HttpHeaderNames.ACCEPT, "*/*");
        if (!cookie.isEmpty()) {
            request.headers().set(HttpHeaderNames.COOKIE, cookie);
        }
        var _ = to.writeAndFlush(request);
    }

    /** The answers that come on one channel. */
    final class Answers extends SimpleChannelInboundHandler<HttpObject> {
        private boolean isCurrent() {
            return answers == this;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            if (!isCurrent()) {
                var _ = context.close();
                return;
            }
            Channel open = context.channel();
            channel = open;
            send(open);
            if (!open.config().isAutoRead()) {
                readSlowly(open);
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
            if (!isCurrent()) {
                return;
            }
            if (part.decoderResult().isFailure()) {
                failed(part instanceof HttpContent && started ? "malformed chunk" : "not HTTP");
                return;
            }
            if (!asking) {
                failed("bytes after the answer");
                return;
            }
            long now = System.nanoTime();
            if (part instanceof HttpResponse head) {
                headers(head, now);
            }
            if (part instanceof HttpContent content) {
                content(content.content(), now);
            }
            if (part instanceof LastHttpContent) {
                completed(now);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (isCurrent()) {
                channel = null;
                answers = null;
                if (asking) {
                    failed(started ? "truncated" : "closed without an answer");
                }
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (isCurrent() && asking) {
                boolean reset = cause instanceof IOException;
                failed(!reset ? "not HTTP" : started ? "reset" : "reset without an answer");
            }
            var _ = context.close();
        }
    }

    private void headers(HttpResponse head, long now) {
        started = true;
        keepAlive = HttpUtil.isKeepAlive(head) && group.group().streams() == 0;
        failure = head.status().code() == 200 ? "" : "status " + head.status().code();
        if (head.status().code() == 503) {
            retryAfterSeconds = head.headers().getInt(HttpHeaderNames.RETRY_AFTER, 0);
        }
        String set = head.headers().get(HttpHeaderNames.SET_COOKIE, "");
        if (!set.isEmpty()) {
            cookie = set.split(";", 2)[0];
        }
        group.firstByte(intended, now);
    }

    private void content(ByteBuf content, long now) {
        int length = content.readableBytes();
        if (length == 0) {
            return;
        }
        boolean row = body.sawRow();
        body.accept(content.nioBuffer());
        if (!row && body.sawRow()) {
            group.firstRow(intended, now);
        }
        if (group.inWindow(now)) {
            inWindow += length;
            group.bytes(length);
        }
    }

    private void completed(long now) {
        if (failure.isEmpty()) {
            failure = body.failure();
        }
        if (retryAfterSeconds > 0) {
            group.refused(failure, intended, now, inWindow);
            if (!keepAlive) {
                close();
            }
            next(now + TimeUnit.SECONDS.toNanos(retryAfterSeconds));
            return;
        }
        if (!failure.isEmpty()) {
            failed(failure);
            return;
        }
        position++;
        group.completed(intended, now, body.bytes());
        if (!keepAlive) {
            close();
        }
        next(now);
    }

    private void failed(String kind) {
        position++;
        group.failed(kind, inWindow);
        close();
        next(System.nanoTime() + AFTER_FAILURE_NANOS);
    }

    private void next(long now) {
        asking = false;
        int requests = group.group().requests();
        if (requests > 0 && made == requests) {
            finished = true;
            onFinished.run();
            return;
        }
        long interval = group.group().interval().toNanos();
        schedule(interval == 0 ? now : intended + interval);
    }

    /** Ends it with the run: what is under way counts as pending. */
    void giveUp(long now) {
        if (!finished && asking) {
            group.pending(intended, now);
        } else if (!finished && due < now) {
            group.pending(due, now);
        }
        finished = true;
        close();
    }

    /** Closes the channel; the next request opens another. */
    private void close() {
        Channel open = channel;
        channel = null;
        answers = null;
        if (open != null) {
            var _ = open.close();
        }
    }
}
