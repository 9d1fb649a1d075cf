package dev.penstock.http.filter;

import dev.penstock.http.AttributeKey;
import dev.penstock.http.Exchange;
import dev.penstock.http.Filter;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The place of a request in a distributed trace (W3C Trace Context, level 1). The access log has the trace as {@code
 * traceId}, and the span as {@code spanId}. Immutable.
 *
 * @param traceId of the whole trace, 32 hexadecimal digits
 * @param parentId of the span that sent the request, 16 hexadecimal digits; empty where the trace begins here
 * @param spanId of this request, 16 hexadecimal digits
 * @param sampled whether the sender records it
 * @param state what tracing systems pass on in {@code tracestate}, at most 512 characters; empty where there is none
 */
public record TraceContext(
        String traceId, String parentId, String spanId, boolean sampled, String state) {
    /** The place of the request. */
    public static final AttributeKey<TraceContext> KEY =
            AttributeKey.logged("traceId", TraceContext::traceId);

    /** Its span, for the log alone. */
    private static final AttributeKey<String> SPAN = AttributeKey.logged("spanId", id -> id);

    private static final int VERSION = 2;
    private static final int TRACE = 32;
    private static final int SPAN_ID = 16;

    /** Of a header of version 00. */
    private static final int LENGTH = VERSION + 1 + TRACE + 1 + SPAN_ID + 1 + 2;

    private static final int LONGEST_STATE = 512;

    /**
     * A filter that reads {@code traceparent} and {@code tracestate}, or begins a trace where there is none, and keeps
     * it under {@link #KEY}. Where the request has one there already, such as by a tracer that observes the server,
     * that stays.
     */
    public static Filter filter() {
        return new Filter() {
            @Override
            public boolean isNonBlocking() {
                return true;
            }

            @Override
            public void handle(Exchange exchange) {
                if (exchange.attribute(KEY).isEmpty()) {
                    of(exchange).keep(exchange);
                }
            }
        };
    }

    /** Keeps it as the place of a request. */
    public void keep(Exchange exchange) {
        exchange.attribute(KEY, this).attribute(SPAN, spanId);
    }

    /** Returns the value of {@code traceparent} for requests that are sent on behalf of this one. */
    public String header() {
        return "00-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
    }

    private static TraceContext of(Exchange exchange) {
        List<String> parents = exchange.headers("traceparent");
        TraceContext sent = parents.size() == 1 ? parse(parents.getFirst()) : null;
        if (sent == null) {
            return new TraceContext(newId() + newId(), "", newId(), false, "");
        }
        String state = String.join(",", exchange.headers("tracestate"));
        return state.isEmpty() || state.length() > LONGEST_STATE ? sent : sent.withState(state);
    }

    private TraceContext withState(String passedOn) {
        return new TraceContext(traceId, parentId, spanId, sampled, passedOn);
    }

    /**
     * Reads a header {@code traceparent}, as the parent of a new span.
     *
     * @return nothing if it is malformed, of version ff, or of zeros
     */
    public static Optional<TraceContext> ofHeader(String traceparent) {
        return Optional.ofNullable(parse(traceparent));
    }

    private static @Nullable TraceContext parse(String header) {
        int length = header.length();
        boolean known = header.startsWith("00");
        if (length < LENGTH || (length > LENGTH && (known || header.charAt(LENGTH) != '-'))) {
            return null;
        }
        int trace = VERSION + 1;
        int parent = trace + TRACE + 1;
        int flags = parent + SPAN_ID + 1;
        boolean wellFormed =
                isHex(header, 0, VERSION)
                        && header.charAt(trace - 1) == '-'
                        && isHex(header, trace, TRACE)
                        && header.charAt(parent - 1) == '-'
                        && isHex(header, parent, SPAN_ID)
                        && header.charAt(flags - 1) == '-'
                        && isHex(header, flags, 2);
        if (!wellFormed
                || header.startsWith("ff")
                || isZero(header, trace, TRACE)
                || isZero(header, parent, SPAN_ID)) {
            return null;
        }
        boolean sampled = (Character.digit(header.charAt(flags + 1), 16) & 1) == 1;
        return new TraceContext(
                header.substring(trace, trace + TRACE),
                header.substring(parent, parent + SPAN_ID),
                newId(),
                sampled,
                "");
    }

    /** In lower case, as the standard has it. */
    private static boolean isHex(String text, int from, int count) {
        for (int i = from; i < from + count; i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    private static boolean isZero(String text, int from, int count) {
        for (int i = from; i < from + count; i++) {
            if (text.charAt(i) != '0') {
                return false;
            }
        }
        return true;
    }

    /** Sixteen digits that are not all zero. */
    private static String newId() {
        long random = ThreadLocalRandom.current().nextLong();
        return HexFormat.of().toHexDigits(random == 0 ? 1 : random);
    }
}
