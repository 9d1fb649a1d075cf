package dev.penstock.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.ResponseBody;
import dev.penstock.http.http1.Http1Outcome;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A request whose body is malformed or cut off is never answered as if it had come whole, wherever handlers run. */
@Timeout(120)
@ParameterizedClass
@MethodSource("dev.penstock.http.servlet.Container#each")
final class MalformedBodiesConformanceTest {
    /** How much comes before the fault: on both sides of what is read at once, and of what is held. */
    private static final int[] LENGTHS = {
        0, 1, 4095, 8193, 16_383, 16_384, 16_385, 32_769, 65_535, 65_536, 65_537, 131_073, 300_000
    };

    private static final String POST = " HTTP/1.1\r\nHost: x\r\n";

    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";

    private static final String[] FAULTS = {
        "zz\r\nhello\r\n0\r\n\r\n",
        "-1\r\nhello\r\n0\r\n\r\n",
        "5\r\nhelloX\r\n0\r\n\r\n",
        "0x5\r\nhello\r\n0\r\n\r\n"
    };

    private final Container container;
    private final AtomicInteger whole = new AtomicInteger();
    private Running running;

    MalformedBodiesConformanceTest(Container container) {
        this.container = container;
    }

    @BeforeEach
    void start() throws Exception {
        running = container.start(routes(), "/*", 10_000);
    }

    @AfterEach
    void stop() throws Exception {
        Server server = running.server();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (server.running() > 0 || server.waiting() > 0) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
        running.stopAll();
    }

    private ServerBuilder routes() {
        return Container.builder()
                .accessLog(false)
                .stopWithin(Duration.ofSeconds(5))
                .route(
                        "POST",
                        "/read",
                        x -> {
                            try (InputStream in = Channels.newInputStream(x.requestBody())) {
                                in.transferTo(OutputStream.nullOutputStream());
                            }
                            whole.incrementAndGet();
                            x.respond(200, "text/plain", "read");
                        })
                .route(
                        "POST",
                        "/take",
                        x -> {
                            AtomicLong count = new AtomicLong();
                            x.suspend(Duration.ofSeconds(30))
                                    .onBody(
                                            chunk -> count.addAndGet(chunk.remaining()),
                                            y -> {
                                                whole.incrementAndGet();
                                                y.respond(200, "text/plain", count.toString());
                                            });
                        })
                .route(
                        "POST",
                        "/begun",
                        x -> {
                            ResponseBody out = x.body("text/plain");
                            out.write(ByteBuffer.wrap(new byte[100_000]));
                            try (InputStream in = Channels.newInputStream(x.requestBody())) {
                                in.transferTo(OutputStream.nullOutputStream());
                            }
                            whole.incrementAndGet();
                            out.write(ByteBuffer.wrap(new byte[10]));
                        });
    }

    private Http1Outcome send(String head, int length, String fault, boolean thenNoMore)
            throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        for (int rest = length; rest > 0; rest -= 50_000) {
            int size = Math.min(rest, 50_000);
            all.writeBytes(
                    (Integer.toHexString(size) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            all.writeBytes(new byte[size]);
            all.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        all.writeBytes(fault.getBytes(StandardCharsets.ISO_8859_1));
        return Http1Outcome.of(running.port(), all.toByteArray(), 20_000, thenNoMore);
    }

    private void checkRefused(String what, Http1Outcome outcome) {
        assertThat(whole).as(what).hasValue(0);
        assertThat(outcome.ending()).as(what).isNotEqualTo(Http1Outcome.Ending.SILENCE);
        if (!outcome.answers().isEmpty()) {
            assertThat(outcome.answers()).as(what).hasSize(1);
            assertThat(outcome.answers().getFirst().status()).as(what).isEqualTo(400);
        }
    }

    @Test
    void body_malformed_isAnsweredWith400() throws Exception {
        for (String path : new String[] {"/read", "/take"}) {
            for (int i = 0; i < LENGTHS.length; i++) {
                String fault = FAULTS[i % FAULTS.length];
                String what = path + " " + LENGTHS[i] + " " + fault;
                Http1Outcome outcome = send("POST " + path + CHUNKED, LENGTHS[i], fault, false);
                checkRefused(what, outcome);
                if (!mayLoseItsAnswer(outcome)) {
                    assertThat(outcome.answers()).as(what).isNotEmpty();
                }
            }
        }
    }

    /**
     * A container that closes a connection before it has read all of the body resets it, which may overtake the answer.
     */
    private boolean mayLoseItsAnswer(Http1Outcome outcome) {
        return container != Container.OWN && outcome.ending() == Http1Outcome.Ending.RESET;
    }

    @Test
    void body_cutOff_isNotAnsweredAsWhole() throws Exception {
        for (String path : new String[] {"/read", "/take"}) {
            for (int length : LENGTHS) {
                checkRefused(
                        path + " " + length,
                        send("POST " + path + CHUNKED, length, "5\r\nhel", true));
                checkRefused(
                        path + " of a known length, " + length,
                        Http1Outcome.of(
                                running.port(),
                                ("POST "
                                                + path
                                                + POST
                                                + "Content-Length: "
                                                + (length + 1)
                                                + "\r\n\r\n"
                                                + "a".repeat(length))
                                        .getBytes(StandardCharsets.ISO_8859_1),
                                20_000,
                                true));
            }
        }
    }

    @Test
    void body_malformedWhenTheResponseHasBegun_isNotAnsweredAsWhole() throws Exception {
        for (int length : new int[] {0, 1, 16_385, 65_537}) {
            Http1Outcome outcome = send("POST /begun" + CHUNKED, length, FAULTS[0], false);
            assertThat(whole).hasValue(0);
            // A container that has sent nothing of it yet may still answer with an error.
            assertThat(outcome.answers())
                    .as("whole answers")
                    .noneMatch(answer -> answer.status() < 400);
            assertThat(outcome.ending()).isNotEqualTo(Http1Outcome.Ending.SILENCE);
        }
    }
}
