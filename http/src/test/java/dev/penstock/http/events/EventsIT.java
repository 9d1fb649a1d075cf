package dev.penstock.http.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Exchange;
import dev.penstock.http.events.EventStream.SlowReader;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Server-sent events and topics. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Protocol.class)
final class EventsIT extends ServerFixture {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Protocol protocol;

    EventsIT(Protocol protocol) {
        this.protocol = protocol;
    }

    /** So many lines of a body, and nothing beyond them. */
    private static List<String> lines(TestClient client, int count) throws IOException {
        List<String> lines = new ArrayList<>();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (lines.size() < count) {
            int next = client.body().read();
            if (next == '\n') {
                lines.add(line.toString(UTF_8));
                line.reset();
            } else {
                assertThat(next).as("the stream goes on").isNotNegative();
                line.write(next);
            }
        }
        return lines;
    }

    @Test
    void events_fromAnyThread_comeOneByOneWithoutOneBeingHeld() throws Exception {
        ConcurrentLinkedQueue<EventStream> streams = new ConcurrentLinkedQueue<>();
        Server server = start(b -> b.get("/", x -> streams.add(EventStream.open(x))));
        try (TestClient client = protocol.connect(server.port())) {
            Reply head = client.get("/", "Accept-Encoding", "gzip").head();
            assertThat(head.header("Content-Type")).contains("text/event-stream");
            assertThat(head.header("Content-Encoding")).isEmpty();
            assertThat(head.header("Cache-Control")).contains("no-store");
            await("stream", () -> !streams.isEmpty() && server.running() == 0);
            EventStream stream = streams.remove();
            await("suspended", () -> server.waiting() == 1);
            for (int i = 0; i < 10; i++) {
                assertThat(stream.send(Event.of("n" + i))).isTrue();
                assertThat(lines(client, 2)).containsExactly("data: n" + i, "");
            }
            stream.close();
            stream.close();
            assertThat(stream.send(Event.of("late"))).isFalse();
            assertThat(client.body().read()).isNegative();
            client.get("/").head();
            await("stream", () -> !streams.isEmpty());
            assertThat(streams.remove().send(Event.of("again"))).isTrue();
            assertThat(lines(client, 2)).contains("data: again");
        }
    }

    @Test
    void heartbeat_whileNothingIsSent_isAComment() throws Exception {
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x -> EventStream.open(x, SlowReader.DROP, Duration.ofMillis(50))));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/").head();
            assertThat(lines(client, 6)).containsExactly(":", "", ":", "", ":", "");
        }
    }

    @Test
    void client_thatLeaves_endsItsStream() throws Exception {
        ConcurrentLinkedQueue<EventStream> streams = new ConcurrentLinkedQueue<>();
        AtomicInteger ended = new AtomicInteger();
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x ->
                                        streams.add(
                                                EventStream.open(x)
                                                        .onEnd(ended::incrementAndGet))));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/").head();
        }
        await("ended", Duration.ofSeconds(20), () -> ended.get() == 1 && !streams.isEmpty());
        assertThat(streams.remove().isOpen()).isFalse();
    }

    @Test
    void client_thatIsSlow_missesEventsOrIsThrownOut() throws Exception {
        for (SlowReader slow : SlowReader.values()) {
            ConcurrentLinkedQueue<EventStream> streams = new ConcurrentLinkedQueue<>();
            Server server =
                    start(b -> b.get("/", x -> streams.add(EventStream.open(x, slow, LONG))));
            try (TestClient client = protocol.connect(server.port(), 4096)) {
                client.get("/").head();
                await("stream", () -> !streams.isEmpty());
                EventStream stream = streams.remove();
                Event event = Event.of("x".repeat(1000));
                int sent = 0;
                while (stream.send(event)) {
                    assertThat(sent++).as("all that is on its way").isLessThan(2000);
                }
                if (slow == SlowReader.DROP) {
                    assertThat(stream.dropped()).isEqualTo(1);
                    assertThat(stream.isOpen()).isTrue();
                    lines(client, 2 * sent);
                    await("room", () -> stream.send(Event.of("after")));
                    assertThat(lines(client, 2)).containsExactly("data: after", "");
                } else {
                    await("gone", () -> server.waiting() == 0);
                    assertThat(stream.isOpen()).isFalse();
                }
            }
        }
    }

    @Test
    void close_ofTheServer_endsStreamsCleanly() throws Exception {
        Server server = start(b -> b.get("/", EventStream::open));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/").head();
            await("waits", () -> server.waiting() == 1);
            Thread closing = Thread.startVirtualThread(server::close);
            assertThat(client.body().read()).isNegative();
            assertThat(client.endsCleanly()).isTrue();
            client.leave();
            closing.join();
        }
    }

    @Test
    void head_ofAStream_isItsHead() throws Exception {
        Server server = start(b -> b.get("/", EventStream::open));
        try (TestClient client = protocol.connect(server.port())) {
            Reply head = client.send("HEAD", "/").reply();
            assertThat(head.header("Content-Type")).contains("text/event-stream");
            assertThat(client.send("HEAD", "/").reply().status()).isEqualTo(200);
        }
        await("waits end", () -> server.waiting() == 0);
    }

    private static ServerBuilder topic(ServerBuilder builder, Topic topic) {
        return builder.get("/events", topic::stream)
                .get("/poll/{after}", x -> poll(x, topic, LONG))
                .get("/glance/{after}", x -> poll(x, topic, Duration.ofMillis(300)));
    }

    private static void poll(Exchange exchange, Topic topic, Duration timeout) throws Exception {
        topic.poll(
                exchange,
                Long.parseLong(exchange.pathParameter("after")),
                timeout,
                (x, batch) ->
                        x.respond(
                                200,
                                "text/plain",
                                batch.messages().stream().map(Topic.Message::text).toList()
                                        + " "
                                        + batch.next()
                                        + (batch.missed() ? " missed" : "")));
    }

    @Test
    void topic_polledAgainAndAgain_losesNoMessage() throws Exception {
        Topic topic = new Topic(3, 10_000, 100);
        Server server = start(b -> topic(b, topic));
        try (TestClient client = protocol.connect(server.port())) {
            assertThat(client.get("/glance/0").reply().text()).isEqualTo("[] 0");
            client.get("/poll/0");
            await("waits", () -> topic.waiting() == 1);
            assertThat(topic.publish("a")).isEqualTo(1);
            assertThat(client.reply().text()).isEqualTo("[a] 1");
            topic.publish("b");
            topic.publish("c");
            assertThat(client.get("/poll/1").reply().text()).isEqualTo("[b, c] 3");
            topic.publish("d");
            topic.publish("e");
            assertThat(client.get("/poll/2").reply().text()).isEqualTo("[c, d, e] 5");
            assertThat(client.get("/poll/1").reply().text()).isEqualTo("[c, d, e] 5 missed");
            assertThat(client.get("/poll/99").reply().text()).isEqualTo("[c, d, e] 5 missed");
            client.get("/poll/5");
            await("waits", () -> topic.waiting() == 1);
        }
        await("left", () -> topic.waiting() == 0);
    }

    @Test
    void topic_withManyThatWait_wakesThemAll() throws Exception {
        Topic topic = new Topic(10, 10_000, 200);
        Server server = start(b -> topic(b.maxSuspended(1000, LONG), topic));
        List<TestClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                // Settled, as it does not read for as long as the others come.
                TestClient client = protocol.connect(server.port()).settle();
                client.get(i % 2 == 0 ? "/events" : "/poll/0");
                clients.add(client);
            }
            await("wait", () -> topic.waiting() == 200);
            try (TestClient tooMany = protocol.connect(server.port())) {
                assertThat(tooMany.get("/events").reply().status()).isEqualTo(503);
                assertThat(tooMany.get("/poll/0").reply().status()).isEqualTo(503);
            }
            topic.publish("news");
            for (int i = 0; i < 200; i += 2) {
                clients.get(i).head();
                assertThat(lines(clients.get(i), 3)).containsExactly("data: news", "id: 1", "");
            }
            for (int i = 1; i < 200; i += 2) {
                assertThat(clients.get(i).reply().text()).isEqualTo("[news] 1");
            }
        } finally {
            for (TestClient client : clients) {
                client.close();
            }
        }
        await("left", () -> topic.waiting() == 0);
    }

    @Test
    void topic_streamedToOneThatComesBack_givesItWhatItMissed() throws Exception {
        Topic topic = new Topic(100, 100_000, 10);
        Server server = start(b -> topic(b, topic));
        topic.publish("before");
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/events").head();
            await("waits", () -> topic.waiting() == 1);
            topic.publish("two");
            assertThat(lines(client, 3)).containsExactly("data: two", "id: 2", "");
        }
        topic.publish("three");
        topic.publish("four");
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/events", "Last-Event-ID", "2").head();
            assertThat(lines(client, 6))
                    .containsExactly("data: three", "id: 3", "", "data: four", "id: 4", "");
        }
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/events", "Last-Event-ID", "from elsewhere").head();
            assertThat(lines(client, 3)).contains("data: before");
        }
    }

    @Test
    void topic_readSlowly_leavesNothingOutThatItKeeps() throws Exception {
        Topic topic = new Topic(5000, 100_000_000, 10);
        Server server = start(b -> topic(b, topic));
        try (TestClient client = protocol.connect(server.port(), 4096)) {
            client.get("/events").head();
            await("waits", () -> topic.waiting() == 1);
            String text = "x".repeat(1000);
            for (int i = 0; i < 3000; i++) {
                topic.publish(text);
            }
            List<String> lines = lines(client, 9000);
            for (int i = 0; i < 3000; i++) {
                assertThat(lines.get(3 * i + 1)).isEqualTo("id: " + (i + 1));
            }
        }
    }

    @Test
    void event_largerThanAllThatMayBeOnItsWay_comesWholeAndTheStreamEndsCleanlyBehindIt()
            throws Exception {
        ConcurrentLinkedQueue<EventStream> streams = new ConcurrentLinkedQueue<>();
        Server server =
                start(b ->
                        b.stopWithin(Duration.ofMinutes(5))
                                .get("/", x -> streams.add(EventStream.open(x))));
        String text = "x".repeat(3_000_000);
        try (TestClient client = protocol.connect(server.port(), 4096)) {
            client.get("/").head();
            await("stream", () -> !streams.isEmpty() && server.running() == 0);
            assertThat(streams.remove().send(Event.of(text))).isTrue();
            Thread closing = Thread.startVirtualThread(server::close);
            await("ended", () -> server.waiting() == 0);
            assertThat(lines(client, 2)).containsExactly("data: " + text, "");
            assertThat(client.body().read()).isNegative();
            assertThat(client.endsCleanly()).isTrue();
            client.leave();
            closing.join();
        }
    }
}
