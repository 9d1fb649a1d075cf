package dev.penstock.server.operations;

import dev.penstock.http.FinishedRequest;
import dev.penstock.http.filter.TraceContext;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counters of requests by method, route and status, none of which a client can make up: the route is the pattern that
 * was mounted, and an unknown method is {@code OTHER}. Counting a request takes no memory once its kind has been seen,
 * but for one whose trace is recorded: that may be named as an example of its duration. Thread-safe.
 */
final class RequestMetrics implements Consumer<FinishedRequest> {
    private static final String UNMATCHED = "UNMATCHED";
    private static final String MALFORMED = "MALFORMED";
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5)
    };

    private final MeterRegistry registry;
    private final RequestSpan span;
    private final ConcurrentHashMap<String, Route> routes = new ConcurrentHashMap<>();
    private final Timer queued;
    private final Counter reset;
    private final Counter gone;

    RequestMetrics(MeterRegistry registry, RequestSpan span) {
        this.registry = registry;
        this.span = span;
        queued =
                Timer.builder("http.server.queue.time")
                        .description("How long requests waited that had to wait for a permit")
                        .serviceLevelObjectives(BUCKETS)
                        .register(registry);
        reset = broken(FinishedRequest.Ending.RESET);
        gone = broken(FinishedRequest.Ending.CLIENT_GONE);
    }

    private Counter broken(FinishedRequest.Ending ending) {
        return Counter.builder("http.server.aborted")
                .description("Responses that were not sent whole")
                .tag("by", ending.text())
                .register(registry);
    }

    /** The kinds of requests of one route, searched in order since most routes have one or two. */
    private final class Route {
        private final String path;
        private volatile Kind[] kinds = {};

        Route(String path) {
            this.path = path;
        }

        Kind kind(String method, int status) {
            Kind known = find(method, status);
            return known != null ? known : add(method, status);
        }

        private @Nullable Kind find(String method, int status) {
            for (Kind kind : kinds) {
                if (kind.status == status && kind.method.equals(method)) {
                    return kind;
                }
            }
            return null;
        }

        private synchronized Kind add(String method, int status) {
            Kind known = find(method, status);
            if (known != null) {
                return known;
            }
            Kind added = new Kind(path, method, status);
            Kind[] more = java.util.Arrays.copyOf(kinds, kinds.length + 1);
            more[kinds.length] = added;
            kinds = more;
            return added;
        }
    }

    /** A method, route and status, with its counters. */
    private final class Kind {
        private final String method;
        private final int status;
        private final Timer timer;
        private final Counter bytes;

        Kind(String path, String method, int status) {
            this.method = method;
            this.status = status;
            Tags tags =
                    Tags.of(
                            "method",
                            method,
                            "uri",
                            path,
                            "status",
                            status == 0 ? "none" : Integer.toString(status),
                            "outcome",
                            outcome(status));
            timer =
                    Timer.builder("http.server.requests")
                            .description("Requests, from their head until their response has left")
                            .tags(tags)
                            .serviceLevelObjectives(BUCKETS)
                            .register(registry);
            bytes =
                    Counter.builder("http.server.sent")
                            .description("What was sent for them, heads and framing included")
                            .baseUnit("bytes")
                            .tags(tags)
                            .register(registry);
        }
    }

    private static String outcome(int status) {
        return switch (status / 100) {
            case 2 -> "SUCCESS";
            case 3 -> "REDIRECTION";
            case 4 -> "CLIENT_ERROR";
            case 5 -> "SERVER_ERROR";
            default -> "UNKNOWN";
        };
    }

    private static String method(String sent) {
        return switch (sent) {
            case "GET" -> "GET";
            case "HEAD" -> "HEAD";
            case "POST" -> "POST";
            case "PUT" -> "PUT";
            case "PATCH" -> "PATCH";
            case "DELETE" -> "DELETE";
            case "OPTIONS" -> "OPTIONS";
            default -> "OTHER";
        };
    }

    @Override
    public void accept(FinishedRequest request) {
        String path = request.route();
        if (path == null) {
            path = request.method().equals("-") ? MALFORMED : UNMATCHED;
        }
        Route route = routes.get(path);
        if (route == null) {
            route = routes.computeIfAbsent(path, Route::new);
        }
        Kind kind = route.kind(method(request.method()), request.status());
        TraceContext trace = request.attribute(TraceContext.KEY).orElse(null);
        span.during(trace, () -> kind.timer.record(request.durationNanos(), TimeUnit.NANOSECONDS));
        kind.bytes.increment((double) request.bytesSent());
        if (request.queuedNanos() > 0) {
            queued.record(request.queuedNanos(), TimeUnit.NANOSECONDS);
        }
        switch (request.ending()) {
            case COMPLETE -> {}
            case RESET -> reset.increment();
            case CLIENT_GONE -> gone.increment();
        }
    }
}
