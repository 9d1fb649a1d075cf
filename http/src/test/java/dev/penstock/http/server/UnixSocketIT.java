package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.ResponseBody;
import dev.penstock.http.files.StaticFiles;
import dev.penstock.http.http2.FrameClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests and responses over a Unix domain socket, beside a port of the same server. */
@Timeout(120)
final class UnixSocketIT extends ServerFixture {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    @TempDir private Path directory;
    private Path path;

    @BeforeEach
    void name() {
        path = directory.resolve("http.sock");
    }

    private ServerBuilder atPath(ServerBuilder builder) {
        return builder.listener(Listener.unix(path));
    }

    private RawClient atSocket() throws IOException {
        return new RawClient(new UnixSocket(path));
    }

    @Test
    void bodies_comeAndGoWhateverTheirSize() throws Exception {
        Server server =
                start(b ->
                        atPath(b)
                                .route(
                                        "POST",
                                        "/echo",
                                        x -> {
                                            ResponseBody body = x.body("application/x");
                                            x.readStream(1 << 24)
                                                    .transferTo(Channels.newOutputStream(body));
                                        }));
        for (int size : List.of(0, 1, 16_383, 16_384, 32_768, 32_769, 65_536, 3_000_001)) {
            byte[] sent = new byte[size];
            for (int i = 0; i < size; i++) {
                sent[i] = (byte) ((i * 31) >> 3);
            }
            try (RawClient client = atSocket()) {
                Thread sender =
                        Thread.startVirtualThread(() -> {
                            try {
                                client.send(
                                        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
                                                .formatted(size));
                                client.send(sent);
                            } catch (IOException _) {
                                // The assertion on what is read says it.
                            }
                        });
                assertThat(client.reply().body()).isEqualTo(sent);
                sender.join();
            }
        }
        await("over", () -> server.running() == 0);
    }

    @Test
    void files_areSentWhole() throws Exception {
        byte[] content = new byte[3_000_001];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (i >> 5);
        }
        Files.write(directory.resolve("large.bin"), content);
        start(b -> atPath(b).get("/{path...}", StaticFiles.of(directory)));
        try (RawClient client = atSocket()) {
            for (int i = 0; i < 3; i++) {
                client.send("GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(client.reply().body()).isEqualTo(content);
            }
        }
    }

    @Test
    void http2_isAnswered() throws Exception {
        Server server =
                start(b ->
                        atPath(b).get("/", x -> x.respond(200, "text/plain", x.remoteAddress())));
        try (FrameClient client = new FrameClient(new UnixSocket(path))) {
            assertThat(client.reply(client.get("/")).text()).isEqualTo("unix");
            Thread closing = Thread.startVirtualThread(server::close);
            assertThat(client.end()).isEqualTo(FrameClient.NO_ERROR);
            client.leave();
            closing.join();
        }
    }

    @Test
    void client_thatClosesItsSendingSide_stillGetsItsResponse() throws Exception {
        start(b ->
                atPath(b)
                        .get(
                                "/",
                                x -> {
                                    ResponseBody body = x.body("application/x");
                                    for (int i = 0; i < 100; i++) {
                                        body.write(ByteBuffer.wrap(new byte[10_000]));
                                    }
                                }));
        try (RawClient client = atSocket()) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            // One that closes before anything is on its way is taken for gone after half a second.
            assertThat(client.head().status()).isEqualTo(200);
            client.shutdownOutput();
            assertThat(new Chunks(client).readAllBytes()).hasSize(1_000_000);
            assertThat(client.atEnd()).isTrue();
        }
    }

    @Test
    void client_thatLeaves_isNoticed() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        Server server =
                start(b ->
                        atPath(b)
                                .get(
                                        "/",
                                        x -> {
                                            x.onDisconnect(gone::countDown);
                                            x.suspend(Duration.ofMinutes(5));
                                        }));
        try (RawClient client = atSocket()) {
            client.send(GET);
            await("it waits", () -> server.waiting() == 1);
        }
        gone.await();
        await("it is gone", () -> server.connections() == 0);
    }

    @Test
    void clientLimits_countAllThereAsOneClient() throws Exception {
        Server server =
                start(b ->
                        atPath(b)
                                .clientConnections(1)
                                .get("/", x -> x.respond(200, "text/plain", "here")));
        try (RawClient first = atSocket();
                RawClient other = new RawClient(server.port())) {
            assertThat(first.send(GET).reply().status()).isEqualTo(200);
            assertThat(other.send(GET).reply().status()).isEqualTo(200);
            try (RawClient second = atSocket()) {
                assertThat(second.reply().status()).isEqualTo(429);
            }
        }
    }

    @Test
    void proxy_isBelievedIfItIsNamed() throws Exception {
        String request = "GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n";
        start(b -> atPath(b).get("/", x -> x.respond(200, "text/plain", x.remoteAddress())));
        try (RawClient client = atSocket()) {
            assertThat(client.send(request).reply().text()).isEqualTo("unix");
        }
        Path other = directory.resolve("other.sock");
        start(b ->
                b.listener(Listener.unix(other))
                        .proxies(List.of("unix"))
                        .get("/", x -> x.respond(200, "text/plain", x.remoteAddress())));
        try (RawClient client = new RawClient(new UnixSocket(other))) {
            assertThat(client.send(request).reply().text()).isEqualTo("192.0.2.7");
            assertThat(client.send(GET).reply().text()).isEqualTo("unix");
        }
    }
}
