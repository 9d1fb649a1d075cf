package dev.penstock.http.exchange;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.message.RequestHeaders;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an exchange says of the request itself. While it waits, what can be had from less is not kept. */
abstract class ReceivedRequest implements Exchange {
    private final String method;
    private final String path;
    private final String query;

    /** Null when it is packed. */
    private @Nullable RequestTarget target;

    private final RequestHeaders fields;
    private Router.@Nullable Match match;
    private Router.@Nullable Route route;

    ReceivedRequest(String method, RequestTarget target, RequestHeaders fields) {
        this.method = method;
        this.path = target.path();
        this.query = target.query();
        this.target = target;
        this.fields = fields;
    }

    void routed(Router.Match match, Router.Route route) {
        this.match = match;
        this.route = route;
    }

    /** The one of its route. */
    @Nullable Handler handler() {
        return route == null ? null : route.handler();
    }

    /** The path of its route, as the server was built with it; null where it has none. */
    @Nullable String routePath() {
        return route == null ? null : route.path();
    }

    List<String> acceptEncoding() {
        return headers("Accept-Encoding");
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public String query() {
        return query;
    }

    @Override
    public List<Parameter> parameters() {
        RequestTarget known = target;
        return known == null ? Parameter.of(query) : known.parameters();
    }

    @Override
    public Optional<String> parameter(String name) {
        return parameters().reversed().stream()
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

    /** It waits for long, and nobody is likely to ask about it soon. */
    void pack() {
        target = null;
    }

    @Override
    public Optional<String> header(String name) {
        List<String> all = fields.all(name);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getFirst());
    }

    @Override
    public List<String> headers(String name) {
        return List.copyOf(fields.all(name));
    }
}
