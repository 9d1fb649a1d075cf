package dev.penstock.bench.client;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.Child;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The load client in a JVM of its own, as the parent sees it. */
public final class LoadDriver implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final Child child;

    private LoadDriver(Child child) {
        this.child = child;
    }

    public static LoadDriver start(Path log) throws IOException {
        return new LoadDriver(
                Child.start("the load client", LoadClient.class, "256m", List.of(), log));
    }

    /** Carries out a load. Returns the figures of each group by its name. */
    public Map<String, LoadFigures> run(Load load) throws IOException {
        Duration patience = load.ramp().plus(load.window()).plus(GRACE);
        Answer answer = child.ask("load", load.encode(), patience);
        Map<String, LoadFigures> figures = new LinkedHashMap<>();
        for (Load.Group group : load.groups()) {
            figures.put(group.name(), LoadFigures.decode(Answer.parse(answer.text(group.name()))));
        }
        return figures;
    }

    /** Carries out a load of one group. */
    public LoadFigures runOne(Load load) throws IOException {
        if (load.groups().size() != 1) {
            throw new IllegalArgumentException(load.groups().size() + " groups");
        }
        return run(load).values().iterator().next();
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
