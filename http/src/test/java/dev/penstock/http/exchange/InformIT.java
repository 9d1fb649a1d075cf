package dev.penstock.http.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Informational responses before the head of a response. */
final class InformIT extends ServerFixture {
    /** Tells after each read how much of the body has come. */
    private static void tellProgress(Exchange exchange) throws IOException {
        exchange.inform(104, "Location", "/uploads/1");
        ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
        ReadableByteChannel body = exchange.requestBody();
        long offset = 0;
        for (int read = body.read(buffer); read >= 0; read = body.read(buffer.clear())) {
            offset += read;
            exchange.inform(104, "Upload-Offset", Long.toString(offset));
        }
        exchange.inform(102).respond(200, "text/plain", Long.toString(offset));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void inform_whileTheBodyIsRead_tellsOfEachPart(Protocol protocol) throws Exception {
        Server server = start(b -> b.post("/", InformIT::tellProgress));
        try (TestClient client = protocol.connect(server.port())) {
            client.begin("POST", "/");
            Reply first = client.head();
            assertThat(first.status()).isEqualTo(104);
            assertThat(first.header("Location")).contains("/uploads/1");
            long sent = 0;
            for (int part : new int[] {1, 2, 4 * 1024, 16 * 1024}) {
                client.part(new byte[part]);
                sent += part;
                long offset;
                do {
                    Reply progress = client.head();
                    assertThat(progress.status()).isEqualTo(104);
                    offset = Long.parseLong(progress.header("Upload-Offset").orElseThrow());
                    assertThat(offset).isLessThanOrEqualTo(sent);
                } while (offset < sent);
            }
            client.end();
            assertThat(client.head().status()).isEqualTo(102);
            Reply reply = client.reply();
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.text()).isEqualTo(Long.toString(sent));
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void inform_toAClientThatReadsAfterItsBody_comesBeforeTheHead(Protocol protocol)
            throws Exception {
        Server server = start(b -> b.post("/", InformIT::tellProgress));
        for (int length : new int[] {0, 1, 65_535, 65_536, 524_289}) {
            try (TestClient client = protocol.connect(server.port())) {
                client.send("POST", "/", new byte[length]);
                Reply head = client.head();
                long offset = 0;
                for (; head.status() == 104; head = client.head()) {
                    long next = head.header("Upload-Offset").map(Long::parseLong).orElse(0L);
                    assertThat(next).isGreaterThanOrEqualTo(offset);
                    offset = next;
                }
                assertThat(head.status()).isEqualTo(102);
                assertThat(offset).isLessThanOrEqualTo(length);
                assertThat(client.reply().text()).isEqualTo(Integer.toString(length));
            }
        }
    }

    @Test
    void inform_overHttp1_hasThePhraseOfItsStatus() throws Exception {
        Server server =
                start(b -> b.get("/", exchange -> exchange.inform(104, "A", "b").status(204)));
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.line()).isEqualTo("HTTP/1.1 104 Upload Resumption Supported");
            assertThat(client.line()).isEqualTo("A: b");
            assertThat(client.line()).isEmpty();
            assertThat(client.reply().status()).isEqualTo(204);
        }
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.send("GET / HTTP/1.0\r\n\r\n").reply().status()).isEqualTo(204);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void inform_whatCanNotBeSent_isRefused(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.get(
                                        "/status/{status}",
                                        exchange -> {
                                            int status =
                                                    Integer.parseInt(
                                                            exchange.pathParameter("status"));
                                            refuse(exchange, () -> exchange.inform(status));
                                        })
                                .get("/odd", e -> refuse(e, () -> e.inform(104, "Name")))
                                .get("/own", e -> refuse(e, () -> e.inform(104, "Date", "x")))
                                .get(
                                        "/split",
                                        e -> refuse(e, () -> e.inform(104, "A", "b\r\nC: d")))
                                .get(
                                        "/large",
                                        e ->
                                                refuse(
                                                        e,
                                                        () ->
                                                                e.inform(
                                                                        104,
                                                                        "A",
                                                                        "x".repeat(8 * 1024)))));
        for (String status : new String[] {"99", "100", "101", "200", "-104"}) {
            refused(protocol, server, "/status/" + status, "one from 102 to 199 can");
        }
        refused(protocol, server, "/odd", "Header Name has no value");
        refused(protocol, server, "/own", "Header Date is set by the server");
        refused(protocol, server, "/split", "U+000D");
        refused(protocol, server, "/large", "8192 characters at the most");
    }

    private static void refuse(Exchange exchange, Runnable informs) {
        String message = "sent";
        try {
            informs.run();
        } catch (IllegalArgumentException expected) {
            message = String.valueOf(expected.getMessage());
        }
        exchange.respond(200, "text/plain", message);
    }

    private static void refused(Protocol protocol, Server server, String path, String message)
            throws IOException {
        try (TestClient client = protocol.connect(server.port())) {
            Reply reply = client.get(path).reply();
            assertThat(reply.status()).as(path).isEqualTo(200);
            assertThat(reply.text()).as(path).contains(message);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void inform_afterTheHead_fails(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.get(
                                "/",
                                exchange -> {
                                    try (var body = exchange.body("text/plain")) {
                                        body.flush();
                                        try {
                                            exchange.inform(104);
                                        } catch (IllegalStateException expected) {
                                            body.write(
                                                    ByteBuffer.wrap(
                                                            String.valueOf(expected.getMessage())
                                                                    .getBytes(UTF_8)));
                                        }
                                    }
                                }));
        try (TestClient client = protocol.connect(server.port())) {
            assertThat(client.get("/").reply().text()).contains("too late for status 104");
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void inform_moreThanAThousandTimes_isLeftOut(Protocol protocol) throws Exception {
        Handler many =
                exchange -> {
                    for (int i = 0; i < 1_500; i++) {
                        exchange.inform(104, "Upload-Offset", Integer.toString(i));
                    }
                    exchange.respond(200, "text/plain", "done");
                };
        Server server = start(b -> b.get("/", many).get("/loop", Handler.nonBlocking(many)));
        for (String path : new String[] {"/", "/loop"}) {
            try (TestClient client = protocol.connect(server.port())) {
                client.get(path);
                assertThat(interims(client)).isBetween(1, 1_000);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void inform_toAClientThatDoesNotRead_isDropped(Protocol protocol) throws Exception {
        String large = "x".repeat(8_000);
        CountDownLatch informed = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.get(
                                "/",
                                exchange -> {
                                    for (int i = 0; i < 1_000; i++) {
                                        exchange.inform(104, "X-Large", large);
                                    }
                                    informed.countDown();
                                    exchange.respond(200, "text/plain", "done");
                                }));
        try (TestClient client = protocol.connect(server.port(), 4 * 1024)) {
            client.get("/");
            // The handler does not wait for the client, which reads nothing until then.
            assertThat(informed.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(interims(client)).isBetween(1, 999);
        }
    }

    @Test
    void inform_toAClientThatOnlySends_isNoReasonToThrowItOut() throws Exception {
        String large = "x".repeat(8_000);
        Server server =
                start(b ->
                        b.maxBody(Long.MAX_VALUE)
                                .minimumRate(1024, Duration.ofSeconds(4))
                                .post(
                                        "/",
                                        exchange -> {
                                            ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
                                            while (exchange.requestBody().read(buffer.clear())
                                                    >= 0) {
                                                exchange.inform(104, "X-Large", large);
                                            }
                                            exchange.respond(200, "text/plain", "done");
                                        }));
        try (TestClient client = Protocol.HTTP_1_1.connect(server.port(), 4 * 1024)) {
            client.begin("POST", "/");
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (System.nanoTime() < end) {
                client.part(new byte[16 * 1024]);
            }
            client.end();
            assertThat(interims(client)).isPositive();
        }
    }

    /** Reads all that comes before the response, and that. */
    private static int interims(TestClient client) throws IOException {
        int count = 0;
        Reply head = client.head();
        for (; head.status() == 104; head = client.head()) {
            count++;
        }
        assertThat(head.status()).isEqualTo(200);
        assertThat(client.body().readAllBytes()).asString().isEqualTo("done");
        return count;
    }
}
