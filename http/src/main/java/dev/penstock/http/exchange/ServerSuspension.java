package dev.penstock.http.exchange;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.Suspension;
import dev.penstock.http.loop.LoggedAction;
import dev.penstock.http.loop.TimerWheel;
import dev.penstock.http.response.Response;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A wait of one exchange, and its timer.
 *
 * <p>Who ends it is decided by one compare-and-set of its {@link #stage}, on whatever thread. What goes on is started
 * by the event loop, and only when the handler that suspended has returned: until then it stands in the stage itself.
 * So an exchange is never in two hands. Once it is over, nothing here refers to the exchange, since a stage or a topic
 * may hold this for long.
 */
public final class ServerSuspension extends TimerWheel.Entry
        implements Suspension, RequestBody.Taker {
    private static final VarHandle STAGE = field("stage", Object.class);
    private static final VarHandle CANCEL = field("cancel", Runnable.class);

    private static final Handler STOPPED =
            Handler.nonBlocking(_ -> {
                throw SuspensionLimit.unavailable("The server is stopping");
            });
    private static final Handler TIMED_OUT =
            Handler.nonBlocking(_ -> {
                throw SuspensionLimit.unavailable(
                        "What this request waited for did not come in time; try again");
            });

    /** Null when it is over, and what goes on has begun. */
    private volatile @Nullable Host host;

    /** A {@link Stage}, or the {@link Handler} that goes on when the one that suspended has returned. */
    private volatile Object stage = Stage.HANDLED;

    /** What to do if it is cancelled, if anything; or whether it was. */
    private volatile @Nullable Runnable cancel;

    private volatile Handler onTimeout = TIMED_OUT;
    private volatile Handler onStop = STOPPED;
    private volatile @Nullable Timer timer;
    private final long timeoutNanos;
    private final boolean outlastsStop;
    private @Nullable Body body;

    private enum Stage {
        /** The handler that suspended still runs. */
        HANDLED,
        WAITING,
        OVER
    }

    /** The exchange, as a wait sees it. */
    public interface Host {
        /** Runs it on the event loop, later. On any thread. */
        void onLoop(Runnable action);

        /** The event loop's timers. */
        TimerWheel timers();

        /** The wait has begun, and is not over yet. On the event loop. */
        void waiting();

        /** The wait is over, and this goes on. On the event loop. */
        void goOn(Handler handler);

        /** The wait is over, and nothing goes on. On the event loop. */
        void endWithoutAnswer();

        /** On the event loop. */
        void handBodyTo(RequestBody.Taker taker);

        /** Runs it on a thread of its own. */
        void runApart(Runnable action);
    }

    /** A handler that goes on at a time. */
    private record Timer(long nanos, Handler handler) {}

    /** The handler of a wait after which nothing goes on, because the client has left. */
    private record Nothing() implements Handler {
        @Override
        public void handle(Exchange exchange) {}
    }

    /** A mark in the place of the action for a cancel: whether the wait was cancelled. */
    private enum Mark implements Runnable {
        CANCELLED,
        NEVER_CANCELLED;

        @Override
        public void run() {}
    }

    /** The taker of the request's body. */
    private record Body(Chunks chunks, Handler whenComplete) {}

    /** A wait of an exchange from now on. */
    public ServerSuspension(Host host, Duration timeout) {
        this(host, timeout, false);
    }

    /**
     * @param outlastsStop whether a server that stops lets it go on
     */
    ServerSuspension(Host host, Duration timeout, boolean outlastsStop) {
        this.host = host;
        this.timeoutNanos = System.nanoTime() + timeout.toNanos();
        this.outlastsStop = outlastsStop;
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(ServerSuspension.class, name, type);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("The field is above", impossible);
        }
    }

    // Who ends it.

    private boolean end(Handler next) {
        if (STAGE.compareAndSet(this, Stage.HANDLED, next)) {
            return true;
        }
        if (!STAGE.compareAndSet(this, Stage.WAITING, Stage.OVER)) {
            return false;
        }
        onLoop(() -> goOn(next));
        return true;
    }

    private boolean endWanted(Handler next) {
        boolean ended = end(next);
        if (ended) {
            CANCEL.setVolatile(this, Mark.NEVER_CANCELLED);
        }
        return ended;
    }

    private boolean endUnwanted(Handler next) {
        Host known = host;
        boolean ended = end(next);
        if (ended && known != null) {
            cancelled(known);
        }
        return ended;
    }

    @Override
    public boolean resume(Handler handler) {
        return endWanted(handler);
    }

    @Override
    public boolean respond(int status, String mediaType, byte[] body) {
        if (body.length > Response.FULL) {
            throw new IllegalArgumentException(
                    ("A response of %d bytes is too large to be sent without a thread, by at most %d:"
                                    + " resume with a handler")
                            .formatted(body.length, Response.FULL));
        }
        return endWanted(
                Handler.nonBlocking(exchange -> exchange.respond(status, mediaType, body)));
    }

    @Override
    public boolean respond(int status, String mediaType, String body) {
        return respond(status, mediaType, body.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public boolean fail(Throwable failure) {
        return endWanted(Failures.handler(failure));
    }

    /** The client has left. */
    void clientLeft() {
        var _ = endUnwanted(new Nothing());
    }

    void stop() {
        if (!outlastsStop) {
            var _ = endUnwanted(onStop);
        }
    }

    /** Ends it, unless it has ended, as it is of no use to wait any longer; the handler says why. */
    boolean refuse(Handler handler) {
        return endUnwanted(handler);
    }

    @Override
    public void due() {
        Host known = host;
        Timer set = timer;
        if (known != null && known.timers().nanoTime() - dueNanos(set) < 0) {
            // It was to be replaced: another time was asked for meanwhile.
            schedule();
        } else if (set != null && set.nanos <= timeoutNanos) {
            var _ = endWanted(set.handler);
        } else {
            var _ = endUnwanted(onTimeout);
        }
    }

    private long dueNanos(@Nullable Timer set) {
        return set == null ? timeoutNanos : Math.min(set.nanos, timeoutNanos);
    }

    // What is to happen.

    @Override
    public Suspension resumeAfter(Duration wait, Handler handler) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("Can't go on after " + wait + ", a negative time");
        }
        timer = new Timer(System.nanoTime() + wait.toNanos(), handler);
        // Before the handler has returned, it is not in the wheel yet.
        if (stage == Stage.WAITING) {
            onLoop(this::schedule);
        }
        return this;
    }

    @Override
    public <T> Suspension resumeWhen(
            CompletionStage<T> stage, Continuation<? super T> continuation) {
        var _ =
                stage.whenComplete((value, failure) -> {
                    if (failure == null) {
                        resume(exchange -> continuation.handle(exchange, value));
                    } else {
                        fail(cause(failure));
                    }
                });
        return this;
    }

    /** The same, of a stage that is cancelled when nobody wants its value any more. */
    <T> Suspension resumeWhenOwn(CompletionStage<T> own, Continuation<? super T> continuation) {
        return onCancel(() -> cancel(own)).resumeWhen(own, continuation);
    }

    /** Cancels a stage, if that is possible. */
    static void cancel(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (UnsupportedOperationException _) {
            // It goes on, and nobody looks at its value.
        }
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    @Override
    public Suspension onTimeout(Handler handler) {
        onTimeout = handler;
        return this;
    }

    /** Who ends the response when the timeout comes or the server stops, where it has begun already. */
    public Suspension endsWith(Handler handler) {
        onTimeout = handler;
        onStop = handler;
        return this;
    }

    @Override
    public Suspension onCancel(Runnable action) {
        while (true) {
            Runnable there = cancel;
            if (there instanceof Mark mark) {
                if (mark == Mark.CANCELLED) {
                    action.run();
                }
                return this;
            }
            Runnable both =
                    there == null
                            ? action
                            : () -> {
                                LoggedAction.run(there);
                                action.run();
                            };
            if (CANCEL.compareAndSet(this, there, both)) {
                return this;
            }
        }
    }

    private void cancelled(Host known) {
        Runnable action = (Runnable) CANCEL.getAndSet(this, Mark.CANCELLED);
        if (action != null && !(action instanceof Mark)) {
            known.runApart(action);
        }
    }

    @Override
    public boolean isWaiting() {
        return stage == Stage.HANDLED || stage == Stage.WAITING;
    }

    // The way of the exchange.

    /** The handler that suspended has returned. */
    public void begin() {
        if (STAGE.compareAndSet(this, Stage.HANDLED, Stage.WAITING)) {
            onLoop(this::await);
        } else {
            Handler next = (Handler) STAGE.getAndSet(this, Stage.OVER);
            onLoop(() -> goOn(next));
        }
    }

    /** The handler that suspended has thrown. */
    void abandon() {
        Host known = host;
        STAGE.setVolatile(this, Stage.OVER);
        host = null;
        if (known != null) {
            cancelled(known);
        }
    }

    private void await() {
        Host known = host;
        if (known == null || stage != Stage.WAITING) {
            return;
        }
        schedule();
        if (body != null) {
            known.handBodyTo(this);
        } else {
            known.waiting();
        }
    }

    private void schedule() {
        Host known = host;
        if (known != null && stage == Stage.WAITING) {
            TimerWheel wheel = known.timers();
            wheel.remove(this);
            wheel.add(this, dueNanos(timer));
        }
    }

    private void goOn(Handler next) {
        Host known = host;
        if (known == null) {
            return;
        }
        host = null;
        timer = null;
        onTimeout = TIMED_OUT;
        onStop = STOPPED;
        known.timers().remove(this);
        if (next instanceof Nothing) {
            known.endWithoutAnswer();
        } else {
            known.goOn(next);
        }
    }

    private void onLoop(Runnable action) {
        Host known = host;
        if (known != null) {
            known.onLoop(action);
        }
    }

    // The request's body.

    @Override
    public Suspension onBody(Chunks chunks, Handler whenComplete) {
        if (body != null || stage == Stage.WAITING) {
            throw new IllegalStateException(
                    "The request's body can be taken once, and before the handler returns");
        }
        body = new Body(chunks, whenComplete);
        return this;
    }

    boolean takesBody() {
        return body != null;
    }

    // What it throws is an answer as a handler's failure is, errors included.
    @Override
    @SuppressWarnings("CatchingUnchecked")
    public void take(ByteBuffer chunk) {
        Body known = body;
        if (known != null && stage == Stage.WAITING) {
            try {
                known.chunks.take(chunk);
            } catch (Throwable failure) {
                fail(failure);
            }
        }
    }

    @Override
    public void ended() {
        Body known = body;
        if (known != null) {
            resume(known.whenComplete);
        }
    }

    @Override
    public void failed(HttpException failure) {
        fail(failure);
    }
}
