package dev.penstock.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an exchange says of the request itself. */
abstract class ReceivedRequest implements Exchange {
    private final String method;
    private final RequestTarget target;
    private final HttpHeaders headers;
    private Router.@Nullable Match match;
    private Router.@Nullable Route route;

    ReceivedRequest(String method, RequestTarget target, HttpHeaders headers) {
        this.method = method;
        this.target = target;
        this.headers = headers;
    }

    void routed(Router.Match match, Router.Route route) {
        this.match = match;
        this.route = route;
    }

    /** The one of its route. */
    @Nullable Handler handler() {
        return route == null ? null : route.handler();
    }

    /** The path's segments. */
    List<String> segments() {
        return target.segments();
    }

    List<String> acceptEncoding() {
        return headers.getAll("Accept-Encoding");
    }

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
}
