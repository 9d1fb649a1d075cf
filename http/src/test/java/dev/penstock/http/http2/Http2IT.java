package dev.penstock.http.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.http2.FrameClient.Reply;
import dev.penstock.http.server.Bodies;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and responses on streams of HTTP/2, with prior knowledge. */
@Timeout(60)
final class Http2IT extends ServerFixture {
    private static void echo(Exchange exchange) throws IOException {
        exchange.respond(200, "application/x", Bodies.readAll(exchange.requestBody()));
    }

    private Server server() {
        return start(b ->
                b.get("/hi", x -> x.respond(200, "text/plain", "hello"))
                        .get("/big/{n}", Http2IT::big)
                        .get("/header/{name}", x -> headers(x))
                        .route("POST", "/echo", Http2IT::echo)
                        .route("POST", "/length", Http2IT::length)
                        .route("POST", "/none", x -> x.respond(200, "text/plain", "none")));
    }

    private static void headers(Exchange x) {
        x.respond(200, "text/plain", String.join("|", x.headers(x.pathParameter("name"))));
    }

    private static void big(Exchange exchange) throws IOException {
        ResponseBody body = exchange.body("application/x");
        int rest = Integer.parseInt(exchange.pathParameter("n"));
        while (rest > 0) {
            int step = Math.min(rest, 10_000);
            body.write(ByteBuffer.wrap(new byte[step]));
            rest -= step;
        }
    }

    @Test
    void requests_onManyStreams_areAnswered() throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            for (int i = 0; i < 50; i++) {
                var _ = client.get("/hi");
            }
            for (int stream = 1; stream < 100; stream += 2) {
                Reply reply = client.reply(stream);
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.text()).isEqualTo("hello");
                assertThat(reply.header("content-length")).isEqualTo("5");
                assertThat(reply.header("content-type")).isEqualTo("text/plain");
                assertThat(reply.header("date")).endsWith("GMT");
                assertThat(reply.header("connection")).isEmpty();
            }
            assertThat(server.requests()).isEqualTo(50);
        }
    }

    @Test
    void responses_largerThanEveryWindow_comeWhole() throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            int first = client.get("/big/1000000");
            int second = client.get("/big/700000");
            assertThat(client.reply(first).size()).isEqualTo(1_000_000);
            assertThat(client.reply(second).size()).isEqualTo(700_000);
        }
    }

    /** What was dropped before the client keeps to our settings must not be forgotten then. */
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
        Server server = start(b -> b.route("POST", "/", handler));
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
    void responses_compressed_sayTheirCoding() throws Exception {
        Server server = start(b -> b.get("/", x -> x.respond(200, "text/csv", "a,b".repeat(9999))));
        try (FrameClient client = new FrameClient(server.port())) {
            Reply reply = client.reply(client.get("/", "accept-encoding", "gzip"));
            assertThat(reply.header("content-encoding")).isEqualTo("gzip");
            assertThat(reply.size()).isLessThan(1000);
        }
    }

    @Test
    void head_asked_isAnsweredWithItsHeadAlone() throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            Reply reply = client.reply(client.request("HEAD", "/hi", true));
            assertThat(reply.header("content-length")).isEqualTo("5");
            assertThat(reply.size()).isZero();
            Reply big = client.reply(client.request("HEAD", "/big/1000000", true));
            assertThat(big.status()).isEqualTo(200);
            assertThat(big.size()).isZero();
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
        Server server = start(b -> b.maxBody(100).route("POST", "/echo", Http2IT::echo));
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

    private static void length(Exchange exchange) throws IOException {
        exchange.respond(
                200, "text/plain", Integer.toString(Bodies.readAll(exchange.requestBody()).length));
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
                                .route("POST", "/echo", Http2IT::echo));
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

    @Test
    void headers_areSeenAsOverHttp1() throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            String[] cookies = {"cookie", "a=b", "cookie", "c=d", "x-twice", "1", "x-twice", "2"};
            assertThat(client.reply(client.get("/header/Cookie", cookies)).text())
                    .isEqualTo("a=b; c=d");
            assertThat(client.reply(client.get("/header/x-TWICE", cookies)).text())
                    .isEqualTo("1|2");
            assertThat(client.reply(client.get("/header/host", cookies)).text()).isEqualTo("x");
        }
    }

    @Test
    void streams_withoutRoom_stallNoOther() throws Exception {
        Server server = server();
        int initialWindowSize = 4;
        try (FrameClient client = new FrameClient(server.port(), initialWindowSize, 0)) {
            client.withoutRoom();
            int stalled = client.get("/big/500000");
            int other = client.get("/hi");
            client.room(other, 5);
            assertThat(client.reply(other).text()).isEqualTo("hello");
            assertThat(client.soFar(stalled).size()).isZero();
            client.room(stalled, 3);
            // Its handler may start later than those of the others.
            while (client.soFar(stalled).size() < 3) {
                int third = client.get("/hi");
                client.room(third, 5);
                assertThat(client.reply(third).text()).isEqualTo("hello");
            }
            assertThat(client.soFar(stalled).size()).isEqualTo(3);
            client.cancel(stalled);
            await("the handler ends", () -> server.running() == 0);
        }
    }

    @Test
    void client_thatCancels_isNoticed() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch cancelled = new CountDownLatch(2);
        Server server =
                start(b ->
                        b.get(
                                        "/endless",
                                        x -> {
                                            x.onDisconnect(cancelled::countDown);
                                            begun.countDown();
                                            Bodies.endless(x.body("x/y"));
                                        })
                                .get(
                                        "/wait",
                                        x -> {
                                            x.suspend(Duration.ofMinutes(1))
                                                    .onCancel(cancelled::countDown);
                                            begun.countDown();
                                        })
                                .get("/hi", x -> x.respond(200, "text/plain", "hello")));
        try (FrameClient client = new FrameClient(server.port())) {
            int endless = client.get("/endless");
            int waits = client.get("/wait");
            begun.await();
            await("it waits", () -> server.waiting() == 1);
            client.cancel(endless).cancel(waits);
            cancelled.await();
            assertThat(client.reply(client.get("/hi")).text()).isEqualTo("hello");
            assertThat(server.waiting()).isZero();
        }
    }

    @Test
    void client_thatLeaves_isNoticedOnAllStreams() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(20);
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x ->
                                        x.suspend(Duration.ofMinutes(1))
                                                .onCancel(cancelled::countDown)));
        try (FrameClient client = new FrameClient(server.port())) {
            for (int i = 0; i < 20; i++) {
                var _ = client.get("/");
            }
            await("all wait", () -> server.waiting() == 20);
        }
        cancelled.await();
    }

    @Test
    void failure_beforeAndAfterTheFirstByte_isToldApart() throws Exception {
        Server server =
                start(b ->
                        b.get(
                                        "/early",
                                        _ -> {
                                            throw new HttpException(409, "not now");
                                        })
                                .get(
                                        "/late",
                                        x -> {
                                            ResponseBody body = x.body("text/csv");
                                            body.write(ByteBuffer.wrap(new byte[10]));
                                            body.flush();
                                            throw new HttpException(409, "too late");
                                        }));
        try (FrameClient client = new FrameClient(server.port())) {
            Reply early = client.reply(client.get("/early"));
            assertThat(early.status()).isEqualTo(409);
            assertThat(early.text()).contains("not now");
            Reply late = client.reply(client.get("/late"));
            assertThat(late.status()).isEqualTo(200);
            assertThat(late.ended()).isFalse();
            assertThat(late.error()).isEqualTo(FrameClient.INTERNAL_ERROR);
            assertThat(client.reply(client.get("/early")).status()).isEqualTo(409);
        }
    }

    @Test
    void streams_beyondTheMost_areRefusedAlsoWhileCancelledHandlersRun() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger most = new AtomicInteger();
        AtomicInteger now = new AtomicInteger();
        Server server =
                start(b ->
                        b.maxStreams(3)
                                .get(
                                        "/",
                                        x -> {
                                            most.accumulateAndGet(now.incrementAndGet(), Math::max);
                                            go.await();
                                            now.decrementAndGet();
                                            x.respond(200, "text/plain", "done");
                                        }));
        try (FrameClient client = new FrameClient(server.port())) {
            int first = client.get("/");
            int second = client.get("/");
            int third = client.get("/");
            int fourth = client.get("/");
            assertThat(client.reply(fourth).error()).isEqualTo(FrameClient.REFUSED_STREAM);
            await("three run", () -> most.get() == 3);
            client.cancel(first).cancel(second);
            assertThat(client.reply(client.get("/")).error()).isEqualTo(FrameClient.REFUSED_STREAM);
            go.countDown();
            assertThat(client.reply(third).text()).isEqualTo("done");
            await("all have ended", () -> server.running() == 0);
            assertThat(most).hasValue(3);
            assertThat(client.reply(client.get("/")).text()).isEqualTo("done");
        }
    }

    @Test
    void http1_onTheSamePort_isSpokenToo() throws Exception {
        Server server = server();
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /hi HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.reply().text()).isEqualTo("hello");
            client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            assertThat(client.reply().status()).isEqualTo(505);
        }
        try (FrameClient client = FrameClient.silent(server.port())) {
            for (byte b : FrameClient.PREFACE) {
                client.send(new byte[] {b});
            }
            client.frame(FrameClient.SETTINGS, 0, 0);
            assertThat(client.reply(client.get("/hi")).text()).isEqualTo("hello");
        }
    }

    @Test
    void somethingElse_isClosedWithoutAnAnswer() throws Exception {
        Server server = server();
        try (RawClient client = new RawClient(server.port())) {
            client.send("INVALID CONNECTION PREFACE\r\n\r\n");
            assertThat(client.input().readAllBytes()).isEmpty();
        }
        try (FrameClient client = FrameClient.silent(server.port())) {
            client.send(
                    "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n"
                            .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            assertThat(client.end()).isEqualTo(FrameClient.PROTOCOL_ERROR);
        }
    }

    @Test
    void streams_thatTheServerHasReset_ignoreWhatWasUnderWayHoweverMany() throws Exception {
        Server server =
                start(b ->
                        b.get("/hi", x -> x.respond(200, "text/plain", "hello"))
                                .route(
                                        "POST",
                                        "/fails",
                                        x -> {
                                            x.body("x/y").flush();
                                            throw new HttpException(409, "too late");
                                        }));
        int streams = 90;
        try (FrameClient client = new FrameClient(server.port())) {
            for (int i = 0; i < streams; i++) {
                var _ = client.post("/fails");
            }
            for (int stream = 1; stream < 2 * streams; stream += 2) {
                assertThat(client.reply(stream).error()).isEqualTo(FrameClient.INTERNAL_ERROR);
            }
            for (int stream = 1; stream < 2 * streams; stream += 2) {
                client.frame(FrameClient.HEADERS, 5, stream, client.block("x-sum", "1"));
            }
            assertThat(client.reply(client.get("/hi")).text()).isEqualTo("hello");
        }
    }

    @Test
    void bytesOfTheLog_areThoseOfHeadAndFramesToo() throws Exception {
        BlockingQueue<Long> sent = new LinkedBlockingQueue<>();
        Server server =
                start(b ->
                        b.onFinished(request -> sent.add(request.bytesSent()))
                                .get("/hi", x -> x.respond(200, "text/plain", "hello"))
                                .get("/big/{n}", Http2IT::big));
        try (FrameClient client = new FrameClient(server.port())) {
            for (String path : List.of("/hi", "/big/100000", "/none", "/%zz")) {
                int stream = client.get(path);
                assertThat(client.reply(stream).ended()).isTrue();
                assertThat(sent.take()).as(path).isEqualTo(client.soFar(stream).bytes());
            }
        }
    }

    @Test
    void headersOfHttp1_inAResponse_areLeftOutAndSpacesAround() throws Exception {
        Handler handler =
                x ->
                        x.header("Connection", "close")
                                .header("Proxy-Connection", "close")
                                .header("X-Padded", " \ta b ")
                                .respond(200, "x/y", "hello");
        Server server = start(b -> b.get("/", handler));
        try (FrameClient client = new FrameClient(server.port())) {
            Reply reply = client.reply(client.get("/"));
            assertThat(reply.headers().names())
                    .map(CharSequence::toString)
                    .containsExactlyInAnyOrder(
                            ":status", "date", "content-type", "content-length", "x-padded");
            assertThat(reply.header("x-padded")).isEqualTo("a b");
        }
    }
}
