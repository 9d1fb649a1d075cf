package dev.penstock.http.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.http2.FrameClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests over HTTP/2 that are none, or that can't be answered: their streams end, the connection goes on. */
@Timeout(60)
@Tag("any-loops")
final class Http2MalformedIT extends ServerFixture {
    private static final List<String> PSEUDO =
            List.of(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "x");

    private static final int READ = 100_000;

    /** The time for which the server waits for the rest of a body that it does not want. */
    private static final long DRAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private Server server() {
        return start(b -> b.get("/", x -> x.respond(200, "text/plain", "ok")));
    }

    private static String[] with(String... more) {
        List<String> all = new ArrayList<>(PSEUDO);
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static String[] replaced(String name, String value) {
        List<String> all = new ArrayList<>(PSEUDO);
        all.set(all.indexOf(name) + 1, value);
        return all.toArray(String[]::new);
    }

    private static String[] without(String name) {
        List<String> all = new ArrayList<>(PSEUDO);
        int at = all.indexOf(name);
        all.subList(at, at + 2).clear();
        return all.toArray(String[]::new);
    }

    @Test
    void requests_malformed_breakTheirStreamAlone() throws Exception {
        List<String[]> malformed =
                List.of(
                        with("X-Upper", "a"),
                        with("connection", "keep-alive"),
                        with("keep-alive", "5"),
                        with("proxy-connection", "close"),
                        with("transfer-encoding", "chunked"),
                        with("upgrade", "h2c"),
                        with("te", "gzip"),
                        with("a b", "c"),
                        with("a", "b\r\nc: d"),
                        with("a", "b\nc"),
                        with("a", "\u0000"),
                        with("a", "\u007f"),
                        with("a", " b"),
                        with("a", "b\t"),
                        with("content-length", "1"),
                        with("content-length", "x"),
                        with("content-length", "0", "content-length", "1"),
                        with("host", "other"),
                        with(":path", "/twice"),
                        with(":authority", "y"),
                        with(":protocol", "websocket"),
                        with(":unknown", "a"),
                        with(":status", "200"),
                        with("a", "b", ":authority", "late"),
                        without(":method"),
                        without(":scheme"),
                        without(":path"),
                        replaced(":path", ""),
                        replaced(":path", "relative"),
                        replaced(":path", "/a b"),
                        replaced(":path", "http://x/"),
                        replaced(":method", "G T"),
                        replaced(":method", ""));
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            for (String[] headers : malformed) {
                Reply reply = client.reply(client.begin(true, headers));
                assertThat(reply.error())
                        .as(String.join(" ", headers))
                        .isEqualTo(FrameClient.PROTOCOL_ERROR);
                assertThat(reply.status()).isZero();
            }
            assertThat(client.reply(client.get("/", "te", "trailers")).status()).isEqualTo(200);
            assertThat(client.reply(client.get("/", "host", "X")).status()).isEqualTo(200);
        }
    }

    @Test
    void requests_thatCantBeAnswered_getTheirStatus() throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            check(client, 400, replaced(":path", "/%zz"));
            check(client, 400, replaced(":path", "/%00"));
            check(client, 400, replaced(":path", "/?a=%f"));
            check(client, 400, replaced(":path", "/#part"));
            check(client, 400, replaced(":scheme", "ftp"));
            check(client, 400, replaced(":authority", "user@x"));
            check(client, 400, without(":authority"));
            check(client, 404, replaced(":path", "/none"));
            check(client, 405, replaced(":method", "DELETE"));
            check(client, 204, ":method", "OPTIONS", ":scheme", "http", ":path", "*", "host", "x");
            check(client, 501, ":method", "CONNECT", ":authority", "x:80");
            check(client, 414, replaced(":path", "/" + "a".repeat(9000)));
            check(client, 431, with("a", "b".repeat(17_000)));
            String[] many = new String[202];
            java.util.Arrays.fill(many, "a");
            check(client, 431, with(many));
            check(client, 200, with("a", "b".repeat(16_000)));
        }
    }

    private static void check(FrameClient client, int status, String... headers) throws Exception {
        Reply reply = client.reply(client.begin(true, headers));
        assertThat(reply.status()).as(String.join(" ", headers)).isEqualTo(status);
    }

    /** The name is in the table; its value of 4000 bytes is asked for by one byte, often. */
    private static byte[] bomb(FrameClient client) throws Exception {
        byte[] first = client.block(with("bomb", "b".repeat(3900)));
        byte[] bomb = java.util.Arrays.copyOf(first, first.length + 60);
        java.util.Arrays.fill(bomb, first.length, bomb.length, (byte) (0x80 | 62));
        return bomb;
    }

    @Test
    void heads_muchTooLarge_areRefusedWithoutBeingKept() throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            client.frame(FrameClient.HEADERS, 5, 1, bomb(client));
            assertThat(client.reply(1).status()).isEqualTo(431);
        }
    }

    @Test
    void streams_usedAgain_endTheConnection() throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            assertThat(client.reply(client.get("/")).status()).isEqualTo(200);
            client.frame(FrameClient.HEADERS, 5, 1, client.block(with()));
            assertThat(client.end()).isEqualTo(FrameClient.STREAM_CLOSED);
        }
        try (FrameClient client = new FrameClient(server.port())) {
            client.frame(FrameClient.HEADERS, 5, 7, client.block(with()));
            assertThat(client.reply(7).status()).isEqualTo(200);
            client.frame(FrameClient.HEADERS, 5, 3, client.block(with()));
            assertThat(client.end()).isEqualTo(FrameClient.PROTOCOL_ERROR);
        }
    }

    @Test
    void frames_largerThanAllowed_endTheConnection() throws Exception {
        Server server = server();
        int frameSizeError = 6;
        try (FrameClient client = new FrameClient(server.port())) {
            client.send(new byte[] {0, 0x40, 1, 0, 0, 0, 0, 0, 1});
            assertThat(client.end()).isEqualTo(frameSizeError);
        }
    }

    @Test
    void requests_refusedWithABodyUnderWay_areAnsweredAndItsRestIsNotWanted() throws Exception {
        Server server = server();
        try (FrameClient client = new FrameClient(server.port())) {
            client.frame(FrameClient.HEADERS, FrameClient.END_HEADERS, 1, bomb(client));
            refusedWithoutItsRest(client, 1, 431);
            client.frame(
                    FrameClient.HEADERS,
                    FrameClient.END_HEADERS,
                    3,
                    client.block(replaced(":path", "/%zz")));
            refusedWithoutItsRest(client, 3, 400);
        }
    }

    /** The client may be about to end it, and one that is told to stop may take that for the whole answer. */
    @Test
    void body_ofWhichAHandlerHasReadMuch_mayEndAfterTheResponse() throws Exception {
        Server server =
                start(b ->
                        b.post(
                                "/first",
                                x -> {
                                    int read = x.readStream(1 << 20).readNBytes(READ).length;
                                    x.respond(200, "text/plain", "" + read);
                                }));
        try (FrameClient client = new FrameClient(server.port())) {
            long begin = System.nanoTime();
            int stream = client.post("/first");
            client.dataWithinWindow(stream, new byte[READ]);
            assertThat(client.reply(stream).text()).isEqualTo("" + READ);
            client.data(stream, false, new byte[1_000]).data(stream, true, new byte[1_000]);
            client.frame(FrameClient.PING, 0, 0, new byte[8]);
            while (!client.next().isPingAck()) {
                boolean isReset = client.soFar(stream).error() >= 0;
                assertThat(isReset && System.nanoTime() - begin < DRAIN_NANOS)
                        .as("a reset as soon as the response was sent")
                        .isFalse();
            }
        }
    }

    private static void refusedWithoutItsRest(FrameClient client, int stream, int status)
            throws Exception {
        client.data(stream, false, new byte[100]);
        Reply reply = client.reply(stream);
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.ended()).isTrue();
        FrameClient.Frame reset = client.next(FrameClient.RST_STREAM);
        assertThat(reset.stream()).isEqualTo(stream);
        assertThat(reset.errorCode()).isEqualTo(FrameClient.NO_ERROR);
        // What was under way is ignored.
        client.data(stream, false, new byte[100]);
        client.frame(FrameClient.HEADERS, 5, stream, client.block("x-sum", "1"));
        client.frame(FrameClient.PING, 0, 0, new byte[8]);
        FrameClient.Frame next = client.next();
        while (next.stream() == 0 && !next.isPingAck()) {
            next = client.next();
        }
        assertThat(next.isPingAck()).isTrue();
    }
}
