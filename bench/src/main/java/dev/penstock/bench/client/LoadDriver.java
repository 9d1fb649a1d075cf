package dev.penstock.bench.client;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.child.ThreadUse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The load client in a JVM of its own, as the parent sees it. */
public final class LoadDriver implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final Child<String> child;

    private LoadDriver(Child<String> child) {
        this.child = child;
    }

    /** Starts it with a heap. */
    public static LoadDriver start(String heap, Path log) throws IOException {
        return new LoadDriver(Child.start("the load client", heap, log, () -> "ready"));
    }

    /** Carries out a load. Returns the figures of each group by its name. */
    public Map<String, LoadFigures> run(Load load) throws IOException {
        Duration timeout = load.ramp().plus(load.window()).plus(GRACE);
        return child.call(
                timeout,
                _ -> {
                    // Or a collection in the middle would count as the server's time.
                    System.gc();
                    return LoadClient.run(load);
                });
    }

    /** Carries out a load of one group. */
    public LoadFigures runOne(Load load) throws IOException {
        if (load.groups().size() != 1) {
            throw new IllegalArgumentException(
                    "a load of one group was asked for, and not of " + load.groups().size());
        }
        return run(load).values().iterator().next();
    }

    /** Counts the client's own threads and processor time. */
    public ThreadUse threads() throws IOException {
        return child.threads();
    }

    /** Gets a whole body, small enough to hold, to know what to expect. */
    public static byte[] get(int port, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> response =
                    client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                    .timeout(Duration.ofSeconds(60))
                                    .build(),
                            HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IOException(path + " gave the status " + response.statusCode());
            }
            return response.body();
        }
    }

    @Override
    public void close() {
        child.close();
    }
}
