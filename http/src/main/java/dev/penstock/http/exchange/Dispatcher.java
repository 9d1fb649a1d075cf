package dev.penstock.http.exchange;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.limits.LimitExceeded;
import dev.penstock.http.limits.PermitQueue;
import dev.penstock.http.loop.ClaimableTask;
import dev.penstock.http.route.FilterChain;
import dev.penstock.http.route.RouteGroup;
import dev.penstock.http.route.Router;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The way of a request from its connection to its handler: limits of its client, route, admission, thread. A connection
 * hands each exchange over once, by {@link #dispatch}; it hears of it again when the exchange is finished. Thread-safe.
 */
public final class Dispatcher {
    /** The answer to a request that waits while more lies unread in the server than may. */
    static final Handler TOO_MUCH_UNREAD =
            Handler.nonBlocking(_ -> {
                throw new HttpException(
                                503,
                                "Too much of requests that wait has been sent already; try again later")
                        .header("Retry-After", "1");
            });

    private final ServerContext server;
    private final Router router;
    private final Admission admission;
    private final Set<ServerExchange> running = ConcurrentHashMap.newKeySet();
    private final LongAdder requests = new LongAdder();

    /**
     * @param admission what admits requests to routes that have no admission of their own
     */
    Dispatcher(ServerContext server, Router router, Admission admission) {
        this.server = server;
        this.router = router;
        this.admission = admission;
    }

    public Admission admission() {
        return admission;
    }

    /** The number of handlers that run on a thread. */
    public int running() {
        return running.size();
    }

    /** The number of requests with a well-formed head so far. */
    public long requests() {
        return requests.sum();
    }

    /** Interrupts the handlers that run. */
    public void interruptAll() {
        running.forEach(ServerExchange::interrupt);
    }

    /**
     * Finds who answers, and has it answer as soon as it is admitted. On the event loop.
     *
     * @param segments those of its path
     * @param contentLength of its body, negative where it is not known
     */
    // A route's admission that fails is answered as a handler that does, errors included.
    @SuppressWarnings("CatchingUnchecked")
    public void dispatch(ServerExchange exchange, List<String> segments, long contentLength) {
        Router.Match match = router.match(segments);
        Router.Route route = match == null ? null : match.route(exchange.method());
        long maxBody;
        if (match == null || route == null) {
            RouteGroup group = router.group(match, segments, askedMethod(exchange));
            exchange.unrouted(group.chain());
            maxBody = group.maxBody();
        } else {
            exchange.routed(match, route);
            maxBody = route.maxBody();
        }
        exchange.begin(maxBody);
        if (contentLength > maxBody) {
            exchange.answerHere(_ -> {
                throw RequestBody.tooLarge(maxBody);
            });
            return;
        }
        requests.increment();
        LimitExceeded exceeded = exchange.exceededLimit();
        if (exceeded != null) {
            exchange.answerHere(Failures.handler(Failures.tooMany(exceeded)));
            return;
        }
        if (server.stopping()) {
            refuse(exchange, admission.queue());
            return;
        }
        try {
            if (match == null || route == null) {
                exchange.handler(unrouted(exchange, match));
            } else {
                exchange.chooseHandler();
            }
        } catch (Throwable failure) {
            exchange.answerHere(Failures.handler(failure));
            return;
        }
        Function<Exchange, Admission> own = route == null ? null : route.admission();
        if (own == null && exchange.runsOnLoop()) {
            exchange.runHere();
            return;
        }
        PermitQueue through;
        try {
            through = (own == null ? admission : own.apply(exchange)).queue();
        } catch (Throwable failure) {
            exchange.answerHere(Failures.handler(failure));
            return;
        }
        switch (exchange.permit().enter(through)) {
            case RUN -> start(exchange);
            case WAIT -> {}
            case REFUSED -> refuse(exchange, through);
        }
    }

    /** The method that a browser asks about before it sends a request; empty for none. */
    private static String askedMethod(ServerExchange exchange) {
        return exchange.method().equals("OPTIONS")
                ? exchange.header("Access-Control-Request-Method").orElse("")
                : "";
    }

    /** The filters of every request. */
    FilterChain filters() {
        return router.all().chain();
    }

    /** Answers a request of another server that can't be dispatched, since its head is malformed. On the event loop. */
    public void reject(ServerExchange exchange, HttpException fault) {
        exchange.unrouted(filters());
        exchange.answerHere(_ -> {
            throw fault;
        });
    }

    /** Returns whether there is a route for a GET of the path of these segments. */
    boolean hasPage(List<String> segments) {
        Router.Match match = router.match(segments);
        return match != null && match.route("GET") != null;
    }

    /** What answers where there is no route. */
    private Handler unrouted(ServerExchange exchange, Router.@Nullable Match match) {
        String method = exchange.method();
        boolean all = exchange.path().equals("*");
        if (match == null && !all) {
            return Handler.nonBlocking(_ -> {
                throw new HttpException(404, "There is nothing at this path");
            });
        }
        String allow = all || match == null ? router.methods() : match.allow();
        if (method.equals("OPTIONS")) {
            return Handler.nonBlocking(answered -> answered.status(204).header("Allow", allow));
        }
        return Handler.nonBlocking(_ -> {
            throw new HttpException(405, "This path answers " + allow).header("Allow", allow);
        });
    }

    public void refuse(ServerExchange exchange, PermitQueue full) {
        exchange.answerHere(_ -> {
            throw refusal(full);
        });
    }

    /** The error of a request that an admission has no room for. */
    HttpException refusal(PermitQueue full) {
        long seconds = Math.max(1, full.timeout().plusMillis(999).toSeconds());
        return new HttpException(
                        503,
                        server.stopping()
                                ? "The server is stopping"
                                : "Too many requests of this kind are running and"
                                        + " waiting; try again later")
                .header("Retry-After", Long.toString(seconds));
    }

    /** Too much of requests' bodies lies here for one more to wait with its own. */
    public void refuseBody(ServerExchange exchange) {
        exchange.answerHere(TOO_MUCH_UNREAD);
    }

    /** Has an exchange go on with a handler on a thread after a wait, as soon as it is admitted again. */
    void resume(ServerExchange exchange) {
        if (exchange.permit().reenter(admission.queue()) == PermitQueue.Decision.RUN) {
            start(exchange);
        }
    }

    /** Gives an exchange on the event loop a thread: at once where it has a permit, otherwise when it is admitted. */
    void goOnOnThread(ServerExchange exchange) {
        if (exchange.permit().queue() == null) {
            resume(exchange);
        } else {
            start(exchange);
        }
    }

    /** Gives the exchange its thread, where its handler needs one. */
    void start(ServerExchange exchange) {
        if (exchange.runsOnLoop()) {
            exchange.onLoop(exchange::runHere);
            return;
        }
        running.add(exchange);
        if (exchange.loop().isHere()) {
            exchange.loop().start(() -> startThread(exchange));
        } else {
            startThread(exchange);
        }
    }

    /**
     * Where there is no memory for a thread, its request fails as one whose handler had none: or else it would keep its
     * place.
     */
    private void startThread(ServerExchange exchange) {
        ClaimableTask task = new ClaimableTask(() -> run(exchange));
        try {
            var _ = Thread.ofVirtual().name("penstock-handler").start(task);
        } catch (OutOfMemoryError | RejectedExecutionException failure) {
            if (task.claim()) {
                running.remove(exchange);
                exchange.onLoop(() -> exchange.answerHere(Failures.handler(failure)));
            }
        }
    }

    private void run(ServerExchange exchange) {
        boolean waits = false;
        try {
            waits = exchange.run();
        } finally {
            running.remove(exchange);
            server.signalQuiet();
        }
        if (waits) {
            exchange.await();
        }
    }
}
