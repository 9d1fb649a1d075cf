package dev.penstock.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.server.Bodies;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.server.ServerFixture;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that chance has changed: each gets an answer or an end, and nothing fails or stays behind. */
@Timeout(120)
final class FuzzIT extends ServerFixture {
    private static final int TRIES = Boolean.getBoolean("penstock.soak") ? 20_000 : 300;

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

    private static final String[] FIELDS = {
        "Content-Length: 3",
        "Content-Length: 0",
        "Content-Length: 5, 5",
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding : chunked",
        "Expect: 100-continue",
        "Connection: close",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c",
        "Content-Encoding: gzip",
        "Accept-Encoding: gzip",
        " folded",
        "X: " + "y".repeat(3000),
        ":",
        "\u00ff: \u00ff"
    };
    private static final String[] CHUNKS = {
        "3\r\nabc",
        "0",
        "0\r\nA: b\r\n",
        "3;x=y\r\nabc",
        "fffffffffffffffff",
        "-1",
        "abc",
        "GET /hi HTTP/1.1"
    };
    private static final String SPICE = "\r\n\r\n\0 :,;%/\t\u00ff0-HTTP/1.1chunked";

    /** The behaviour of one client. */
    private interface Client {
        void exchange(Server server, Random random) throws IOException;
    }

    @Test
    void requests_mutated_neverFailTheServer() throws Exception {
        neverFailsTheServer(FuzzIT::mutated);
    }

    @Test
    void bytes_ofChance_neverFailTheServer() throws Exception {
        neverFailsTheServer(FuzzIT::bytes);
    }

    @Test
    void requests_builtOfParts_neverFailTheServer() throws Exception {
        neverFailsTheServer(FuzzIT::composed);
    }

    private void neverFailsTheServer(Client client) throws Exception {
        long seed =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        Random random = new Random(seed);
        Queue<String> severe = new ConcurrentLinkedQueue<>();
        Handler watcher = watcher(severe);
        Logger logger = Logger.getLogger("");
        Logger own = Logger.getLogger("dev.penstock.http");
        Level before = own.getLevel();
        own.setLevel(Level.FINE);
        logger.addHandler(watcher);
        try {
            Set<Thread> others = threads();
            Server server = start(FuzzIT::routes);
            for (int i = 0; i < TRIES; i++) {
                client.exchange(server, random);
            }
            await("served with -Dpenstock.seed=" + seed, () -> isServed(server, seed));
            await("connections", () -> server.connections() == 0);
            await("waits", () -> server.waiting() == 0);
            await("clients", () -> context(server).clients().known() == 0);
            await("no thread but the event loops", () -> loopsAlone(others));
            nothingIsLeftBehind();
        } finally {
            logger.removeHandler(watcher);
            own.setLevel(before);
        }
        assertThat(severe).as("logged with -Dpenstock.seed=%d", seed).isEmpty();
    }

    /** Whether another client is served, and not slower than the patience of the server. */
    private static boolean isServed(Server server, long seed) {
        try (RawClient last = new RawClient(server.port())) {
            last.send(SEEDS.getFirst());
            assertThat(last.reply().status()).as("-Dpenstock.seed=%d", seed).isEqualTo(200);
            return true;
        } catch (IOException ended) {
            return false;
        }
    }

    private static ServerBuilder routes(ServerBuilder builder) {
        // As many connections as any limit of open files has room for, or there is a warning.
        return builder.maxConnections(1000)
                .headTimeout(PATIENCE)
                .idleTimeout(PATIENCE)
                .minimumRate(1024, PATIENCE)
                .get("/hi", x -> x.respond(200, "text/plain", "hi"))
                .get("/wait", x -> x.suspend(PATIENCE))
                .get("/rows", x -> x.respond(200, "text/csv", "a,b,c\r\n".repeat(20_000)))
                .route("POST", "/echo", x -> echo(x));
    }

    private static void echo(Exchange exchange) throws IOException {
        exchange.respond(200, "text/plain", Bodies.readAll(exchange.requestBody()));
    }

    /** Those of servers. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("penstock"))
                .collect(Collectors.toSet());
    }

    private static boolean loopsAlone(Set<Thread> before) {
        Set<Thread> made = threads();
        made.removeAll(before);
        return made.size() <= LOOPS
                && made.stream().allMatch(thread -> thread.getName().startsWith("penstock-loop"));
    }

    private static void mutated(Server server, Random random) throws IOException {
        StringBuilder requests = new StringBuilder();
        for (int i = random.nextInt(3); i >= 0; i--) {
            requests.append(SEEDS.get(random.nextInt(SEEDS.size())));
        }
        for (int i = random.nextInt(4); i >= 0; i--) {
            mutate(requests, random);
        }
        send(server, random, requests.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void bytes(Server server, Random random) throws IOException {
        byte[] bytes = new byte[random.nextInt(4000)];
        random.nextBytes(bytes);
        byte[] begin =
                SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(
                begin, 0, bytes, 0, Math.min(bytes.length, random.nextInt(begin.length + 1)));
        send(server, random, bytes);
    }

    private static void composed(Server server, Random random) throws IOException {
        StringBuilder request = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            request.append(any(random, "GET", "POST", "HEAD", "OPTIONS", "PUT", "", "\u00e9"))
                    .append(any(random, " ", " ", " ", " ", "  ", "\t", "\r"))
                    .append(
                            any(
                                    random,
                                    "/hi",
                                    "/echo",
                                    "/rows",
                                    "/wait",
                                    "*",
                                    "http://x/hi",
                                    "/%00",
                                    "/..//%2e"))
                    .append(
                            any(
                                    random,
                                    " HTTP/1.1",
                                    " HTTP/1.1",
                                    " HTTP/1.1",
                                    " HTTP/1.0",
                                    " HTTP/2.0",
                                    ""))
                    .append(end(random))
                    .append(
                            any(
                                    random,
                                    "Host: x",
                                    "Host: x",
                                    "Host: x",
                                    "Host:",
                                    "Host: x\r\nHost: x",
                                    "X: y"))
                    .append(end(random));
            for (int j = random.nextInt(4); j > 0; j--) {
                request.append(any(random, FIELDS)).append(end(random));
            }
            request.append(end(random));
            for (int j = random.nextInt(4); j > 0; j--) {
                request.append(any(random, CHUNKS)).append(end(random));
            }
        }
        send(server, random, request.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String any(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static String end(Random random) {
        return random.nextInt(30) > 0 ? "\r\n" : any(random, "\n", "\r", "\r\r\n", "\n\n", "");
    }

    /** In segments of any length, and then leaves in one way or another. */
    private static void send(Server server, Random random, byte[] bytes) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            int most = random.nextBoolean() ? bytes.length + 1 : 1 + random.nextInt(20);
            for (int sent = 0; sent < bytes.length; ) {
                int next = Math.min(bytes.length, sent + 1 + random.nextInt(most));
                client.send(Arrays.copyOfRange(bytes, sent, next));
                sent = next;
            }
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
                Throwable thrown = line.getThrown();
                boolean escaped =
                        thrown instanceof Error
                                || (thrown instanceof RuntimeException
                                        && !(thrown instanceof HttpException)
                                        && !(thrown instanceof UncheckedIOException));
                if (escaped || line.getLevel().intValue() >= Level.WARNING.intValue()) {
                    severe.add(line.getMessage() + " " + thrown);
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }
}
