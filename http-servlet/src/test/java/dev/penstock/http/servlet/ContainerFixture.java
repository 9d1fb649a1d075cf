package dev.penstock.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** Servers of one kind, after each of whose tests nothing may be left behind. */
abstract class ContainerFixture {
    static final Duration LONG = Duration.ofSeconds(30);

    private final List<Running> running = new ArrayList<>();
    final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    final Container container;

    ContainerFixture(Container container) {
        this.container = container;
    }

    final Running start(UnaryOperator<ServerBuilder> routes) throws Exception {
        return start("/*", 30_000, routes);
    }

    final Running start(String mapping, int idleMillis, UnaryOperator<ServerBuilder> routes)
            throws Exception {
        ServerBuilder builder =
                Container.builder().accessLog(false).stopWithin(Duration.ofSeconds(5));
        Running started = container.start(routes.apply(builder), mapping, idleMillis);
        running.add(started);
        return started;
    }

    /** Stops a server in the midst of what it does. */
    final void stop(Running at) throws Exception {
        running.remove(at);
        at.stopAll();
    }

    @AfterEach
    void nothingIsLeftBehind() throws Exception {
        client.close();
        for (Running each : running) {
            Server server = each.server();
            await(() -> server.running() == 0 && server.admission().runningNow() == 0);
            await(() -> server.waiting() == 0);
            await(() -> container == Container.OWN || server.connections() == 0);
            each.stopAll();
        }
    }

    static void await(Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    final HttpResponse<String> get(Running at, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(at.url(path))).build(), BodyHandlers.ofString());
    }

    final HttpResponse<String> send(Running at, String method, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(at.url(path)))
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    static void endless(ResponseBody body) throws IOException {
        while (true) {
            body.write(ByteBuffer.wrap(new byte[8192]));
        }
    }
}
