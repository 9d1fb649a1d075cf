package dev.penstock.http.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Admission;
import dev.penstock.http.Handler;
import dev.penstock.http.http2.FrameClient.Reply;
import dev.penstock.http.server.Server;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of requests on streams of HTTP/2, with their windows. */
@Timeout(60)
final class Http2BodiesIT extends Http2Fixture {
    /** Bytes of a body that the server drops before the client acknowledges its settings still count as received. */
    @Test
    void body_droppedBeforeOurSettingsAreAcknowledged_goesOn() throws Exception {
        Duration longest = Duration.ofSeconds(30);
        CountDownLatch waits = new CountDownLatch(1);
        // It goes on once nobody is to read the body any more.
        Handler handler =
                x ->
                        x.suspend(longest)
                                .resumeAfter(
                                        Duration.ZERO,
                                        y -> {
                                            waits.countDown();
                                            y.suspend(longest);
                                        });
        Server server =
                start(b -> b.headTimeout(Duration.ofMinutes(1)).route("POST", "/", handler));
        try (FrameClient client = new FrameClient(server.port()).withoutAnswers()) {
            int stream = client.post("/");
            client.dataWithinWindow(stream, new byte[Http2Body.WINDOW]);
            assertThat(waits.await(20, TimeUnit.SECONDS)).isTrue();
            // What the loop was given to do before the first answer is done before the second.
            for (int i = 0; i < 2; i++) {
                client.frame(FrameClient.PING, 0, 0, new byte[8]);
                var _ = client.next(FrameClient.PING);
            }
            client.frame(FrameClient.SETTINGS, FrameClient.ACK, 0);
            client.dataWithinWindow(stream, new byte[200_000]);
            assertThat(client.soFar(stream).error()).isEqualTo(-1);
        }
    }

    @Test
    void body_inManyFrames_isReadAsItComesWithinItsWindow() throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            int stream = client.post("/echo");
            byte[] block = new byte[1000];
            Arrays.fill(block, (byte) 'x');
            // As much as has room before anybody reads, and the rest when there is room.
            for (int i = 0; i < 65; i++) {
                client.data(stream, false, block);
            }
            int rest = 200;
            int room = 65_535 - 65_000;
            while (rest > 0) {
                while (room < 1000) {
                    FrameClient.Frame update = client.next(FrameClient.WINDOW_UPDATE);
                    if (update.stream() == stream) {
                        room += update.number();
                    }
                }
                room -= 1000;
                rest--;
                client.data(stream, rest == 0, block);
            }
            assertThat(client.reply(stream).size()).isEqualTo(265_000);
        }
    }

    @Test
    void body_withTrailersOrPadding_isWhatIsBetween() throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            int stream = client.post("/echo");
            byte[] padded = {3, 'a', 'b', 0, 0, 0};
            client.frame(FrameClient.DATA, 8, stream, padded);
            client.frame(
                    FrameClient.HEADERS,
                    FrameClient.END_HEADERS | FrameClient.END_STREAM,
                    stream,
                    client.block("x-sum", "1"));
            assertThat(client.reply(stream).text()).isEqualTo("ab");
        }
    }

    @Test
    void body_ofTheWrongLength_breaksItsStreamAlone() throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            int less = client.post("/echo", "content-length", "5");
            client.data(less, true, (byte) 'a');
            int more = client.post("/echo", "content-length", "1");
            client.data(more, true, (byte) 'a', (byte) 'b');
            assertThat(client.reply(less).error()).isEqualTo(FrameClient.PROTOCOL_ERROR);
            assertThat(client.reply(more).error()).isEqualTo(FrameClient.PROTOCOL_ERROR);
            int right = client.post("/echo", "content-length", "1");
            client.data(right, true, (byte) 'a');
            assertThat(client.reply(right).text()).isEqualTo("a");
        }
    }

    @Test
    void body_tooLarge_isRefused() throws Exception {
        Server server = start(b -> b.maxBody(100).route("POST", "/echo", Http2Fixture::echo));
        try (FrameClient client = new FrameClient(server.port())) {
            int told = client.post("/echo", "content-length", "101");
            assertThat(client.reply(told).status()).isEqualTo(413);
            int untold = client.post("/echo");
            client.data(untold, false, new byte[101]);
            Reply reply = client.reply(untold);
            assertThat(reply.status()).isEqualTo(413);
            assertThat(reply.text()).contains("larger than 100 bytes");
        }
    }

    @Test
    void body_thatNobodyReads_isNotAskedFor() throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            int stream = client.post("/none");
            client.data(stream, false, new byte[100]);
            assertThat(client.reply(stream).text()).isEqualTo("none");
            FrameClient.Frame reset = client.next(FrameClient.RST_STREAM);
            assertThat(reset.stream()).isEqualTo(stream);
            assertThat(reset.errorCode()).isEqualTo(FrameClient.NO_ERROR);
            // What was under way is ignored.
            client.data(stream, false, new byte[100]).data(stream, true, new byte[100]);
            assertThat(client.reply(client.get("/hi")).text()).isEqualTo("hello");
            assertThat(client.soFar(0).error()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16_383, 16_384, 16_385, 65_534, 65_535, 65_536, 131_071, 1_000_000})
    void body_sentBeforeTheServersSettingsCame_isAllThere(int length) throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port()).withoutAnswers()) {
            int stream = client.post("/length");
            // As h2 (Python) does, which can't cope with a window that a setting makes negative.
            int first = Math.min(length, 65_535);
            for (int at = 0; at < first; at += 16_384) {
                client.data(stream, false, new byte[Math.min(16_384, first - at)]);
            }
            FrameClient.Frame settings = client.next(FrameClient.SETTINGS);
            assertThat(settings.setting(4, 65_535))
                    .as("initial window")
                    .isGreaterThanOrEqualTo(65_535);
            client.soFar(stream).spend(first);
            client.dataWithinWindow(stream, new byte[length - first]);
            client.data(stream, true);
            assertThat(client.reply(stream).text()).isEqualTo(Integer.toString(length));
        }
    }

    @Test
    void bodies_thatNobodyReads_areHeldUpToALimit() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        long most = 1 << 20;
        Server server =
                start(b ->
                        maxUnread(b, most)
                                .headTimeout(Duration.ofMinutes(1))
                                .admission(new Admission(1, 1000, Duration.ofSeconds(60)))
                                .route(
                                        "POST",
                                        "/length",
                                        x -> {
                                            go.await();
                                            length(x);
                                        }));
        try (FrameClient one = new FrameClient(server.port());
                FrameClient two = new FrameClient(server.port())) {
            int refused = 0;
            int whole = 0;
            for (FrameClient client : List.of(one, two)) {
                for (int i = 0; i < 50; i++) {
                    int stream = client.post("/length");
                    for (int frame = 0; frame < 3; frame++) {
                        client.data(stream, frame == 2, new byte[16_384]);
                    }
                }
                client.frame(FrameClient.PING, 0, 0, new byte[8]);
                var _ = client.next(FrameClient.PING);
                assertThat(context(server).unreadBodies().bytes())
                        .isLessThanOrEqualTo(most + 16_384);
            }
            go.countDown();
            for (FrameClient client : List.of(one, two)) {
                for (int stream = 1; stream < 100; stream += 2) {
                    FrameClient.Reply reply = client.reply(stream);
                    if (reply.status() == 503) {
                        assertThat(reply.header("retry-after")).isEqualTo("1");
                        refused++;
                    } else {
                        assertThat(reply.text()).isEqualTo("49152");
                        whole++;
                    }
                }
            }
            assertThat(refused).isGreaterThan(50);
            assertThat(whole).isBetween(20, 22);
        }
    }

    @Test
    void body_ofAStreamThatNobodyReads_stallsNoOther() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.route(
                                        "POST",
                                        "/later",
                                        x -> {
                                            go.await();
                                            echo(x);
                                        })
                                .route("POST", "/echo", Http2Fixture::echo));
        try (FrameClient client = new FrameClient(server.port())) {
            int[] waiting = new int[8];
            for (int i = 0; i < waiting.length; i++) {
                waiting[i] = client.post("/later");
                client.data(waiting[i], true, new byte[16_384]);
            }
            int other = client.post("/echo");
            client.data(other, true, new byte[16_384]);
            assertThat(client.reply(other).size()).isEqualTo(16_384);
            go.countDown();
            for (int stream : waiting) {
                assertThat(client.reply(stream).size()).isEqualTo(16_384);
            }
        }
    }

    @Test
    void expectation_isMetWhenTheHandlerReads() throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            int stream = client.post("/echo", "expect", "100-continue");
            assertThat(client.head(stream).status()).isEqualTo(100);
            client.data(stream, true, (byte) 'a');
            assertThat(client.reply(stream).text()).isEqualTo("a");
            int other = client.post("/echo", "expect", "miracles");
            assertThat(client.reply(other).status()).isEqualTo(417);
        }
    }
}
