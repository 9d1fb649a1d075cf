package dev.penstock.http.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Processes;
import dev.penstock.http.events.Event;
import dev.penstock.http.events.EventStream;
import dev.penstock.http.events.Topic;
import dev.penstock.http.websocket.WebSocket;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Events, topics and processes are the same wherever handlers run. */
@Timeout(60)
@ParameterizedClass
@MethodSource("dev.penstock.http.servlet.Container#each")
final class ContainerEventsConformanceTest extends ContainerFixture {
    ContainerEventsConformanceTest(Container container) {
        super(container);
    }

    @Test
    void events_ofATopic_comeOneByOneAndGoOnAfterTheLastSeen() throws Exception {
        Topic topic = new Topic(100, 1_000_000, 10);
        Running at = start(b -> b.get("/events", topic::stream));
        topic.publish("before");
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(at.url("/events")))
                        .header("Last-Event-ID", "0")
                        .build();
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            assertThat(event(lines)).containsExactly("data: before", "id: 1");
            topic.publish("two\nlines");
            assertThat(event(lines)).containsExactly("data: two", "data: lines", "id: 2");
            topic.publish("x".repeat(200_000));
            assertThat(event(lines).getFirst()).hasSize(200_006);
            // Written to a client that has gone, some are lost; then the container notices.
        }
        await(() -> {
            topic.publish("x".repeat(1000));
            return topic.waiting() == 0;
        });
    }

    private static List<String> event(BufferedReader lines) throws IOException {
        List<String> event = new ArrayList<>();
        for (String line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {
            event.add(line);
        }
        return event;
    }

    @Test
    void events_toASlowReader_areBoundedAndEndWhenClosed() throws Exception {
        CompletableFuture<EventStream> opened = new CompletableFuture<>();
        Running at = start(b -> b.get("/", x -> opened.complete(EventStream.open(x))));
        try (RawClient raw = new RawClient(at.port(), 64 * 1024)) {
            raw.get("/").head();
            EventStream stream = opened.get();
            Event large = Event.of("x".repeat(10_000));
            long accepted = 0;
            while (stream.dropped() < 100) {
                accepted += stream.send(large) ? 1 : 0;
                LockSupport.parkNanos(10_000);
            }
            long bytes = 0;
            stream.close();
            for (byte[] chunk = raw.chunk(); chunk.length > 0; chunk = raw.chunk()) {
                bytes += chunk.length;
            }
            assertThat(bytes).isEqualTo(accepted * 10_008);
        }
    }

    @Test
    void poll_forAMessage_isAnsweredWhenThereIsOne() throws Exception {
        Topic topic = new Topic(10, 10_000, 10);
        Running at =
                start(b ->
                        b.get(
                                "/poll",
                                x ->
                                        topic.poll(
                                                x,
                                                Long.parseLong(x.parameter("after").orElse("0")),
                                                LONG,
                                                (y, batch) ->
                                                        y.respond(
                                                                200,
                                                                "text/plain",
                                                                batch.messages().toString()))));
        var waiting =
                client.sendAsync(
                        HttpRequest.newBuilder(URI.create(at.url("/poll?after=0"))).build(),
                        BodyHandlers.ofString());
        await(() -> topic.waiting() == 1);
        topic.publish("hello");
        assertThat(waiting.get().body()).contains("hello");
        assertThat(get(at, "/poll?after=0").body()).contains("hello");
    }

    @Test
    void process_thatWritesAndEnds_isTheResponse() throws Exception {
        Processes processes = new Processes(4);
        Running at =
                start(b ->
                        b.get(
                                "/{script}",
                                x ->
                                        processes.run(
                                                x,
                                                new ProcessBuilder(
                                                        "sh", "-c", x.pathParameter("script")),
                                                LONG,
                                                "text/plain")));
        assertThat(get(at, "/echo%20one;sleep%200.2;echo%20two".replace(";", "%3B")).body())
                .isEqualTo("one\ntwo\n");
        assertThat(get(at, "/exit%203").statusCode()).isEqualTo(500);
        assertThatThrownBy(() -> get(at, "/echo%20half%3Bsleep%200.2%3Bexit%203"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void webSocket_thatCannotBe_isRefused() throws Exception {
        Running at = start(b -> b.get("/", x -> WebSocket.open(x, new WebSocket.Listener() {})));
        HttpResponse<String> refused = get(at, "/");
        assertThat(refused.statusCode()).isEqualTo(container == Container.OWN ? 426 : 501);
        assertThat(refused.body()).contains("WebSocket");
    }
}
