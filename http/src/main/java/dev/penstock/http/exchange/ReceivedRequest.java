package dev.penstock.http.exchange;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.limits.Client;
import dev.penstock.http.limits.Clients;
import dev.penstock.http.limits.LimitExceeded;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.route.Router;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request as a handler sees it: who has sent it, its head, its body and what stands behind that. While it waits, what
 * can be had from less is not kept.
 */
abstract class ReceivedRequest implements Exchange {
    final ServerContext server;
    final ExchangeConnection connection;

    public final long startedNanos = System.nanoTime();

    private final Client client;

    /** Whether it is one of those that its client may have at once. */
    private final boolean admittedAtOnce;

    /** The client's address, where a proxy has named it. */
    private final @Nullable String forwardedFor;

    private final String method;
    private final String path;
    private final String query;

    /** Null when it is packed. */
    private @Nullable RequestTarget target;

    private final RequestHeaders fields;
    private Router.@Nullable Match match;
    private Router.@Nullable Route route;
    private final boolean slashEncoded;

    /** Null where there is none, or none any more. */
    private volatile @Nullable RequestBody body;

    /**
     * @param body null if it has none
     */
    ReceivedRequest(
            ServerContext server,
            ExchangeConnection connection,
            String method,
            RequestTarget target,
            RequestHeaders fields,
            @Nullable RequestBody body) {
        this.server = server;
        this.connection = connection;
        this.method = method;
        this.path = target.path();
        this.query = target.query();
        this.target = target;
        this.fields = fields;
        slashEncoded = target.hasEncodedSlash();
        if (body != null) {
            this.body = body;
        }
        Client from = connection.client();
        InetAddress named =
                from.isProxy()
                        ? server.clients().forwardedFor(fields.all("X-Forwarded-For"))
                        : null;
        forwardedFor = named == null ? null : named.getHostAddress();
        if (named == null) {
            // Its connection keeps the client in the table until the request does.
            client = from;
            admittedAtOnce = from.addRequest();
        } else {
            Clients.Request request = server.clients().requestedFor(named);
            client = request.client();
            admittedAtOnce = request.admitted();
        }
    }

    // Who has sent it, and by what.

    @Override
    public final String remoteAddress() {
        String named = forwardedFor;
        return named == null ? connection.remoteAddress() : named;
    }

    public final Client client() {
        return client;
    }

    /** Checks it against its client's limits, once; null if it is within them. */
    final @Nullable LimitExceeded exceededLimit() {
        return server.clients().exceeded(client, admittedAtOnce, startedNanos);
    }

    /** It counts no longer among those of its client. */
    final void leaveClient() {
        server.clients().done(client, admittedAtOnce);
    }

    @Override
    public final boolean isSecure() {
        return connection.isSecure();
    }

    @Override
    public final List<X509Certificate> clientCertificates() {
        return connection.clientCertificates();
    }

    final String protocol() {
        return connection.protocol();
    }

    public final boolean canUpgrade() {
        return connection.canUpgrade();
    }

    /** Returns whether it came as an extended CONNECT of HTTP/2. */
    public final boolean isConnect() {
        return connection.isConnect();
    }

    final Loop loop() {
        return connection.loop();
    }

    // Its head.

    /** Returns whether a slash in its path was sent as {@code %2F}, so that it separates nothing. */
    public final boolean hasEncodedSlash() {
        return slashEncoded;
    }

    void routed(Router.Match match, Router.Route route) {
        this.match = match;
        this.route = route;
    }

    @Override
    public final Optional<String> route() {
        return Optional.ofNullable(routePath());
    }

    /** The path of its route, as the server was built with it; null where it has none. */
    final @Nullable String routePath() {
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

    // Its body.

    @Override
    public final ReadableByteChannel requestBody() {
        RequestBody known = body;
        HttpException coded = coded();
        if (known != null && coded != null) {
            throw coded;
        }
        if (known == null) {
            return Channels.newChannel(InputStream.nullInputStream());
        }
        if (loop().isHere()) {
            throw new IllegalStateException(
                    "A non-blocking handler can't read the request's body: suspend, and take it by onBody");
        }
        return known;
    }

    /**
     * Bodies are handed on as they are: what is coded would be taken for something else, or be a bomb to whoever
     * decodes it.
     */
    private @Nullable HttpException coded() {
        return headers("Content-Encoding").stream()
                        .allMatch(coding -> coding.trim().equalsIgnoreCase("identity"))
                ? null
                : new HttpException(
                                415,
                                "The request's body has a Content-Encoding; send it without one")
                        .header("Accept-Encoding", "identity");
    }

    @Override
    public final List<String> trailers(String name) {
        RequestBody known = body;
        if (known == null) {
            return List.of();
        }
        RequestHeaders behind = known.trailers();
        if (behind == null) {
            throw new IllegalStateException(
                    "The request's trailers stand behind its body: read that to its end first");
        }
        return List.copyOf(behind.all(name));
    }

    /** The body; null where there is none, or none any more. */
    public final @Nullable RequestBody received() {
        return body;
    }

    /** Gives the body to who takes it as it comes. On the event loop. */
    public final void handBodyTo(RequestBody.Taker taker) {
        RequestBody known = body;
        HttpException coded = coded();
        if (known == null) {
            taker.ended();
        } else if (coded != null) {
            taker.failed(coded);
        } else {
            known.handTo(taker);
        }
    }

    /** Nobody reads the body any more. */
    final void closeBody() {
        RequestBody known = body;
        if (known != null) {
            known.close();
        }
    }

    /** The same for one that waits from now on: lets go of the body, unless trailers stand behind it. */
    final void dropBody() {
        RequestBody known = body;
        if (known == null) {
            return;
        }
        known.close();
        RequestHeaders behind = known.trailers();
        if (behind != null && behind.isEmpty()) {
            body = null;
        }
    }
}
