package dev.penstock.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A request, its response, and where its handling stands. It is finished when two things have happened, in whichever order:
 * its handler has returned, and its response has left or is broken.
 */
final class ServerExchange implements Exchange, Admission.Waiter {
    private final Server server;
    private final Wire wire;
    private final Connection connection;
    private final String method;
    private final RequestTarget target;
    private final HttpHeaders headers;
    private final RequestBody body;
    private final Response response;
    private final AtomicInteger unfinished = new AtomicInteger(2);
    final long startedNanos = System.nanoTime();

    private Router.@Nullable Match match;
    private Router.@Nullable Route route;
    private volatile @Nullable Admission admission;

    private final Object lock = new Object();
    private final List<Runnable> onDisconnect = new ArrayList<>(1);
    private boolean gone;
    private boolean wireDone;
    private @Nullable Thread thread;
    private long goneNanos;
    private boolean interrupted;

    ServerExchange(
            Server server,
            Connection connection,
            Wire wire,
            String method,
            RequestTarget target,
            HttpHeaders headers,
            RequestBody body) {
        this.server = server;
        this.connection = connection;
        this.wire = wire;
        this.method = method;
        this.target = target;
        this.headers = headers;
        this.body = body;
        this.response =
                new Response(
                        wire,
                        method.equals("HEAD"),
                        server.settings().compression(),
                        headers.getAll("Accept-Encoding"));
    }

    /** What an exchange needs of the connection that it came on. */
    interface Connection {
        String remoteAddress();

        /** Called once, when both the handler and the wire are done with it; on any thread. */
        void finished(ServerExchange exchange);
    }

    // What handlers see.

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return target.path();
    }

    @Override
    public String query() {
        return target.query();
    }

    @Override
    public List<Parameter> parameters() {
        return target.parameters();
    }

    @Override
    public Optional<String> parameter(String name) {
        return target.parameters().reversed().stream()
                .filter(parameter -> parameter.name().equals(name))
                .map(Parameter::value)
                .findFirst();
    }

    @Override
    public String pathParameter(String name) {
        Router.Match matched = match;
        Router.Route routed = route;
        if (matched == null || routed == null) {
            throw new IllegalArgumentException("No route, so no path parameter '" + name + "'");
        }
        return matched.value(routed, name);
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    @Override
    public List<String> headers(String name) {
        return List.copyOf(headers.getAll(name));
    }

    @Override
    public String remoteAddress() {
        return connection.remoteAddress();
    }

    @Override
    public ReadableByteChannel requestBody() {
        return body;
    }

    @Override
    public Exchange status(int status) {
        response.status(status);
        return this;
    }

    @Override
    public Exchange header(String name, String value) {
        response.header(name, value);
        return this;
    }

    @Override
    public ResponseBody body(String mediaType) {
        return response.start(mediaType);
    }

    @Override
    public void respond(int status, String mediaType, byte[] bytes) {
        try {
            response.whole(status, mediaType, bytes);
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
                onDisconnect.add(action);
                return;
            }
        }
        action.run();
    }

    // How it is run.

    void routed(Router.Match match, Router.Route route) {
        this.match = match;
        this.route = route;
    }

    /** Takes part in an admission; called before anything else runs. */
    Admission.Decision enter(Admission admission) {
        this.admission = admission;
        Admission.Decision decision = admission.enter(this);
        if (decision == Admission.Decision.REFUSED) {
            this.admission = null;
        }
        return decision;
    }

    /** Leaves the queue; false if it has been admitted in the meantime. */
    boolean abandon(boolean lostPatience) {
        Admission entered = admission;
        if (entered == null || !entered.abandon(this, lostPatience)) {
            return false;
        }
        admission = null;
        return true;
    }

    @Override
    public void admitted() {
        server.start(this);
    }

    /** Runs the handler; on its virtual thread. */
    void run() {
        synchronized (lock) {
            thread = Thread.currentThread();
        }
        try {
            Router.Route routed = route;
            if (routed != null && !isGone()) {
                answer(routed.handler());
            }
        } finally {
            synchronized (lock) {
                thread = null;
            }
            body.close();
            partDone();
        }
    }

    /** Answers on the event loop, with something small that does not block. */
    void answerHere(Handler handler) {
        answer(handler);
        body.close();
        partDone();
    }

    // Whatever a handler throws must reach the client as a failure, errors included.
    @SuppressWarnings("CatchingUnchecked")
    private void answer(Handler handler) {
        try {
            handler.handle(this);
            response.complete();
        } catch (Throwable failure) {
            try {
                failed(failure);
            } catch (Throwable worse) {
                // No memory for an error response, say: the client must not wait for one.
                server.log().log(
                        System.Logger.Level.WARNING, "No error response could be sent", worse);
                response.breakOff();
            }
        }
    }

    private void failed(Throwable failure) {
        if (response.isComplete()) {
            server.log().log(
                    System.Logger.Level.DEBUG,
                    "A handler failed after its response was complete",
                    failure);
            return;
        }
        if (isGone() || response.isBroken()) {
            server.log().log(System.Logger.Level.DEBUG, "The client has gone", failure);
            response.breakOff();
            return;
        }
        forgetActions();
        if (isFault(failure)) {
            server.log().log(
                    System.Logger.Level.ERROR,
                    "%s %s failed %s"
                            .formatted(
                                    method,
                                    Syntax.printable(target.path()),
                                    response.committed()
                                            ? "in the middle of its response, which is broken off"
                                            : "before its response"),
                    failure);
        }
        Problem problem =
                failure instanceof HttpException known ? Problem.of(known) : Problem.internal();
        try {
            if (!response.replace(problem)) {
                response.breakOff();
            }
        } catch (IOException gone) {
            server.log().log(System.Logger.Level.DEBUG, "No error response could be sent", gone);
            response.breakOff();
        }
    }

    /** Whether the log must tell of it: nobody was told, or the cause was withheld from the client. */
    private boolean isFault(Throwable failure) {
        if (!(failure instanceof HttpException known)) {
            return true;
        }
        boolean withheld = known.status() == 500 && known.getCause() != null;
        return known.status() >= 500 && (withheld || response.committed());
    }

    /** The handler has failed: if that breaks the connection, it is not the client that has gone. */
    private void forgetActions() {
        synchronized (lock) {
            onDisconnect.clear();
        }
    }

    /** The response has left, all of it. On the event loop. */
    void sent() {
        wireDone();
    }

    /** The client has gone, or was thrown out. On the event loop; once. */
    void disconnected() {
        List<Runnable> actions;
        synchronized (lock) {
            if (gone || wireDone) {
                return;
            }
            gone = true;
            goneNanos = System.nanoTime();
            actions = List.copyOf(onDisconnect);
            onDisconnect.clear();
        }
        if (!actions.isEmpty()) {
            Thread.ofVirtual().name("penstock-disconnect").start(() -> runAll(actions));
        }
        body.fail("The client has gone before the request was answered");
        if (abandon(false)) {
            body.close();
            partDone();
        }
        wireDone();
    }

    private void runAll(List<Runnable> actions) {
        for (Runnable action : actions) {
            try {
                action.run();
            } catch (RuntimeException failure) {
                server.log().log(
                        System.Logger.Level.WARNING, "An onDisconnect action failed", failure);
            }
        }
    }

    private void wireDone() {
        synchronized (lock) {
            if (wireDone) {
                return;
            }
            wireDone = true;
        }
        partDone();
    }

    private void partDone() {
        if (unfinished.decrementAndGet() == 0) {
            Admission entered = admission;
            if (entered != null) {
                entered.leave();
            }
            connection.finished(this);
        }
    }

    boolean isGone() {
        synchronized (lock) {
            return gone;
        }
    }

    boolean isFinished() {
        return unfinished.get() == 0;
    }

    /** Interrupts a handler that still runs so long after its client went: the last resort. */
    void interruptIfStuck(long now, long graceNanos) {
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

    Response response() {
        return response;
    }

    RequestBody received() {
        return body;
    }

    RequestTarget target() {
        return target;
    }

    @Nullable Admission admission() {
        return admission;
    }

    Wire wire() {
        return wire;
    }
}
