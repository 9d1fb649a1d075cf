package dev.penstock.http.exchange;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.Suspension;
import dev.penstock.http.limits.Client;
import dev.penstock.http.limits.Clients;
import dev.penstock.http.limits.LimitExceeded;
import dev.penstock.http.limits.PermitQueue;
import dev.penstock.http.loop.LoggedAction;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.loop.TimerWheel;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.response.Problem;
import dev.penstock.http.response.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request, its response, and where its handling stands. It is finished when two things have happened, in whichever
 * order: its handler has returned without suspending it, and its response has left or is broken.
 *
 * <p>Thousands of these may wait at once, so what a waiting request does not need is not there: its response is made
 * when a handler first says something about it, and its body goes when it was read.
 */
public final class ServerExchange extends ReceivedRequest implements ServerSuspension.Host {
    private static final Duration FOREVER = Duration.ofDays(3650);

    private final ServerContext server;
    private final ExchangeConnection connection;
    private final Client client;

    /** Whether it is one of those that its client may have at once. */
    private final boolean admittedAtOnce;

    /** The client's address, where a proxy has named it. */
    private final @Nullable String forwardedFor;

    public final long startedNanos = System.nanoTime();

    /** Null where there is none, or none any more. */
    private volatile @Nullable RequestBody body;

    private volatile @Nullable Response response;

    private final ExchangePermit permit;

    /** Goes on after a wait. */
    private @Nullable Handler next;

    /** What its connection is to become. */
    private @Nullable Upgrade upgrade;

    private final Object lock = new Object();
    private List<Runnable> onDisconnect = List.of();
    private @Nullable ServerSuspension suspension;

    private boolean gone;
    private boolean transportDone;
    private boolean handlerDone;
    private @Nullable Thread thread;
    private long goneNanos;
    private boolean interrupted;

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
        super(method, target, fields);
        this.server = server;
        this.connection = connection;
        if (body != null) {
            this.body = body;
        }
        Client from = connection.client();
        InetAddress named =
                from.isProxy()
                        ? server.clients().forwardedFor(fields.all("X-Forwarded-For"))
                        : null;
        forwardedFor = named == null ? null : named.getHostAddress();
        if (named == null) {
            // Its connection keeps the client in the table until the request does.
            client = from;
            admittedAtOnce = from.addRequest();
        } else {
            Clients.Request request = server.clients().requestedFor(named);
            client = request.client();
            admittedAtOnce = request.admitted();
        }
        permit = new ExchangePermit(this, server, client, startedNanos);
    }

    // What handlers see.

    @Override
    public String remoteAddress() {
        String named = forwardedFor;
        return named == null ? connection.remoteAddress() : named;
    }

    public Client client() {
        return client;
    }

    @Override
    public ReadableByteChannel requestBody() {
        RequestBody known = body;
        HttpException coded = coded();
        if (known != null && coded != null) {
            throw coded;
        }
        if (known == null) {
            return Channels.newChannel(InputStream.nullInputStream());
        }
        if (loop().isHere()) {
            throw new IllegalStateException(
                    "A non-blocking handler can't read the request's body: suspend, and take it by onBody");
        }
        return known;
    }

    /**
     * Bodies are handed on as they are: what is coded would be taken for something else, or be a bomb to whoever
     * decodes it.
     */
    private @Nullable HttpException coded() {
        return headers("Content-Encoding").stream()
                        .allMatch(coding -> coding.trim().equalsIgnoreCase("identity"))
                ? null
                : new HttpException(
                                415,
                                "The request's body has a Content-Encoding; send it without one")
                        .header("Accept-Encoding", "identity");
    }

    @Override
    public Exchange status(int status) {
        response().status(status);
        return this;
    }

    @Override
    public Exchange header(String name, String value) {
        response().header(name, value);
        return this;
    }

    @Override
    public ResponseBody body(String mediaType) {
        return response().start(mediaType);
    }

    @Override
    public void respond(int status, String mediaType, byte[] bytes) {
        try {
            response().whole(status, mediaType, bytes);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @Override
    public void respond(int status, String mediaType, String text) {
        respond(status, mediaType, text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void onDisconnect(Runnable action) {
        synchronized (lock) {
            if (!gone) {
                if (onDisconnect.isEmpty()) {
                    onDisconnect = new ArrayList<>(1);
                }
                onDisconnect.add(action);
                return;
            }
        }
        action.run();
    }

    /** The error response that an exception is here. */
    Problem problem(HttpException exception) {
        return server.problem(exception);
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
        Response made = response;
        boolean mayBeRefused = made == null || !made.committed();
        switch (permit.transferTo(target, mayBeRefused)) {
            case ADMITTED -> {}
            case REFUSED -> throw server.dispatcher().refusal(target);
            case CANCELLED ->
                    throw new IOException(
                            "The client has gone, or the thread was interrupted,"
                                    + " while the request waited for a permit");
        }
    }

    @Override
    public Suspension suspend(Duration timeout) {
        server.suspensions().check(timeout);
        return wait(timeout);
    }

    /** For as long as may be. */
    public ServerSuspension suspendForLong() {
        return wait(server.suspensions().longest());
    }

    public boolean canUpgrade() {
        return connection.canUpgrade();
    }

    /** Becomes a WebSocket when its handler has returned, and waits until that is closed. */
    public void upgrade(Upgrade protocol) {
        var _ = wait(FOREVER);
        upgrade = protocol;
    }

    private ServerSuspension wait(Duration timeout) {
        ServerSuspension wait = new ServerSuspension(this, timeout);
        boolean tooLate;
        synchronized (lock) {
            if (suspension != null || handlerDone) {
                throw new IllegalStateException(
                        "A handler can suspend its exchange once, and before it returns");
            }
            server.suspensions().enter();
            suspension = wait;
            tooLate = gone;
        }
        // Set first and then asked: either this sees the stop, or the stop sees the suspension.
        if (tooLate) {
            wait.clientLeft();
        } else if (server.stopping()) {
            wait.stop();
        }
        return wait;
    }

    /** Checks it against its client's limits, once; null if it is within them. */
    @Nullable LimitExceeded exceededLimit() {
        return server.clients().exceeded(client, admittedAtOnce, startedNanos);
    }

    /** Whether the server answers a GET of the path of these segments. */
    boolean hasPage(List<String> segments) {
        return server.dispatcher().hasPage(segments);
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
        synchronized (lock) {
            thread = Thread.currentThread();
        }
        boolean waits = false;
        try {
            Handler handler = next != null ? next : handler();
            next = null;
            if (handler != null && !isGone()) {
                waits = answer(handler);
            }
        } finally {
            synchronized (lock) {
                thread = null;
            }
            if (!waits) {
                handled();
            }
        }
        return waits;
    }

    /** Whether what is to run next needs no thread. */
    boolean runsOnLoop() {
        Handler routed = handler();
        return next == null && routed != null && routed.isNonBlocking();
    }

    /** Runs the handler; on the event loop. */
    void runHere() {
        Handler routed = handler();
        if (routed == null || isGone()) {
            handled();
        } else {
            answerHere(routed);
        }
    }

    /** Answers on the event loop, with something small that does not block. */
    public void answerHere(Handler handler) {
        if (answer(handler)) {
            await();
        } else {
            handled();
        }
    }

    /** Returns whether it is suspended now. */
    // Whatever a handler throws must reach the client as a failure, errors included.
    @SuppressWarnings("CatchingUnchecked")
    private boolean answer(Handler handler) {
        try {
            handler.handle(this);
            Response made = response;
            boolean waits = suspension() != null;
            if (waits && made != null) {
                made.rest();
            } else if (!waits) {
                response().complete();
            }
            return waits;
        } catch (Throwable failure) {
            ServerSuspension ended = endSuspension();
            if (ended != null) {
                ended.abandon();
            }
            Failures.answer(this, failure);
            return false;
        }
    }

    /** The handler is done with the exchange. */
    private void handled() {
        RequestBody known = body;
        if (known != null) {
            known.close();
        }
        boolean finished;
        synchronized (lock) {
            handlerDone = true;
            finished = transportDone;
        }
        if (finished) {
            finish();
        }
    }

    // How it waits.

    /** The handler has returned, and the exchange is suspended: lets go of all that it does not need meanwhile. */
    void await() {
        ServerSuspension wait = suspension();
        RequestBody known = body;
        if (wait == null) {
            return;
        }
        if (known != null && !wait.takesBody()) {
            known.close();
            if (known.ended()) {
                body = null;
            }
        }
        pack();
        permit.release();
        wait.begin();
    }

    @Override
    public void waiting() {
        if (upgrade == null) {
            connection.waiting(this);
        } else {
            connection.upgrade(upgrade);
        }
    }

    @Override
    public void goOn(Handler handler) {
        var _ = endSuspension();
        connection.wentOn();
        if (handler.isNonBlocking()) {
            answerHere(handler);
        } else {
            next = handler;
            server.dispatcher().resume(this);
        }
    }

    @Override
    public void endWithoutAnswer() {
        var _ = endSuspension();
        handled();
    }

    @Override
    public void handBodyTo(RequestBody.Taker taker) {
        RequestBody known = body;
        HttpException coded = coded();
        if (known == null) {
            taker.ended();
        } else if (coded != null) {
            taker.failed(coded);
        } else {
            known.handTo(taker);
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

    private @Nullable ServerSuspension suspension() {
        synchronized (lock) {
            return suspension;
        }
    }

    private @Nullable ServerSuspension endSuspension() {
        synchronized (lock) {
            ServerSuspension ended = suspension;
            suspension = null;
            if (ended != null) {
                server.suspensions().leave();
            }
            return ended;
        }
    }

    /** Whether it waits without a thread, or in a queue: as many may as clients like. */
    public boolean isAtRest() {
        synchronized (lock) {
            return permit.isQueued() || (suspension != null && thread == null);
        }
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

    // How it ends.

    /** The handler has failed: if that breaks the connection, it is not the client that has gone. */
    void forgetActions() {
        synchronized (lock) {
            onDisconnect = List.of();
        }
    }

    /** The response has left, all of it. On the event loop. */
    public void sent() {
        transportDone();
    }

    /** The client has gone, or was thrown out. On the event loop; once. */
    public void disconnected() {
        List<Runnable> actions;
        ServerSuspension wait;
        synchronized (lock) {
            if (gone || transportDone) {
                return;
            }
            gone = true;
            goneNanos = System.nanoTime();
            actions = onDisconnect;
            onDisconnect = List.of();
            wait = suspension;
        }
        permit.cancelTransfer();
        if (!actions.isEmpty()) {
            runApart(() -> actions.forEach(LoggedAction::run));
        }
        RequestBody known = body;
        if (known != null) {
            known.fail("The client has gone before the request was answered");
        }
        if (wait != null) {
            wait.clientLeft();
        }
        if (permit.leaveQueue(false)) {
            handled();
        }
        transportDone();
    }

    private void transportDone() {
        boolean finished;
        synchronized (lock) {
            finished = handlerDone && !transportDone;
            transportDone = true;
        }
        if (finished) {
            finish();
        }
    }

    private void finish() {
        permit.release();
        server.clients().done(client, admittedAtOnce);
        connection.finished(this);
    }

    public boolean isGone() {
        synchronized (lock) {
            return gone;
        }
    }

    public boolean isFinished() {
        synchronized (lock) {
            return transportDone && handlerDone;
        }
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
        long graceNanos = server.settings().interruptAfter().toNanos();
        synchronized (lock) {
            if (gone && !interrupted && thread != null && now - goneNanos > graceNanos) {
                interrupted = true;
                thread.interrupt();
            }
        }
    }

    void interrupt() {
        synchronized (lock) {
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    public Response response() {
        Response made = response;
        if (made == null) {
            made =
                    new Response(
                            connection.transport(),
                            method().equals("HEAD"),
                            server.settings().compression(),
                            this::acceptEncoding);
            response = made;
        }
        return made;
    }

    /** Ends it without a response, or in the middle of one. */
    void breakOff() {
        Response made = response;
        if (made == null) {
            connection.reset();
        } else {
            made.breakOff();
        }
    }

    /** What the client was told; 0 where it was told nothing. */
    int statusSent() {
        Response made = response;
        if (made != null && made.committed()) {
            return made.status();
        }
        return upgrade != null && upgrade.hasOpened() ? 101 : 0;
    }

    String protocol() {
        return connection.protocol();
    }

    public @Nullable RequestBody received() {
        return body;
    }

    Loop loop() {
        return connection.loop();
    }
}
