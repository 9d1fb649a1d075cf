package dev.penstock.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.http.Admission;
import dev.penstock.http.AttributeKey;
import dev.penstock.http.Exchange;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.Suspension;
import java.net.URLDecoder;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An exchange that has a method, a query and headers, and can't be answered. */
public final class RequestHead implements Exchange {
    private final String method;
    private final String query;
    private final List<String[]> headers = new ArrayList<>();

    public RequestHead(String query) {
        this("GET", query);
    }

    public RequestHead(String method, String query) {
        this.method = method;
        this.query = query;
    }

    public RequestHead with(String name, String value) {
        headers.add(new String[] {name, value});
        return this;
    }

    public static List<Parameter> parameters(String query) {
        List<Parameter> parameters = new ArrayList<>();
        int start = 0;
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            int value = equals < 0 ? part.length() : equals + 1;
            String name = part.substring(0, equals < 0 ? part.length() : equals);
            parameters.add(
                    new Parameter(
                            URLDecoder.decode(name, UTF_8),
                            URLDecoder.decode(part.substring(value), UTF_8),
                            start + value));
            start += part.length() + 1;
        }
        return parameters;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return "/api/t";
    }

    @Override
    public String query() {
        return query;
    }

    @Override
    public List<Parameter> parameters() {
        return parameters(query);
    }

    @Override
    public Optional<String> parameter(String name) {
        return parameters().stream()
                .filter(parameter -> parameter.name().equals(name))
                .reduce((first, second) -> second)
                .map(Parameter::value);
    }

    @Override
    public String pathParameter(String name) {
        return "t";
    }

    @Override
    public Optional<String> route() {
        return Optional.empty();
    }

    @Override
    public List<String> trailers(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Exchange trailer(String name, Supplier<@Nullable String> value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Exchange inform(int status, String... namesAndValues) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Exchange earlyHints(String... links) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<String> header(String name) {
        return headers(name).stream().findFirst();
    }

    @Override
    public List<String> headers(String name) {
        return headers.stream()
                .filter(header -> header[0].equalsIgnoreCase(name))
                .map(header -> header[1])
                .toList();
    }

    @Override
    public String remoteAddress() {
        return "127.0.0.1";
    }

    @Override
    public ReadableByteChannel requestBody() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Exchange status(int status) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Exchange header(String name, String value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Exchange addHeader(String name, String value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isSecure() {
        return false;
    }

    @Override
    public <T> Optional<T> attribute(AttributeKey<T> key) {
        return Optional.empty();
    }

    @Override
    public <T> Exchange attribute(AttributeKey<T> key, T value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> T readJson(Class<T> type, int maxBytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void json(int status, Object value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ResponseBody body(String mediaType) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void respond(int status, String mediaType, byte[] body) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void respond(int status, String mediaType, String body) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void onDisconnect(Runnable action) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void transferTo(Admission admission) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Suspension suspend(Duration timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> Suspension suspend(
            CompletionStage<T> stage, Suspension.Continuation<? super T> continuation) {
        throw new UnsupportedOperationException();
    }
}
