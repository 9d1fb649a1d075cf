package dev.penstock.http.opentelemetry;

import dev.penstock.http.Exchange;
import dev.penstock.http.FinishedRequest;
import dev.penstock.http.HttpException;
import dev.penstock.http.RequestObserver;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * An observer that makes a span of each request, by OpenTelemetry's semantic conventions for HTTP servers:
 *
 * {@snippet :
 * Server.builder().observer(Tracing.of(openTelemetry));
 * }
 *
 * <p>The span continues the trace that the request's headers name. It is called {@code GET /films/{id}}, and starts
 * when the head of the request has come. While filters and handlers of the request run, on whichever thread, it is the
 * current one ({@link Span#current}). It ends when the last byte of the response has left, or the response is broken;
 * that is an error of type {@code reset} or {@code client-gone}, and a status from 500 on is one of the status's type.
 * What filters and handlers throw is an event of the span, unless it is an {@link HttpException} with a status below
 * 500. Thread-safe.
 */
public final class Tracing implements RequestObserver {
    private static final String NAME = "dev.penstock.http";
    private static final int LEAST_SERVER_ERROR = 500;

    private final Tracer tracer;
    private final TextMapPropagator propagator;

    private Tracing(Tracer tracer, TextMapPropagator propagator) {
        this.tracer = tracer;
        this.propagator = propagator;
    }

    /**
     * An observer whose spans go to an OpenTelemetry. Headers are read by its propagators; where it has none, by that
     * of W3C Trace Context.
     */
    public static Tracing of(OpenTelemetry telemetry) {
        TextMapPropagator known = telemetry.getPropagators().getTextMapPropagator();
        return new Tracing(
                telemetry.getTracer(NAME),
                known.fields().isEmpty() ? W3CTraceContextPropagator.getInstance() : known);
    }

    @Override
    public Observation begin(Exchange exchange) {
        Context parent = propagator.extract(Context.root(), exchange, Headers.INSTANCE);
        Span span = ServerSpan.start(tracer, parent, exchange);
        return new Observed(span, parent.with(span));
    }

    /** The headers of a request. */
    private enum Headers implements TextMapGetter<Exchange> {
        INSTANCE;

        @Override
        public @Nullable String get(@Nullable Exchange exchange, String name) {
            return exchange == null ? null : exchange.header(name).orElse(null);
        }

        @Override
        public Iterator<String> getAll(@Nullable Exchange exchange, String name) {
            return exchange == null
                    ? Collections.emptyIterator()
                    : exchange.headers(name).iterator();
        }
    }

    /** A request that has a span. */
    private record Observed(Span span, Context context) implements Observation {
        @Override
        @SuppressWarnings("MustBeClosedChecker") // the server closes it
        public Scope enter() {
            io.opentelemetry.context.Scope entered = context.makeCurrent();
            return entered::close;
        }

        @Override
        public void failed(Throwable failure) {
            boolean expected =
                    failure instanceof HttpException known && known.status() < LEAST_SERVER_ERROR;
            if (!expected) {
                span.recordException(failure);
            }
        }

        @Override
        public void finished(FinishedRequest request) {
            ServerSpan.end(span, request);
        }
    }
}
