package dev.penstock.http.limits;

import dev.penstock.http.message.Syntax;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The limit on open connections of all listeners together, and the handler of each that keeps it: nothing is accepted
 * while there are as many as may be, nor while a connection can't be accepted for want of file descriptors or memory.
 * In both cases those that are idle are to go soon ({@link #isReached}). All listeners are on one event loop.
 * Thread-safe.
 */
@ChannelHandler.Sharable
public final class ConnectionLimit extends ChannelInboundHandlerAdapter {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Looking takes longer the more descriptors there are; the loop must have time for connections. */
    private static final long LEAST_PAUSE = 20;

    /** What lasts, or comes again and again, is told once in so long. */
    private static final long TELL_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final System.Logger logger;
    private final int most;
    private final FileDescriptors descriptors = new FileDescriptors();
    private final AtomicInteger open = new AtomicInteger();
    private final GenericFutureListener<Future<Void>> whenClosed = this::closed;

    /** The loop of the listeners; null while there is none. */
    private volatile @Nullable EventLoop loop;

    /** Whether the latest connection could not be accepted. Set on the listeners' loop. */
    private volatile boolean exhausted;

    // Only for the listeners' loop.
    private final List<Channel> listeners = new ArrayList<>();
    private final Occasion reached = new Occasion();
    private final Occasion failed = new Occasion();

    /**
     * @param most how many there may be
     * @param listens whether connections are accepted
     */
    public ConnectionLimit(int most, boolean listens, System.Logger logger) {
        this.most = most;
        this.logger = logger;
        if (listens) {
            var _ = descriptors.take();
        }
    }

    /** As many as are wanted, or fewer if the process may not open as many files, which is logged. */
    public static int possible(int wanted, System.Logger logger) {
        int possible = FileDescriptors.forConnections();
        if (possible >= wanted) {
            return wanted;
        }
        logger.log(
                System.Logger.Level.WARNING,
                ("No more than %,d connections will be open at once, not %,d:"
                                + " this process may not open more files."
                                + " Raise its limit (ulimit -n), or lower maxConnections")
                        .formatted(possible, wanted));
        return possible;
    }

    /** Returns whether there is no room for another connection. */
    public boolean isReached() {
        return exhausted || open.get() >= most;
    }

    private void closed(Future<?> end) {
        if (open.decrementAndGet() == most - 1) {
            acceptWithinLimit();
        }
    }

    /** On the listeners' loop: of several changes, from several loops, the last one there is the one that counts. */
    private void acceptWithinLimit() {
        EventLoop known = loop;
        if (known == null) {
            return;
        }
        try {
            known.execute(this::acceptWithinLimitNow);
        } catch (RejectedExecutionException _) {
            // The server has stopped.
        }
    }

    private void acceptWithinLimitNow() {
        boolean room = !isReached();
        boolean changed = false;
        for (Channel listener : listeners) {
            changed |= room != listener.config().isAutoRead();
            listener.config().setAutoRead(room);
        }
        if (changed && !room && !exhausted && reached.isToBeTold()) {
            logger.log(
                    System.Logger.Level.WARNING,
                    "No further connection is accepted until one closes: there are {0}, the limit",
                    most);
        }
    }

    // What listeners tell, on their loop.

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        listeners.add(context.channel());
        loop = context.channel().eventLoop();
    }

    /**
     * A connection was accepted. It counts from here on, and not when another loop gets round to it: by then there may
     * be too many.
     */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof Channel connection) {
            connection.closeFuture().addListener(whenClosed);
            if (open.incrementAndGet() >= most) {
                acceptWithinLimitNow();
            }
        }
        context.fireChannelRead(message);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        listeners.remove(context.channel());
        if (listeners.isEmpty()) {
            descriptors.release();
        }
    }

    /**
     * A connection could not be accepted. Netty would log it with its stack trace and try again each second; but who is
     * to log may need a descriptor too.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!exhausted) {
            // First, as it may fail too: then nothing has changed, and the next connection brings
            // it here again.
            tryAgainSoon(context.executor(), RETRY_NANOS);
            exhausted = true;
            descriptors.release();
            acceptWithinLimitNow();
        }
        tell(cause);
    }

    private void tryAgainSoon(EventExecutor executor, long nanos) {
        var _ = executor.schedule(() -> tryAgain(executor), nanos, TimeUnit.NANOSECONDS);
    }

    private void tryAgain(EventExecutor executor) {
        if (listeners.isEmpty()) {
            return;
        }
        long started = System.nanoTime();
        if (descriptors.take()) {
            exhausted = false;
            acceptWithinLimitNow();
        } else {
            // What it got may be what another is in need of.
            descriptors.release();
            long took = System.nanoTime() - started;
            tryAgainSoon(executor, Math.max(RETRY_NANOS, LEAST_PAUSE * took));
        }
    }

    private void tell(Throwable cause) {
        if (failed.isToBeTold()) {
            logger.log(
                    System.Logger.Level.WARNING,
                    ("A connection can't be accepted with %,d open: %s."
                                    + " Idle ones are closed, and it is tried again and again."
                                    + " If this process has no files left, raise its limit (ulimit -n)")
                            .formatted(open.get(), Syntax.sentence(cause.getMessage())));
        }
    }

    /** Something that may last, or come again and again. */
    private static final class Occasion {
        private boolean told;
        private long nanos;

        boolean isToBeTold() {
            long now = System.nanoTime();
            if (told && now - nanos < TELL_AGAIN_NANOS) {
                return false;
            }
            told = true;
            nanos = now;
            return true;
        }
    }
}
