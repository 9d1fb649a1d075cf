package dev.penstock.http.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Exchange;
import dev.penstock.http.server.Bodies;
import dev.penstock.http.server.LogLines;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.server.ServerFixture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames of HTTP/2 that chance has made, ordered and changed: nothing fails or stays behind, and others are served. */
@Timeout(120)
final class Http2FuzzIT extends ServerFixture {
    private static final int TRIES = Boolean.getBoolean("penstock.soak") ? 20_000 : 400;

    /** How long the server waits for what is never sent. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private static final List<String> PATHS =
            List.of("/hi", "/rows", "/wait", "/none", "/%zz", "*");
    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "OPTIONS", "CONNECT");

    @Test
    void frames_atRandom_neverFailTheServer() throws Exception {
        long seed =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        Random random = new Random(seed);
        try (LogLines log = new LogLines(Level.WARNING)) {
            Server server = start(Http2FuzzIT::routes);
            for (int i = 0; i < TRIES; i++) {
                attack(server, random);
                if (i % 50 == 0) {
                    serves(server, seed);
                }
            }
            serves(server, seed);
            await("waits end", () -> server.waiting() == 0);
            nothingIsLeftBehind();
            assertThat(log.all()).as("logged with -Dpenstock.seed=%d", seed).isEmpty();
        }
    }

    private static ServerBuilder routes(ServerBuilder builder) {
        // As many connections as any limit of open files has room for, or there is a warning.
        return builder.maxConnections(1000)
                .headTimeout(PATIENCE)
                .idleTimeout(PATIENCE)
                .minimumRate(1024, PATIENCE)
                .maxSuspended(1000, Duration.ofSeconds(5))
                .get("/hi", x -> x.respond(200, "text/plain", "hi"))
                .get("/rows", x -> x.respond(200, "text/csv", "a,b,c\r\n".repeat(20_000)))
                .get("/wait", x -> x.suspend(Duration.ofMillis(100)))
                .route("POST", "/hi", x -> echo(x))
                .route("POST", "/rows", x -> x.respond(200, "text/csv", "a,b"))
                .route("POST", "/wait", x -> x.suspend(Duration.ofMillis(50)));
    }

    private static void echo(Exchange exchange) throws IOException {
        exchange.respond(200, "text/plain", Bodies.readAll(exchange.requestBody()));
    }

    /** Another client is served: more than once, where it was slower than the patience of the server. */
    private static void serves(Server server, long seed) throws Exception {
        await("served with -Dpenstock.seed=" + seed, () -> isServed(server, seed));
    }

    private static boolean isServed(Server server, long seed) {
        try (FrameClient client = new FrameClient(server.port())) {
            FrameClient.Reply reply = client.reply(client.get("/hi"));
            if (reply.ended()) {
                assertThat(reply.text()).as("-Dpenstock.seed=%d", seed).isEqualTo("hi");
            }
            return reply.ended();
        } catch (IOException ended) {
            return false;
        }
    }

    private static void attack(Server server, Random random) throws IOException {
        byte[] bytes = random.nextInt(8) == 0 ? noise(random) : frames(random);
        for (int i = random.nextInt(4); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        try (FrameClient client = FrameClient.silent(server.port())) {
            client.send(FrameClient.PREFACE);
            if (random.nextInt(10) > 0) {
                client.frame(FrameClient.SETTINGS, 0, 0);
            }
            int half = random.nextInt(bytes.length + 1);
            client.send(Arrays.copyOf(bytes, half));
            client.send(Arrays.copyOfRange(bytes, half, bytes.length));
            switch (random.nextInt(3)) {
                case 0 -> {
                    client.socket().setSoLinger(true, 0);
                    client.socket().close();
                }
                case 1 -> {
                    client.socket().shutdownOutput();
                    client.socket().getInputStream().transferTo(OutputStream.nullOutputStream());
                }
                default -> client.socket().getInputStream().readNBytes(60);
            }
        } catch (IOException _) {
            // The server may have ended it.
        }
    }

    private static byte[] noise(Random random) {
        byte[] bytes = new byte[1 + random.nextInt(500)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] frames(Random random) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (FrameClient encoder = FrameClient.unconnected()) {
            for (int i = 1 + random.nextInt(12); i > 0; i--) {
                all.writeBytes(frame(random, encoder));
            }
        }
        return all.toByteArray();
    }

    private static byte[] frame(Random random, FrameClient encoder) throws IOException {
        int type = random.nextInt(3) == 0 ? random.nextInt(12) : random.nextInt(2);
        int stream = random.nextInt(4) == 0 ? random.nextInt(12) : 1 + 2 * random.nextInt(6);
        int flags = random.nextInt(3) == 0 ? random.nextInt(256) : random.nextInt(2);
        byte[] payload =
                switch (type) {
                    case FrameClient.HEADERS -> {
                        flags |= random.nextInt(5) == 0 ? 0 : FrameClient.END_HEADERS;
                        yield head(random, encoder);
                    }
                    case FrameClient.DATA -> new byte[random.nextInt(3000)];
                    case FrameClient.SETTINGS -> new byte[6 * random.nextInt(3)];
                    case FrameClient.PING -> new byte[8];
                    case FrameClient.RST_STREAM, FrameClient.WINDOW_UPDATE ->
                            FrameClient.number(random.nextInt());
                    case FrameClient.PRIORITY -> new byte[5];
                    default -> new byte[random.nextInt(30)];
                };
        if (type != FrameClient.HEADERS && random.nextInt(4) == 0) {
            random.nextBytes(payload);
        }
        return FrameClient.bytes(type, flags, stream, payload);
    }

    private static byte[] head(Random random, FrameClient encoder) throws IOException {
        String path = PATHS.get(random.nextInt(PATHS.size()));
        String method = METHODS.get(random.nextInt(METHODS.size()));
        String[] fields = {
            ":method",
            method,
            ":scheme",
            "http",
            ":path",
            path,
            ":authority",
            "x",
            "expect",
            "100-continue",
            "content-length",
            "5",
            "accept-encoding",
            "gzip"
        };
        int count = random.nextInt(3) == 0 ? random.nextInt(8) : 4;
        return encoder.block(Arrays.copyOf(fields, 2 * Math.min(count, fields.length / 2)));
    }
}
