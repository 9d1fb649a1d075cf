package dev.penstock.gateway.request;

import dev.penstock.http.Admission;
import dev.penstock.http.AttributeKey;
import dev.penstock.http.Exchange;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.Suspension;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An exchange whose parameters are those of its URL and then those of its body, a form, as if they stood in one query.
 */
final class FormExchange implements Exchange {
    private final Exchange exchange;
    private final String query;
    private final List<Parameter> parameters;

    /**
     * @param exchange whose body was read
     * @param form the body
     */
    FormExchange(Exchange exchange, String form) {
        this.exchange = exchange;
        this.query = exchange.query().isEmpty() ? form : exchange.query() + "&" + form;
        this.parameters = Parameter.of(query);
    }

    @Override
    public String query() {
        return query;
    }

    @Override
    public List<Parameter> parameters() {
        return parameters;
    }

    @Override
    public Optional<String> parameter(String name) {
        return parameters.reversed().stream()
                .filter(parameter -> parameter.name().equals(name))
                .map(Parameter::value)
                .findFirst();
    }

    @Override
    public String method() {
        return exchange.method();
    }

    @Override
    public String path() {
        return exchange.path();
    }

    @Override
    public String pathParameter(String name) {
        return exchange.pathParameter(name);
    }

    @Override
    public Optional<String> route() {
        return exchange.route();
    }

    @Override
    public List<String> trailers(String name) {
        return exchange.trailers(name);
    }

    @Override
    public Exchange trailer(String name, Supplier<@Nullable String> value) {
        exchange.trailer(name, value);
        return this;
    }

    @Override
    public Exchange inform(int status, String... namesAndValues) {
        exchange.inform(status, namesAndValues);
        return this;
    }

    @Override
    public Exchange earlyHints(String... links) {
        exchange.earlyHints(links);
        return this;
    }

    @Override
    public Optional<String> header(String name) {
        return exchange.header(name);
    }

    @Override
    public List<String> headers(String name) {
        return exchange.headers(name);
    }

    @Override
    public String remoteAddress() {
        return exchange.remoteAddress();
    }

    @Override
    public ReadableByteChannel requestBody() {
        return exchange.requestBody();
    }

    @Override
    public Exchange status(int status) {
        exchange.status(status);
        return this;
    }

    @Override
    public Exchange header(String name, String value) {
        exchange.header(name, value);
        return this;
    }

    @Override
    public Exchange addHeader(String name, String value) {
        exchange.addHeader(name, value);
        return this;
    }

    @Override
    public <T> T readJson(Class<T> type, int maxBytes) throws IOException {
        return exchange.readJson(type, maxBytes);
    }

    @Override
    public void json(int status, Object value) throws IOException {
        exchange.json(status, value);
    }

    @Override
    public boolean isSecure() {
        return exchange.isSecure();
    }

    @Override
    public List<X509Certificate> clientCertificates() {
        return exchange.clientCertificates();
    }

    @Override
    public <T> Optional<T> attribute(AttributeKey<T> key) {
        return exchange.attribute(key);
    }

    @Override
    public <T> Exchange attribute(AttributeKey<T> key, T value) {
        exchange.attribute(key, value);
        return this;
    }

    @Override
    public ResponseBody body(String mediaType) {
        return exchange.body(mediaType);
    }

    @Override
    public void respond(int status, String mediaType, byte[] body) {
        exchange.respond(status, mediaType, body);
    }

    @Override
    public void respond(int status, String mediaType, String body) {
        exchange.respond(status, mediaType, body);
    }

    @Override
    public void onDisconnect(Runnable action) {
        exchange.onDisconnect(action);
    }

    @Override
    public void transferTo(Admission admission) throws IOException {
        exchange.transferTo(admission);
    }

    @Override
    public Suspension suspend(Duration timeout) {
        return exchange.suspend(timeout);
    }

    @Override
    public <T> Suspension suspend(
            CompletionStage<T> stage, Suspension.Continuation<? super T> continuation) {
        return exchange.suspend(stage, continuation);
    }
}
