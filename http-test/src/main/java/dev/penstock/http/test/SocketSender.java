package dev.penstock.http.test;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Requests by the JDK's client. */
final class SocketSender implements TestClient.Sender {
    private final int port;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();

    SocketSender(int port) {
        this.port = port;
    }

    URI uri(String target) {
        return URI.create("http://127.0.0.1:" + port + target);
    }

    /** On a thread of its own, so that the time for the body is bounded as that for the head is. */
    @Override
    public TestResponse send(TestRequest request, Duration timeout)
            throws IOException, InterruptedException {
        FutureTask<TestResponse> task = new FutureTask<>(() -> exchange(request));
        Thread thread = Thread.ofVirtual().name("penstock-test-client").start(task);
        try {
            return task.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException(
                    "%s %s was not answered within %s"
                            .formatted(request.method(), request.target(), timeout),
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw new IllegalArgumentException(refused.getMessage(), refused);
            }
            throw new IOException(
                    "The response to %s %s was broken off, or there was none"
                            .formatted(request.method(), request.target()),
                    e.getCause());
        } finally {
            thread.interrupt();
        }
    }

    private TestResponse exchange(TestRequest request) throws IOException, InterruptedException {
        BodyPublisher content =
                request.body().length == 0
                        ? BodyPublishers.noBody()
                        : BodyPublishers.ofByteArray(request.body());
        HttpRequest.Builder sent =
                HttpRequest.newBuilder(uri(request.target())).method(request.method(), content);
        request.headers().forEach(header -> sent.header(header.getKey(), header.getValue()));
        HttpResponse<InputStream> response =
                client.send(sent.build(), HttpResponse.BodyHandlers.ofInputStream());
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        response.headers()
                .map()
                .forEach((name, values) ->
                        values.forEach(value -> headers.add(Map.entry(name, value))));
        try (InputStream body = response.body()) {
            byte[] bytes = body.readNBytes(TestClient.MOST_BYTES + 1);
            if (bytes.length > TestClient.MOST_BYTES) {
                throw new IOException("The response has more than 64 MiB");
            }
            return new TestResponse(response.statusCode(), List.copyOf(headers), bytes);
        }
    }
}
