package dev.penstock.http.opentelemetry;

import dev.penstock.http.Exchange;
import dev.penstock.http.FinishedRequest;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Set;
import java.util.regex.Pattern;

/** The span of a request, with the names of OpenTelemetry's semantic conventions for HTTP servers. */
final class ServerSpan {
    private static final AttributeKey<String> METHOD =
            AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<String> METHOD_ORIGINAL =
            AttributeKey.stringKey("http.request.method_original");
    private static final AttributeKey<Long> STATUS =
            AttributeKey.longKey("http.response.status_code");
    private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    private static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");
    private static final AttributeKey<String> QUERY = AttributeKey.stringKey("url.query");
    private static final AttributeKey<String> SCHEME = AttributeKey.stringKey("url.scheme");
    private static final AttributeKey<String> SERVER = AttributeKey.stringKey("server.address");
    private static final AttributeKey<Long> SERVER_PORT = AttributeKey.longKey("server.port");
    private static final AttributeKey<String> CLIENT = AttributeKey.stringKey("client.address");
    private static final AttributeKey<String> USER_AGENT =
            AttributeKey.stringKey("user_agent.original");
    private static final AttributeKey<String> PROTOCOL =
            AttributeKey.stringKey("network.protocol.version");

    /** Other methods could be of any name, and there is to be a bounded number of those. */
    private static final Set<String> METHODS =
            Set.of("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE");

    private static final Pattern SIGNATURES =
            Pattern.compile(
                    "(?<=^|&)(AWSAccessKeyId|Signature|sig|X-Goog-Signature|X-Amz-Signature)=[^&]*");

    private static final String OTHER = "_OTHER";
    private static final int LEAST_SERVER_ERROR = 500;

    private ServerSpan() {}

    /** Starts it. */
    static Span start(Tracer tracer, Context parent, Exchange exchange) {
        String method = exchange.method();
        boolean known = METHODS.contains(method);
        String route = exchange.route().orElse(null);
        String name = known ? method : "HTTP";
        SpanBuilder span =
                tracer.spanBuilder(route == null ? name : name + " " + route)
                        .setParent(parent)
                        .setSpanKind(SpanKind.SERVER)
                        .setAttribute(METHOD, known ? method : OTHER)
                        .setAttribute(PATH, exchange.path())
                        .setAttribute(SCHEME, exchange.isSecure() ? "https" : "http")
                        .setAttribute(CLIENT, exchange.remoteAddress());
        if (route != null) {
            span.setAttribute(ROUTE, route);
        }
        if (!known) {
            span.setAttribute(METHOD_ORIGINAL, method);
        }
        if (!exchange.query().isEmpty()) {
            span.setAttribute(QUERY, withoutSignatures(exchange.query()));
        }
        exchange.header("User-Agent").ifPresent(agent -> span.setAttribute(USER_AGENT, agent));
        exchange.header("Host").ifPresent(host -> setServer(span, host, exchange.isSecure()));
        return span.startSpan();
    }

    /** What stands for a signature would open to whoever reads the trace what it signs. */
    private static String withoutSignatures(String query) {
        return SIGNATURES.matcher(query).replaceAll("$1=REDACTED");
    }

    /** The host's name or address, and its port, which is that of the scheme unless it is written. */
    private static void setServer(SpanBuilder span, String host, boolean secure) {
        int colon = host.lastIndexOf(':');
        boolean written = colon > host.lastIndexOf(']') && colon + 1 < host.length();
        String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
        long port = secure ? 443 : 80;
        if (written && host.substring(colon + 1).matches("[0-9]{1,5}")) {
            port = Long.parseLong(host.substring(colon + 1));
        }
        if (!name.isEmpty()) {
            span.setAttribute(SERVER, name).setAttribute(SERVER_PORT, port);
        }
    }

    /** Ends it, with what is known of the response. */
    static void end(Span span, FinishedRequest request) {
        int status = request.status();
        if (request.protocol().startsWith("HTTP/")) {
            span.setAttribute(PROTOCOL, request.protocol().substring("HTTP/".length()));
        }
        if (status > 0) {
            span.setAttribute(STATUS, (long) status);
        }
        if (request.ending() != FinishedRequest.Ending.COMPLETE) {
            span.setAttribute(ERROR, request.ending().text()).setStatus(StatusCode.ERROR);
        } else if (status >= LEAST_SERVER_ERROR) {
            span.setAttribute(ERROR, Integer.toString(status)).setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
