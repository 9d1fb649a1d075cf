package dev.penstock.server.operations;

import dev.penstock.http.filter.TraceContext;
import io.prometheus.metrics.tracer.common.SpanContext;
import org.jspecify.annotations.Nullable;

/**
 * The trace of the request that is being counted on this thread: what the metrics name as an example of a duration.
 * Only traces that their sender records, since no others can be looked up. Thread-safe.
 */
final class RequestSpan implements SpanContext {
    private static final ThreadLocal<@Nullable TraceContext> CURRENT = new ThreadLocal<>();

    /** Has something counted as a request of this trace, if it is of one. */
    void during(@Nullable TraceContext trace, Runnable count) {
        if (trace == null || !trace.sampled()) {
            count.run();
            return;
        }
        CURRENT.set(trace);
        try {
            count.run();
        } finally {
            CURRENT.remove();
        }
    }

    @Override
    public @Nullable String getCurrentTraceId() {
        TraceContext trace = CURRENT.get();
        return trace == null ? null : trace.traceId();
    }

    @Override
    public @Nullable String getCurrentSpanId() {
        TraceContext trace = CURRENT.get();
        return trace == null ? null : trace.spanId();
    }

    @Override
    public boolean isCurrentSpanSampled() {
        return CURRENT.get() != null;
    }

    @Override
    public void markCurrentSpanAsExemplar() {
        // Whoever records the trace does so anyway.
    }
}
