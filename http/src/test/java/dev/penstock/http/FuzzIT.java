package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that chance has changed: each gets an answer or an end, and nothing fails or stays behind. */
@Timeout(120)
final class FuzzIT extends ServerFixture {
    private static final int TRIES = Boolean.getBoolean("penstock.soak") ? 20_000 : 500;

    /** How long the server waits for what a changed request promises and never sends. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private static final List<String> SEEDS =
            List.of(
                    "GET /hi HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n",
                    "GET /rows?a=%20b&c=d+e HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n",
                    "HEAD /rows HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
                    "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
                    "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n",
                    "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
                    "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n");
    private static final String SPICE = "\r\n\r\n\0 :,;%/\t\u00ff0-HTTP/1.1chunked";

    @Test
    void requests_mutated_neverFailTheServer() throws Exception {
        long seed =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        Random random = new Random(seed);
        Queue<String> severe = new ConcurrentLinkedQueue<>();
        Handler watcher = watcher(severe);
        Logger logger = Logger.getLogger("");
        logger.addHandler(watcher);
        try {
            Server server = start(FuzzIT::routes);
            for (int i = 0; i < TRIES; i++) {
                exchange(server, random);
            }
            try (RawClient client = new RawClient(server.port())) {
                client.send(SEEDS.getFirst());
                assertThat(client.reply().status()).as("-Dpenstock.seed=%d", seed).isEqualTo(200);
            }
            nothingIsLeftBehind();
        } finally {
            logger.removeHandler(watcher);
        }
        assertThat(severe).as("logged with -Dpenstock.seed=%d", seed).isEmpty();
    }

    private static Server.Builder routes(Server.Builder builder) {
        return builder.headTimeout(PATIENCE)
                .idleTimeout(PATIENCE)
                .minimumRate(1024, PATIENCE)
                .get("/hi", x -> x.respond(200, "text/plain", "hi"))
                .get("/rows", x -> x.respond(200, "text/csv", "a,b,c\r\n".repeat(20_000)))
                .route("POST", "/echo", x -> echo(x));
    }

    private static void echo(Exchange exchange) throws IOException {
        exchange.respond(200, "text/plain", Bodies.readAll(exchange.requestBody()));
    }

    private static void exchange(Server server, Random random) throws IOException {
        StringBuilder requests = new StringBuilder();
        for (int i = random.nextInt(3); i >= 0; i--) {
            requests.append(SEEDS.get(random.nextInt(SEEDS.size())));
        }
        for (int i = random.nextInt(4); i >= 0; i--) {
            mutate(requests, random);
        }
        byte[] bytes = requests.toString().getBytes(StandardCharsets.ISO_8859_1);
        try (RawClient client = new RawClient(server.port())) {
            int half = random.nextInt(bytes.length + 1);
            client.send(java.util.Arrays.copyOf(bytes, half));
            client.send(java.util.Arrays.copyOfRange(bytes, half, bytes.length));
            switch (random.nextInt(3)) {
                case 0 -> client.abort();
                case 1 -> drain(client.shutdownOutput().input());
                default -> client.input().readNBytes(20);
            }
        } catch (IOException _) {
            // The server may have ended it.
        }
    }

    private static void drain(InputStream in) throws IOException {
        in.transferTo(java.io.OutputStream.nullOutputStream());
    }

    private static void mutate(StringBuilder text, Random random) {
        int at = random.nextInt(text.length());
        int kind = random.nextInt(4);
        char spice = SPICE.charAt(random.nextInt(SPICE.length()));
        if (kind == 0) {
            text.setCharAt(at, spice);
        } else if (kind == 1) {
            text.insert(at, spice);
        } else if (kind == 2 && text.length() > 10) {
            text.delete(at, Math.min(text.length() - 1, at + random.nextInt(6)));
        } else {
            int to = Math.min(text.length(), at + random.nextInt(30));
            text.insert(random.nextInt(text.length()), text.substring(at, to));
        }
    }

    private static Handler watcher(Queue<String> severe) {
        return new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
                    severe.add(line.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }
}
