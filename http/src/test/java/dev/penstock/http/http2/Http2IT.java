package dev.penstock.http.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.http2.FrameClient.Reply;
import dev.penstock.http.server.Bodies;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.Server;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests and responses on streams of HTTP/2, with prior knowledge. */
@Timeout(60)
final class Http2IT extends Http2Fixture {
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
                client.room(third, 5).room(0, 5);
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
            // It may be cancelled before its handler has returned, and counts until then.
            await("nothing waits", () -> server.waiting() == 0);
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
            // The session may not have heard of it yet.
            await("room for a stream", () -> isDone(client.reply(client.get("/"))));
        }
    }

    private static boolean isDone(Reply reply) {
        return reply.error() != FrameClient.REFUSED_STREAM && reply.text().equals("done");
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
                                .get("/big/{n}", Http2Fixture::big));
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
