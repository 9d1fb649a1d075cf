package dev.penstock.http.exchange;

import dev.penstock.http.Admission;
import dev.penstock.http.Handler;
import dev.penstock.http.Suspension;
import dev.penstock.http.limits.PermitQueue;
import dev.penstock.http.loop.LoggedAction;
import dev.penstock.http.loop.TimerWheel;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.response.Response;
import dev.penstock.http.upgrade.Upgrade;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A request, its response, and where its handling stands: how it is run ({@link HandlerRun}), how it waits ({@link
 * ServerSuspension}), and how it ends. It is finished when two things have happened, in whichever order: its handler
 * has returned without suspending it, and its response has left or is broken ({@link ExchangeLifetime}).
 *
 * <p>Thousands of these may wait at once, so what a waiting request does not need is not there: its response is made
 * when a handler first says something about it, and its body goes when it was read.
 */
public final class ServerExchange extends AnsweredRequest implements ServerSuspension.Host {
    private static final Duration FOREVER = Duration.ofDays(3650);
    private static final Handler NOTHING = Handler.nonBlocking(_ -> {});

    private final ExchangePermit permit;

    /** Goes on after a wait. */
    private @Nullable Handler next;

    /** Who follows it; null where nobody does. */
    private @Nullable ObservedRequest observed;

    /** There while the handler's thread waits for a filter after it, in the midst of its response. */
    private volatile @Nullable CompletableFuture<Handler> inTheMidst;

    private final ExchangeLifetime lifetime = new ExchangeLifetime();

    /**
     * @param body null if it has none
     */
    public ServerExchange(
            ServerContext server,
            ExchangeConnection connection,
            String method,
            RequestTarget target,
            RequestHeaders fields,
            @Nullable RequestBody body) {
        super(server, connection, method, target, fields, body);
        permit = new ExchangePermit(this, server, client(), startedNanos);
    }

    // What handlers see.

    @Override
    public void onDisconnect(Runnable action) {
        if (!lifetime.onDisconnect(action)) {
            action.run();
        }
    }

    @Override
    public void transferTo(Admission other) throws IOException {
        PermitQueue target = other.queue();
        if (loop().isHere()) {
            throw new IllegalStateException(
                    "A non-blocking handler can't wait for a permit: have its route admit it");
        }
        if (permit.queue() == target) {
            return;
        }
        Response made = begunResponse();
        permit.transferTo(target, made == null || !made.committed());
    }

    @Override
    public Suspension suspend(Duration timeout) {
        server.suspensions().check(timeout);
        return wait(timeout, false);
    }

    // Whatever is thrown instead, nobody will want the value.
    @Override
    public <T> Suspension suspend(
            CompletionStage<T> stage, Suspension.Continuation<? super T> continuation) {
        boolean waits = false;
        try {
            ServerSuspension wait = wait(server.suspensions().longest(), true);
            waits = true;
            return wait.resumeWhenOwn(stage, continuation);
        } finally {
            if (!waits) {
                ServerSuspension.cancel(stage);
            }
        }
    }

    /** For as long as may be. */
    public ServerSuspension suspendForLong() {
        return wait(server.suspensions().longest(), false);
    }

    /** Becomes a WebSocket when its handler has returned, and waits until that is closed. */
    public void upgrade(Upgrade protocol) {
        var _ = wait(FOREVER, false);
        upgradesTo(protocol);
    }

    private ServerSuspension wait(Duration timeout, boolean outlastsStop) {
        ServerSuspension wait = new ServerSuspension(this, timeout, outlastsStop);
        boolean blocksLoop = isHeadLeaving() && loop().isHere();
        boolean tooLate = lifetime.suspend(wait, server.suspensions(), blocksLoop);
        // Set first and then asked: either this sees the stop, or the stop sees the suspension.
        if (tooLate) {
            wait.clientLeft();
        } else if (server.stopping()) {
            wait.stop();
        }
        return wait;
    }

    // How it is run.

    /** Its permit to run. */
    public ExchangePermit permit() {
        return permit;
    }

    /** Starts its handler, or the one that goes on after a wait, as it has a permit now. On any thread. */
    void admitted() {
        server.dispatcher().start(this);
        onLoop(connection::wentOn);
    }

    /**
     * Runs the handler; on its virtual thread. Returns whether it has suspended the exchange, which then is to {@link
     * #await}.
     */
    boolean run() {
        lifetime.runsOn(Thread.currentThread());
        HandlerRun.Outcome outcome = HandlerRun.Outcome.DONE;
        try {
            Handler handler = next != null ? next : nextStep();
            next = null;
            if (!isGone()) {
                outcome = HandlerRun.of(this, handler);
            }
        } finally {
            lifetime.runsOn(null);
            if (outcome == HandlerRun.Outcome.DONE) {
                handled();
            }
        }
        return outcome == HandlerRun.Outcome.WAITS;
    }

    /** Returns whether what is to run next needs no thread. */
    boolean runsOnLoop() {
        return next == null && isNonBlocking();
    }

    /** Runs the first filter or the handler; on the event loop. */
    void runHere() {
        if (isGone()) {
            handled();
        } else {
            goOnHere(nextStep());
        }
    }

    /** Answers on the event loop, with something small that does not block, in place of filters and handler. */
    public void answerHere(Handler handler) {
        refused();
        goOnHere(handler);
    }

    /**
     * It is about to be dispatched, as its route is known: whoever follows requests begins.
     *
     * @param maxBody the largest body that its route takes, in bytes
     */
    void begin(long maxBody) {
        RequestBody body = received();
        if (body != null) {
            body.limit(maxBody);
        }
        observed = ObservedRequest.begin(server.settings().observers(), this);
    }

    /** It is no request, and was answered with this status: the filters after handlers see that. */
    void rejected(int status) {
        var _ = lifetime.handled();
        headIsDue(status);
        leaveClient();
    }

    /** Who follows it; null where nobody does. */
    @Nullable ObservedRequest observed() {
        return observed;
    }

    private void goOnHere(Handler handler) {
        switch (HandlerRun.of(this, handler)) {
            case WAITS -> await();
            case DONE -> handled();
            case MOVED -> {}
        }
    }

    /** Goes on with a handler on a thread, as soon as it is admitted. On the event loop. */
    void goOnOnThread(Handler handler) {
        next = handler;
        server.dispatcher().goOnOnThread(this);
    }

    /** The head of the response is about to be sent while the handler runs, or never will be: calls the filters. */
    @Override
    void headIsDue(int status) {
        checkStatus(status);
        if (hasNextAfter()) {
            AfterFilters.callAllHere(this, status);
        }
    }

    /** The handler is done with the exchange. */
    private void handled() {
        closeBody();
        if (lifetime.handled()) {
            finish();
        }
    }

    // How it waits.

    /** The handler has returned, and the exchange is suspended: lets go of all that it does not need meanwhile. */
    void await() {
        ServerSuspension wait = suspension();
        if (wait == null) {
            return;
        }
        // Whoever is behind a filter that waits may read it.
        if (!wait.takesBody() && !hasNextStep()) {
            dropBody();
        }
        pack();
        permit.release();
        wait.begin();
    }

    @Override
    public void waiting() {
        if (inTheMidst == null && !beginUpgrade()) {
            refuseBodyIfOver();
            connection.waiting(this);
        }
    }

    @Override
    public void goOn(Handler handler) {
        CompletableFuture<Handler> blocked = inTheMidst;
        if (endSuspension() == null) {
            // The thread that waited for it was interrupted.
            return;
        }
        if (blocked != null) {
            blocked.complete(handler);
            return;
        }
        connection.wentOn();
        if (handler.isNonBlocking() && (isNonBlocking() || !hasNextStep())) {
            goOnHere(handler);
        } else {
            next = handler;
            server.dispatcher().resume(this);
        }
    }

    @Override
    public void endWithoutAnswer() {
        CompletableFuture<Handler> blocked = inTheMidst;
        if (endSuspension() == null) {
            return;
        }
        if (blocked == null) {
            handled();
        } else {
            blocked.complete(NOTHING);
        }
    }

    @Override
    public void onLoop(Runnable action) {
        var _ = loop().execute(action);
    }

    @Override
    public TimerWheel timers() {
        return loop().wheel();
    }

    @Override
    public void runApart(Runnable action) {
        Thread.ofVirtual().name("penstock-cancel").start(() -> LoggedAction.run(action));
    }

    /** Blocks the handler's thread until a wait is over, in the midst of the response; returns what goes on then. */
    Handler awaitHere(ServerSuspension wait) {
        CompletableFuture<Handler> resumed = new CompletableFuture<>();
        inTheMidst = resumed;
        try {
            wait.begin();
            return resumed.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            abandonSuspension();
            return NOTHING;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("Only handlers are given to it", impossible);
        } finally {
            inTheMidst = null;
        }
    }

    @Nullable ServerSuspension suspension() {
        return lifetime.suspension();
    }

    private @Nullable ServerSuspension endSuspension() {
        return lifetime.endSuspension(server.suspensions());
    }

    /** The handler that has begun a wait has failed. */
    void abandonSuspension() {
        ServerSuspension ended = endSuspension();
        if (ended != null) {
            ended.abandon();
        }
    }

    /** Returns whether it waits without a thread, or in a queue: as many may as clients like. */
    public boolean isAtRest() {
        return permit.isQueued() || lifetime.waitsWithoutThread();
    }

    /** The server stops: what waits, waits no more. On the event loop. */
    public void stop() {
        ServerSuspension wait = suspension();
        PermitQueue queue = permit.queue();
        if (wait != null) {
            wait.stop();
        } else if (!permit.stopTransfer() && queue != null && permit.leaveQueue(false)) {
            server.dispatcher().refuse(this, queue);
        }
    }

    /**
     * Ends a wait with 503, and drops what has come of its body, if that was read ahead for a handler behind a filter
     * and more lies unread in the server than may. On the event loop.
     */
    public void refuseBodyIfOver() {
        RequestBody body = received();
        ServerSuspension wait = suspension();
        if (body != null
                && wait != null
                && body.isHeld()
                && body.isDroppedUnlessRoom(0)
                && wait.refuse(Dispatcher.TOO_MUCH_UNREAD)) {
            dropBody();
        }
    }

    // How it ends.

    /** The handler has failed: if that breaks the connection, it is not the client that has gone. */
    void forgetActions() {
        lifetime.forgetActions();
    }

    /** The response has left, all of it. On the event loop. */
    public void sent() {
        if (lifetime.sent()) {
            finish();
        }
    }

    /** The client has gone, or was thrown out. On the event loop; once. */
    public void disconnected() {
        ExchangeLifetime.Departure departure = lifetime.clientLeft();
        if (departure == null) {
            return;
        }
        permit.cancelTransfer();
        List<Runnable> actions = departure.actions();
        if (!actions.isEmpty()) {
            runApart(() -> actions.forEach(LoggedAction::run));
        }
        RequestBody body = received();
        if (body != null) {
            body.fail("The client has gone before the request was answered");
        }
        ServerSuspension wait = departure.suspension();
        if (wait != null) {
            wait.clientLeft();
        }
        if (permit.leaveQueue(false)) {
            handled();
        }
        sent();
    }

    private void finish() {
        try {
            HandlerRun.logAnsweredFault(this);
            headIsDue(0);
            Response made = begunResponse();
            if (made != null) {
                made.closeEncoder();
            }
        } finally {
            permit.release();
            leaveClient();
            connection.finished(this);
        }
    }

    public boolean isGone() {
        return lifetime.isGone();
    }

    public boolean isFinished() {
        return lifetime.isFinished();
    }

    /** Refuses the request if it has waited in a queue for too long. Returns whether it was. On the event loop. */
    public boolean timesOutInQueue(long now) {
        PermitQueue queue = permit.queue();
        if (queue == null || !permit.timesOutInQueue(now)) {
            return false;
        }
        server.dispatcher().refuse(this, queue);
        return true;
    }

    /** Interrupts a handler that still runs long after its client has gone: the last resort. */
    public void interruptIfStuck(long now) {
        lifetime.interruptIfStuck(now, server.settings().interruptAfter().toNanos());
    }

    void interrupt() {
        lifetime.interrupt();
    }
}
