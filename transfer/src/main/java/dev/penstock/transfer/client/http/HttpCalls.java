package dev.penstock.transfer.client.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one client. Calls block, can be interrupted, and are safe for any number of threads.
 *
 * <p>Redirects are followed for {@code GET} alone, and never from HTTPS to HTTP. The token goes to the origin that the
 * caller named and to no other, wherever a redirect or a {@code Location} leads.
 */
public final class HttpCalls implements AutoCloseable {
    /** How many bytes of an answer's body are read for its text. */
    public static final int TEXT_BYTES = 8 * 1024;

    private static final int REDIRECTS = 10;
    private static final int THREADS = 4;

    private final Settings settings;
    private final ExecutorService threads;
    private final HttpClient client;

    /**
     * The settings of all requests.
     *
     * @param connect the longest time to connect
     * @param stall the longest time in which no byte of a body moves
     * @param answer the longest time from the last byte of a request to the head of its response
     * @param headers sent to the caller's origin, and to no other
     */
    public record Settings(
            Duration connect,
            Duration stall,
            Duration answer,
            Map<String, String> headers,
            boolean isHttp2,
            Optional<SSLContext> tls) {
        public Settings {
            headers = Map.copyOf(headers);
        }
    }

    /** A source of a body for its pump, which it ends by {@code complete} unless nobody wants it any more. */
    public interface Feeder {
        /** Sends the body. */
        void feed(BodyPump pump) throws IOException, InterruptedException;
    }

    /**
     * A response of which the body is still to be read.
     *
     * @param head without text
     */
    public record Incoming(Answer head, BodyQueue body) implements AutoCloseable {
        @Override
        public void close() {
            body.close();
        }

        /** Reads the beginning of the body as text, and ends the response. */
        public Answer read() throws InterruptedException {
            try (body) {
                return new Answer(head.uri(), head.status(), head.headers(), text(body));
            }
        }
    }

    /** Calls with these settings. */
    public HttpCalls(Settings settings) {
        this.settings = settings;
        threads =
                Executors.newFixedThreadPool(
                        THREADS,
                        Thread.ofPlatform().name("transfer-client-", 0).daemon().factory());
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .executor(threads)
                        .version(
                                settings.isHttp2()
                                        ? HttpClient.Version.HTTP_2
                                        : HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(settings.connect());
        settings.tls().ifPresent(builder::sslContext);
        client = builder.build();
    }

    /** The longest time in which no byte of a body moves. */
    public Duration stall() {
        return settings.stall();
    }

    /**
     * Begins a request.
     *
     * @param origin the URI that the caller named: the token goes to no other origin
     */
    public HttpRequest.Builder request(URI uri, URI origin) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (isSameOrigin(uri, origin)) {
            settings.headers().forEach(request::setHeader);
        }
        return request;
    }

    /** Sends a request without a body. */
    public Answer send(HttpRequest.Builder request, String method)
            throws IOException, InterruptedException {
        try (Incoming incoming =
                await(start(request.method(method, BodyPublishers.noBody()).build()))) {
            return incoming.read();
        }
    }

    /**
     * Sends a request with a body, on the thread of the caller.
     *
     * @throws IOException when the request has failed; whether the server has acted on it is not known, unless it is a
     *     {@link java.net.ConnectException} or {@link java.net.http.HttpConnectTimeoutException}
     */
    public Answer send(HttpRequest.Builder request, String method, BodyPump pump, Feeder feeder)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<BodyQueue>> future =
                start(request.method(method, pump).build());
        future.whenComplete((response, failure) -> pump.stop());
        boolean isDone = false;
        try {
            feeder.feed(pump);
            try (Incoming incoming = await(future)) {
                Answer answer = incoming.read();
                isDone = true;
                return answer;
            }
        } finally {
            if (!isDone) {
                pump.fail(new IOException("The request was given up"));
                future.cancel(true);
            }
        }
    }

    /** Sends a {@code GET}, follows redirects, and gives the response to read. */
    public Incoming get(URI uri, URI origin, UnaryOperator<HttpRequest.Builder> headers)
            throws IOException, InterruptedException {
        URI at = uri;
        for (int i = 0; i <= REDIRECTS; i++) {
            Incoming incoming = await(start(headers.apply(request(at, origin)).GET().build()));
            Optional<URI> next = redirect(at, incoming.head());
            if (next.isEmpty()) {
                return incoming;
            }
            incoming.close();
            at = next.get();
        }
        throw new IOException("More than " + REDIRECTS + " redirects from " + uri);
    }

    /** Ends all requests. */
    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdown();
    }

    private CompletableFuture<HttpResponse<BodyQueue>> start(HttpRequest request) {
        return client.sendAsync(request, head -> new BodyQueue(settings.stall()));
    }

    private Incoming await(CompletableFuture<HttpResponse<BodyQueue>> future)
            throws IOException, InterruptedException {
        try {
            HttpResponse<BodyQueue> response =
                    future.get(settings.answer().toMillis(), TimeUnit.MILLISECONDS);
            return new Incoming(
                    new Answer(response.uri(), response.statusCode(), response.headers(), ""),
                    response.body());
        } catch (ExecutionException e) {
            throw asIOException(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            abandon(future);
            throw new StalledException(
                    "The server has not answered for " + settings.answer().toSeconds() + " s");
        } catch (InterruptedException e) {
            abandon(future);
            throw e;
        }
    }

    private static void abandon(CompletableFuture<HttpResponse<BodyQueue>> future) {
        if (!future.cancel(true)) {
            future.thenAccept(response -> response.body().close());
        }
    }

    static IOException asIOException(Throwable cause) {
        return cause instanceof IOException e
                ? e
                : new IOException(String.valueOf(cause.getMessage()), cause);
    }

    /** Returns whether two URIs have the same scheme, host and port. */
    public static boolean isSameOrigin(URI one, URI other) {
        return one.getScheme().equalsIgnoreCase(other.getScheme())
                && host(one).equalsIgnoreCase(host(other))
                && port(one) == port(other);
    }

    private static String host(URI uri) {
        return uri.getHost() == null ? "" : uri.getHost();
    }

    private static int port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return uri.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }

    private static Optional<URI> redirect(URI from, Answer head) throws IOException {
        Optional<String> location = head.header("location");
        boolean isRedirect =
                switch (head.status()) {
                    case 301, 302, 303, 307, 308 -> location.isPresent();
                    default -> false;
                };
        if (!isRedirect) {
            return Optional.empty();
        }
        URI to;
        try {
            to = from.resolve(location.orElseThrow());
        } catch (IllegalArgumentException e) {
            throw new IOException("A redirect from " + from + " leads to what is no URI", e);
        }
        boolean isHttp = "http".equalsIgnoreCase(to.getScheme());
        boolean isHttps = "https".equalsIgnoreCase(to.getScheme());
        boolean isDowngrade = isHttp && from.getScheme().equalsIgnoreCase("https");
        if ((!isHttp && !isHttps) || isDowngrade) {
            throw new IOException(
                    "A redirect from " + from + " leads to " + to + ", and is not followed there");
        }
        return Optional.of(to);
    }

    /** The beginning of a body, as far as it comes. */
    private static String text(BodyQueue body) throws InterruptedException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            for (@Nullable List<ByteBuffer> taken;
                    text.size() < TEXT_BYTES && (taken = body.take()) != null; ) {
                for (ByteBuffer buffer : taken) {
                    byte[] bytes = new byte[Math.min(buffer.remaining(), TEXT_BYTES - text.size())];
                    buffer.get(bytes);
                    text.writeBytes(bytes);
                }
            }
        } catch (IOException e) {
            // The status says what happened; its explanation broke off.
        }
        return text.toString(StandardCharsets.UTF_8);
    }
}
