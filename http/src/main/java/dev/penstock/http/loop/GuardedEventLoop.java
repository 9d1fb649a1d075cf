package dev.penstock.http.loop;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An event loop that goes on after an error in its own workings. Netty's ends there, with all of its connections: it
 * logs what handlers and tasks throw, and the log may fail too, for want of memory or of a file.
 */
final class GuardedEventLoop extends SingleThreadIoEventLoop {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private GuardedEventLoop(Group group, Executor executor, IoHandlerFactory factory) {
        super(group, executor, factory);
    }

    // Errors too: this is what keeps all connections of the loop.
    @SuppressWarnings("CatchingUnchecked")
    @Override
    protected void run() {
        while (true) {
            try {
                super.run();
                return;
            } catch (Throwable failure) {
                if (isShuttingDown()) {
                    throw failure;
                }
                tell(failure);
                // What lasts must not take a whole core.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private static void tell(Throwable failure) {
        try {
            LOGGER.log(System.Logger.Level.ERROR, "An event loop failed and goes on", failure);
        } catch (Throwable _) {
            // It is most likely what failed.
        }
    }

    /** Loops of this kind. */
    static final class Group extends MultiThreadIoEventLoopGroup {
        Group(int loops, ThreadFactory threads, IoHandlerFactory factory) {
            super(loops, threads, factory);
        }

        @Override
        protected IoEventLoop newChild(
                Executor executor, IoHandlerFactory factory, Object... arguments) {
            return new GuardedEventLoop(this, executor, factory);
        }
    }
}
