package dev.penstock.http.test;

import dev.penstock.http.container.ContainerEvents;
import dev.penstock.http.container.ContainerRequest;
import dev.penstock.http.server.Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A request that comes from this JVM, to a server that takes it as a container's; its response is kept. */
final class InMemoryRequest implements ContainerRequest {
    private final TestRequest request;
    private final CompletableFuture<TestResponse> response = new CompletableFuture<>();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private volatile @Nullable ContainerEvents events;
    private int status;
    private List<Map.Entry<String, String>> fields = List.of();
    private int read;

    private InMemoryRequest(TestRequest request) {
        this.request = request;
    }

    static TestResponse send(Server server, TestRequest request, Duration timeout)
            throws IOException, InterruptedException {
        InMemoryRequest sent = new InMemoryRequest(request);
        ContainerEvents events = server.accept(sent);
        sent.events = events;
        events.writable();
        try {
            return sent.response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            events.gone(e);
            throw new IOException(
                    "%s %s was not answered within %s"
                            .formatted(request.method(), request.target(), timeout),
                    e);
        } catch (ExecutionException e) {
            throw new IOException(
                    "The response to %s %s was broken off"
                            .formatted(request.method(), request.target()),
                    e.getCause());
        }
    }

    @Override
    public String method() {
        return request.method();
    }

    @Override
    public String target() {
        return request.target();
    }

    @Override
    public int applicationBelow() {
        return 0;
    }

    @Override
    public @Nullable String mappedPath() {
        return null;
    }

    @Override
    public int mountedBelow() {
        return 0;
    }

    @Override
    public Iterable<Map.Entry<String, String>> headers() {
        List<Map.Entry<String, String>> all = new ArrayList<>();
        if (request.headers().stream().noneMatch(h -> h.getKey().equalsIgnoreCase("Host"))) {
            all.add(Map.entry("Host", "localhost"));
        }
        if (request.body().length > 0) {
            all.add(Map.entry("Content-Length", Integer.toString(request.body().length)));
        }
        all.addAll(request.headers());
        return all;
    }

    @Override
    public String remoteAddress() {
        return "127.0.0.1";
    }

    @Override
    public boolean isSecure() {
        return false;
    }

    @Override
    public long bodyLength() {
        return request.body().length;
    }

    @Override
    public void startReading() {
        ContainerEvents told = events;
        if (told != null) {
            told.readable();
        }
    }

    @Override
    public boolean canRead() {
        return true;
    }

    @Override
    public int read(byte[] into) {
        byte[] body = request.body();
        int count = Math.min(into.length, body.length - read);
        if (count == 0) {
            return -1;
        }
        System.arraycopy(body, read, into, 0, count);
        read += count;
        return count;
    }

    @Override
    public void head(int head, Iterable<Map.Entry<String, String>> headers, long length) {
        List<Map.Entry<String, String>> all = new ArrayList<>();
        headers.forEach(all::add);
        if (length >= 0) {
            all.add(Map.entry("Content-Length", Long.toString(length)));
        }
        status = head;
        fields = List.copyOf(all);
    }

    @Override
    public boolean canWrite() {
        return true;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (content.size() + length > TestClient.MOST_BYTES) {
            throw new IOException("The response has more than 64 MiB");
        }
        content.write(bytes, offset, length);
    }

    @Override
    public void flush() {}

    @Override
    public void complete() {
        response.complete(new TestResponse(status, fields, content.toByteArray()));
    }

    @Override
    public void giveUp() {
        abort();
    }

    @Override
    public void abort() {
        response.completeExceptionally(new IOException("broken off by the server"));
    }
}
