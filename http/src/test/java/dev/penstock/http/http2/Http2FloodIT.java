package dev.penstock.http.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.events.Event;
import dev.penstock.http.events.EventStream;
import dev.penstock.http.log.RejectionLog;
import dev.penstock.http.server.Bodies;
import dev.penstock.http.server.LogLines;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that have the server work for nothing: each is told to calm down, and another is served all the time. */
@Timeout(300)
@Tag("any-loops")
final class Http2FloodIT extends ServerFixture {
    private static final int FRAMES = 3 * FrameGuard.MOST;

    private Server server;
    private FrameClient attacker;
    private FrameClient other;

    /** Sends one more frame, or a few. */
    private interface Flood {
        void go(int i) throws IOException;
    }

    /** Both clients share one event loop, so that work for the attacker would keep the other one waiting. */
    @BeforeEach
    void connect() throws IOException {
        server = serve(Duration.ofMinutes(1));
        other = new FrameClient(server.port());
        attacker = new FrameClient(server.port());
        // So that they are acknowledged, whatever is done from now on.
        attacker.next(FrameClient.SETTINGS);
        other.next(FrameClient.SETTINGS);
    }

    private Server serve(Duration headTimeout) {
        return start(b ->
                b.eventLoops(1)
                        .headTimeout(headTimeout)
                        .get("/", x -> x.respond(200, "text/plain", "ok"))
                        .get("/wait", x -> x.suspend(Duration.ofMinutes(1)))
                        .get("/big", x -> Bodies.endless(x.body("x/y")))
                        .route("POST", "/wait", x -> x.suspend(Duration.ofMinutes(1))));
    }

    @AfterEach
    void disconnect() throws IOException {
        attacker.close();
        other.close();
    }

    /** A conversation of a client on a connection of its own; gives the code with which that ends. */
    private interface Conversation {
        int end(FrameClient client, Server impatient) throws IOException;
    }

    /**
     * Has a server that soon gives up what does not end do so, and serve others. It would also give up a client that is
     * slow for want of a processor; then it is tried anew.
     */
    private void isGivenUp(int code, Conversation conversation) throws Exception {
        Server impatient = serve(Duration.ofSeconds(3));
        await("given up", () -> ending(impatient, conversation) == code);
        await("serves", () -> ending(impatient, Http2FloodIT::answered) == FrameClient.NO_ERROR);
    }

    private static int ending(Server impatient, Conversation conversation) throws IOException {
        try (FrameClient client = new FrameClient(impatient.port())) {
            return conversation.end(client, impatient);
        } catch (IOException late) {
            return -1;
        }
    }

    private static int answered(FrameClient client, Server ignored) throws IOException {
        assertThat(client.reply(client.get("/")).text()).isEqualTo("ok");
        return FrameClient.NO_ERROR;
    }

    private void serves() throws IOException {
        assertThat(other.reply(other.get("/")).text()).isEqualTo("ok");
    }

    /** Floods, with somebody else reading what comes back, until the server has had enough. */
    private void calms(Flood flood) throws Exception {
        int[] code = {-1};
        Thread reader = Thread.startVirtualThread(() -> code[0] = attacker.end());
        try {
            for (int i = 0; i < FRAMES; i++) {
                flood.go(i);
                if (i % 500 == 0) {
                    serves();
                }
            }
        } catch (IOException _) {
            // The server has closed it.
        }
        reader.join();
        assertThat(code[0]).isEqualTo(FrameClient.ENHANCE_YOUR_CALM);
        serves();
        await("the attacker's streams end", () -> server.waiting() == 0 && server.running() == 0);
        serves();
    }

    @Test
    void resets_ofStreamsJustBegun_areBounded() throws Exception {
        calms(_ -> attacker.cancel(attacker.get("/wait")));
    }

    @Test
    void resets_thatTheServerIsMadeToSend_areBounded() throws Exception {
        calms(_ -> attacker.room(attacker.get("/wait"), 0));
    }

    @Test
    void requests_thatAreMalformed_areBounded() throws Exception {
        calms(_ -> attacker.get("/", "te", "x"));
    }

    @Test
    void requests_thatCantBeAnswered_areBounded() throws Exception {
        calms(_ -> attacker.get("/%zz"));
    }

    @Test
    void heads_thatBecomeLarge_areBounded() throws Exception {
        int first = attacker.get("/", "bomb", "b".repeat(3900));
        // GET http / of x, and sixty times what is latest in the table.
        byte[] bomb = new byte[66];
        java.util.Arrays.fill(bomb, (byte) (0x80 | 62));
        byte[] request = {(byte) 0x82, (byte) 0x86, (byte) 0x84, 1, 1, 'x'};
        System.arraycopy(request, 0, bomb, 0, request.length);
        calms(i -> attacker.frame(FrameClient.HEADERS, 5, first + 2 + 2 * i, bomb));
    }

    @Test
    void settings_areBounded() throws Exception {
        calms(i ->
                attacker.frame(
                        FrameClient.SETTINGS,
                        0,
                        0,
                        ByteBuffer.allocate(6).putShort((short) 4).putInt(i).array()));
    }

    @Test
    void pings_areBounded() throws Exception {
        calms(_ -> attacker.frame(FrameClient.PING, 0, 0, new byte[8]));
    }

    @Test
    void priorities_areBoundedAndLoopsHarmless() throws Exception {
        calms(i ->
                attacker.frame(
                        FrameClient.PRIORITY,
                        0,
                        i % 2 == 0 ? 101 : 103,
                        ByteBuffer.allocate(5)
                                .putInt(i % 2 == 0 ? 103 : 101)
                                .put((byte) 1)
                                .array()));
    }

    @Test
    void unknownFrames_areBounded() throws Exception {
        calms(_ -> attacker.frame(0x77, 0, 0, new byte[3]));
    }

    @Test
    void emptyData_isBounded() throws Exception {
        int stream = attacker.post("/wait");
        calms(_ -> attacker.data(stream, false));
    }

    @Test
    void emptyData_inPadding_isBounded() throws Exception {
        int stream = attacker.post("/wait");
        calms(_ -> attacker.frame(FrameClient.DATA, 8, stream, new byte[] {0}));
    }

    @Test
    void windows_ofOneByte_areBounded() throws Exception {
        attacker.close();
        attacker = new FrameClient(server.port(), 4, 0).withoutRoom();
        int stream = attacker.get("/big");
        calms(_ -> attacker.room(stream, 1));
    }

    @Test
    void windows_ofResponsesThatWereRead_areNoFlood() throws Exception {
        for (int i = 0; i < FRAMES; i++) {
            int stream = other.get("/");
            other.room(stream, 5);
            assertThat(other.reply(stream).text()).isEqualTo("ok");
        }
    }

    @Test
    void continuations_areBounded() throws Exception {
        byte[] head = attacker.block(":method", "GET", ":scheme", "http", ":path", "/");
        attacker.withoutAnswers().frame(FrameClient.HEADERS, FrameClient.END_STREAM, 1, head);
        calms(_ -> attacker.frame(FrameClient.CONTINUATION, 0, 1, new byte[] {0, 1, 'a', 1, 'b'}));
    }

    @Test
    void head_thatDoesNotEnd_isGivenUp() throws Exception {
        isGivenUp(
                FrameClient.ENHANCE_YOUR_CALM,
                (client, impatient) -> {
                    client.next(FrameClient.SETTINGS);
                    byte[] head = client.block(":method", "GET", ":scheme", "http", ":path", "/");
                    client.withoutAnswers()
                            .frame(FrameClient.HEADERS, FrameClient.END_STREAM, 1, head);
                    boolean serves =
                            ending(impatient, Http2FloodIT::answered) == FrameClient.NO_ERROR;
                    return serves ? client.end() : -1;
                });
    }

    @Test
    void frame_thatDoesNotEnd_isGivenUp() throws Exception {
        isGivenUp(
                FrameClient.ENHANCE_YOUR_CALM,
                (client, _) -> {
                    client.next(FrameClient.SETTINGS);
                    client.withoutAnswers().send(new byte[] {0, 0, 8, 6, 0});
                    return client.end();
                });
    }

    @Test
    void preface_thatDoesNotEnd_isGivenUp() throws Exception {
        Server impatient = serve(Duration.ofSeconds(3));
        try (FrameClient half = FrameClient.silent(impatient.port())) {
            half.withoutAnswers().send(java.util.Arrays.copyOf(FrameClient.PREFACE, 20));
            assertThat(half.end()).isIn(-1, FrameClient.NO_ERROR);
        }
        await("serves", () -> ending(impatient, Http2FloodIT::answered) == FrameClient.NO_ERROR);
    }

    @Test
    void reader_thatStops_isResetAndOthersOnItsConnectionAreNot() throws Exception {
        Server strict =
                start(b ->
                        b.minimumRate(10_000, Duration.ofMillis(200))
                                .get("/", x -> x.respond(200, "text/plain", "ok"))
                                .get("/big", x -> Bodies.endless(x.body("x/y"))));
        try (FrameClient client = new FrameClient(strict.port()).withoutRoom()) {
            int stalled = client.get("/big");
            client.room(0, 1 << 20);
            assertThat(client.reply(stalled).error()).isEqualTo(FrameClient.ENHANCE_YOUR_CALM);
            assertThat(client.reply(client.get("/")).text()).isEqualTo("ok");
            assertThat(strict.slowClients()).isEqualTo(1);
        }
    }

    @Test
    void sender_thatStops_isReset() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        Server strict =
                start(b ->
                        b.minimumRate(10_000, Duration.ofMillis(200))
                                .route(
                                        "POST",
                                        "/",
                                        x -> {
                                            try {
                                                Bodies.readAll(x.requestBody());
                                            } finally {
                                                ended.countDown();
                                            }
                                        }));
        try (FrameClient client = new FrameClient(strict.port())) {
            int stalled = client.post("/");
            assertThat(client.reply(stalled).error()).isEqualTo(FrameClient.ENHANCE_YOUR_CALM);
            ended.await();
        }
    }

    @Test
    void connection_withoutRequests_isEndedWhenItsTimeIsOver() throws Exception {
        Server idle =
                start(b ->
                        b.idleTimeout(Duration.ofSeconds(2))
                                .get("/", x -> x.respond(200, "text/plain", "ok")));
        await("ended after its answer", () -> isAnsweredAndEnded(idle));
    }

    private static boolean isAnsweredAndEnded(Server idle) throws IOException {
        try (FrameClient client = new FrameClient(idle.port())) {
            answered(client, idle);
            assertThat(client.end()).isEqualTo(FrameClient.NO_ERROR);
            return true;
        } catch (IOException ended) {
            // It was idle from when it was accepted until it asked.
            return false;
        }
    }

    @Test
    void windows_forEachOfManySmallPieces_areNoFlood() throws Exception {
        CompletableFuture<EventStream> opened = new CompletableFuture<>();
        Server events = start(b -> b.get("/", x -> opened.complete(EventStream.open(x))));
        try (FrameClient client = new FrameClient(events.port())) {
            int stream = client.get("/");
            assertThat(client.head(stream).status()).isEqualTo(200);
            EventStream sent = opened.join();
            for (int i = 0; i < FrameGuard.MOST; i++) {
                int before = client.soFar(stream).size();
                assertThat(sent.send(Event.of("x"))).isTrue();
                // The client tells of both windows for each.
                while (client.soFar(stream).size() == before) {
                    var _ = client.next();
                }
            }
            sent.close();
            assertThat(client.reply(stream).ended()).isTrue();
            assertThat(client.soFar(0).error()).isEqualTo(-1);
        }
    }

    @Test
    void settings_thatAreNotAcknowledged_endTheConnection() throws Exception {
        int settingsTimeout = 4;
        isGivenUp(
                settingsTimeout,
                (client, impatient) -> {
                    client.withoutAnswers();
                    answered(client, impatient);
                    return client.end();
                });
    }

    @Test
    void logOfBrokenStreams_hasSoManyLinesASecond() throws Exception {
        int each = 150;
        try (LogLines log = new LogLines(Level.INFO)) {
            long started = System.nanoTime();
            for (int i = 0; i < 3; i++) {
                try (FrameClient client = new FrameClient(server.port())) {
                    // So that they are acknowledged in time, however long the rest takes.
                    client.next(FrameClient.SETTINGS);
                    int last = 0;
                    for (int j = 0; j < each; j++) {
                        last = client.get("/", "te", "x");
                    }
                    assertThat(client.reply(last).error()).isEqualTo(FrameClient.PROTOCOL_ERROR);
                }
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started);
            assertThat(log.containing("Broke a stream of 127.0.0.1: PROTOCOL_ERROR"))
                    .hasSizeBetween(1, (int) (seconds + 2) * RejectionLog.MOST_A_SECOND);
        }
    }
}
