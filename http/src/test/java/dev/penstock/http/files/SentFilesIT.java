package dev.penstock.http.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.http.Handler;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.loop.EventLoops;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.TestClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files on their way to clients that keep up, read slowly, or leave, and files that change meanwhile. */
@Timeout(120)
@Tag("any-loops")
final class SentFilesIT extends FilesFixture {
    /** More than all buffers between a server and a client that does not read. */
    private static final int LARGE = 16 * 1024 * 1024;

    private static String get(String path, String... headers) {
        StringBuilder head = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: x\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        return head + "\r\n";
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0, 1, 1023, 1024, 1535, 1536, 1537, 16_383, 16_384, 16_385, 32_735, 32_736, 32_737,
                32_767, 32_768, 32_769, 65_535, 65_536, 65_537, 131_072, 300_001
            })
    void file_ofAnySize_comesWholeFirstAndAgain(int size) throws Exception {
        byte[] bytes = write("file.bin", size);
        for (Duration recheck : new Duration[] {Duration.ZERO, Duration.ofSeconds(60)}) {
            Server server = serve(StaticFiles.of(root).recheckAfter(recheck));
            for (Protocol protocol : Protocol.values()) {
                try (TestClient client = protocol.connect(server.port())) {
                    for (int i = 0; i < 3; i++) {
                        assertThat(client.get("/f/file.bin").reply().body()).isEqualTo(bytes);
                        Reply head = client.send("HEAD", "/f/file.bin").reply();
                        assertThat(head.header("Content-Length")).contains("" + size);
                        assertThat(head.body()).isEmpty();
                    }
                }
            }
        }
    }

    @Test
    void file_askedForAgain_isAnsweredByTheEventLoop() throws Exception {
        byte[] small = write("small.bin", 1000);
        byte[] large = write("large.bin", 100_000);
        AtomicInteger onLoop = new AtomicInteger();
        Server server =
                start(b ->
                        b.get("/f/{path...}", StaticFiles.of(root))
                                .after((_, _) -> {
                                    String thread = Thread.currentThread().getName();
                                    if (thread.startsWith("penstock-loop")) {
                                        onLoop.incrementAndGet();
                                    }
                                }));
        try (RawClient client = new RawClient(server.port())) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.send(get("/f/small.bin")).reply().body()).isEqualTo(small);
                assertThat(client.send(get("/f/large.bin")).reply().body()).isEqualTo(large);
            }
        }
        // How many is a matter of how long the requests take.
        assertThat(onLoop).hasPositiveValue();
    }

    @Test
    void files_pipelined_comeInTheirOrder() throws Exception {
        byte[] small = write("small.bin", 100);
        byte[] large = write("large.bin", 3_000_000);
        Server server = serve(StaticFiles.of(root));
        try (RawClient client = new RawClient(server.port())) {
            for (int i = 0; i < 5; i++) {
                client.send(
                        get("/f/large.bin")
                                + get("/f/small.bin")
                                + get("/f/large.bin", "Range: bytes=1000000-")
                                + get("/f/none")
                                + get("/f/large.bin", "Range: bytes=0-9,2000000-2000009"));
                assertThat(client.reply().body()).isEqualTo(large);
                assertThat(client.reply().body()).isEqualTo(small);
                assertThat(client.reply().body())
                        .isEqualTo(Arrays.copyOfRange(large, 1_000_000, large.length));
                assertThat(client.reply().status()).isEqualTo(404);
                assertThat(client.reply().status()).isEqualTo(206);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void bytesBeforeAFile_andAFileAsThem_comeInTheirOrder(Protocol protocol) throws Exception {
        byte[] bytes = write("file.bin", 100_000);
        Path path = root.resolve("file.bin");
        Queue<Throwable> refusals = new ConcurrentLinkedQueue<>();
        Server server =
                start(b ->
                        b.get(
                                "/x",
                                x -> {
                                    ResponseBody body =
                                            x.header("Content-Length", "200005")
                                                    .body("application/x");
                                    body.write(ascii("begin"));
                                    FileChannel file =
                                            FileChannel.open(path, StandardOpenOption.READ);
                                    body.transferFrom(file, 0, 100_000);
                                    body.transferLast(file, 0, 100_000, () -> close(file));
                                    refusals.add(catchThrowable(() -> body.write(ascii("more"))));
                                }));
        for (int i = 0; i < 3; i++) {
            byte[] body = ask(protocol, server, "GET", "/x").body();
            assertThat(body).hasSize(200_005).startsWith(ascii("begin").array());
            assertThat(Arrays.copyOfRange(body, 5, 100_005)).isEqualTo(bytes);
            assertThat(Arrays.copyOfRange(body, 100_005, 200_005)).isEqualTo(bytes);
        }
        await("refused each time", () -> refusals.size() == 3);
        assertThat(refusals).allMatch(IOException.class::isInstance);
        if (Files.exists(OPEN)) {
            await("closed", () -> openFiles() == 0);
        }
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void close(FileChannel file) {
        try {
            file.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void text_forAClientThatTakesGzip_isCompressed(Protocol protocol) throws Exception {
        String text = "some text ".repeat(20_000);
        Files.writeString(root.resolve("t.txt"), text);
        Server server = serve(StaticFiles.of(root));
        for (int i = 0; i < 3; i++) {
            Reply reply = ask(protocol, server, "GET", "/f/t.txt", "Accept-Encoding", "gzip");
            assertThat(reply.header("Content-Encoding")).contains("gzip");
            assertThat(reply.header("ETag").orElseThrow()).startsWith("W/");
            assertThat(reply.header("Vary")).contains("Accept-Encoding");
            try (var in = new GZIPInputStream(new ByteArrayInputStream(reply.body()))) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII))
                        .isEqualTo(text);
            }
            String tag = reply.header("ETag").orElseThrow();
            Reply again = ask(protocol, server, "GET", "/f/t.txt", "If-None-Match", tag);
            assertThat(again.status()).isEqualTo(304);
            assertThat(again.header("Vary")).contains("Accept-Encoding");
            assertThat(ask(protocol, server, "GET", "/f/t.txt").text()).isEqualTo(text);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void client_thatReadsSlowly_keepsNoThread(Protocol protocol) throws Exception {
        byte[] bytes = write("large.bin", LARGE);
        Server server = serve(StaticFiles.of(root).recheckAfter(Duration.ZERO));
        try (TestClient client = protocol.connect(server.port(), 4096)) {
            client.get("/f/large.bin");
            await("sends", () -> isSending(server, 1));
            assertThat(client.reply().body()).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void client_thatStopsReading_isThrownOut(Protocol protocol) throws Exception {
        write("large.bin", LARGE);
        Server server =
                start(b ->
                        b.get("/f/{path...}", StaticFiles.of(root))
                                .minimumRate(1024, Duration.ofSeconds(1)));
        try (TestClient client = protocol.connect(server.port(), 4096).get("/f/large.bin")) {
            await("thrown out", () -> server.slowClients() == 1);
            assertThatThrownBy(() -> assertThat(client.reply().body()).hasSize(LARGE))
                    .isInstanceOfAny(IOException.class, AssertionError.class);
        }
        await("all given back", () -> server.admission().runningNow() == 0);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void client_thatLeavesInTheMiddle_leavesNoFileOpen(Protocol protocol) throws Exception {
        assumeTrue(Files.exists(OPEN), "needs a system that tells which files are open");
        write("large.bin", LARGE);
        for (Duration recheck : new Duration[] {Duration.ZERO, Duration.ofSeconds(1)}) {
            Server server = serve(StaticFiles.of(root).recheckAfter(recheck));
            for (int i = 0; i < 20; i++) {
                TestClient client = protocol.connect(server.port(), 4096);
                client.get("/f/large.bin");
                if (i % 2 == 0) {
                    await("sends", () -> server.requests() > 0 && openFiles() > 0);
                }
                client.leave();
            }
            await("all closed", () -> openFiles() == 0);
            await("all gone", () -> server.connections() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void file_thatBecomesShorterMeanwhile_breaksTheResponseOff(Protocol protocol) throws Exception {
        for (Duration recheck : new Duration[] {Duration.ZERO, Duration.ofSeconds(60)}) {
            write("large.bin", LARGE);
            awaitNoneOpen();
            Server server = serve(StaticFiles.of(root).recheckAfter(recheck));
            try (TestClient client = protocol.connect(server.port(), 4096)) {
                client.get("/f/large.bin");
                await("sends", () -> isSending(server, 1));
                try (FileChannel file =
                        FileChannel.open(root.resolve("large.bin"), StandardOpenOption.WRITE)) {
                    file.truncate(1_000_000);
                }
                if (protocol == Protocol.HTTP_2) {
                    assertThatThrownBy(client::reply).isInstanceOf(IOException.class);
                } else {
                    assertThat(client.reply().body().length).isLessThan(LARGE);
                }
            } catch (IOException reset) {
                assertThat(reset).hasMessageContaining("reset");
            }
            // One that comes now has the new length.
            await("new length", () -> length(server) == 1_000_000);
        }
    }

    private static String lengthOf(Reply reply) {
        return reply.header("Content-Length").orElseThrow();
    }

    private int length(Server server) throws IOException {
        // What is kept for long is asked for by another name.
        Files.deleteIfExists(root.resolve("again.bin"));
        Files.createLink(root.resolve("again.bin"), root.resolve("large.bin"));
        return Integer.parseInt(lengthOf(ask(Protocol.HTTP_1_1, server, "HEAD", "/f/again.bin")));
    }

    private void awaitNoneOpen() throws Exception {
        await("none open", () -> !Files.exists(OPEN) || openFiles() == 0);
    }

    /**
     * Whether the handler of the latest of so many requests has opened the file, and left it to the event loop. In this
     * order: with a file open, the handler runs or has run.
     */
    private boolean isSending(Server server, long requests) throws IOException {
        return server.requests() == requests
                && (!Files.exists(OPEN) || openFiles() > 0)
                && server.running() == 0
                && server.admission().runningNow() == 1;
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void file_thatIsReplacedOrDeletedMeanwhile_isSentAsItWas(Protocol protocol) throws Exception {
        byte[] bytes = write("large.bin", LARGE);
        Server server = serve(StaticFiles.of(root).recheckAfter(Duration.ZERO));
        for (boolean replaced : new boolean[] {true, false}) {
            Files.write(root.resolve("large.bin"), bytes);
            awaitNoneOpen();
            long before = server.requests();
            try (TestClient client = protocol.connect(server.port(), 4096)) {
                client.get("/f/large.bin");
                await("sends", () -> isSending(server, before + 1));
                if (replaced) {
                    Path other = Files.write(directory.resolve("other"), new byte[1000]);
                    Files.move(
                            other, root.resolve("large.bin"), StandardCopyOption.REPLACE_EXISTING);
                } else {
                    Files.delete(root.resolve("large.bin"));
                }
                Reply reply = client.reply();
                assertThat(reply.body()).isIn(bytes, new byte[1000]);
            }
        }
        assertThat(ask(protocol, server, "GET", "/f/large.bin").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void file_largerThanTwoGigabytes_isSentFromAnywhere(Protocol protocol) throws Exception {
        long size = 3L << 30;
        long middle = 1L << 31;
        byte[] mark = "a mark on both sides of 2^31".getBytes(StandardCharsets.US_ASCII);
        try (FileChannel file =
                FileChannel.open(
                        root.resolve("sparse.bin"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.SPARSE)) {
            file.write(ByteBuffer.wrap(new byte[1]), size - 1);
            file.write(ByteBuffer.wrap(mark), middle - 10);
        }
        Server server = serve(StaticFiles.of(root));
        assertThat(lengthOf(ask(protocol, server, "HEAD", "/f/sparse.bin"))).isEqualTo("" + size);
        String range = "bytes=" + (middle - 10) + "-" + (middle + 99_989);
        Reply reply = ask(protocol, server, "GET", "/f/sparse.bin", "Range", range);
        assertThat(reply.header("Content-Range"))
                .contains("bytes %d-%d/%d".formatted(middle - 10, middle + 99_989, size));
        assertThat(reply.body()).hasSize(100_000).startsWith(mark);
        assertThat(ask(protocol, server, "GET", "/f/sparse.bin", "Range", "bytes=-20000").body())
                .isEqualTo(new byte[20_000]);
    }

    @Test
    void file_thatChanges_isSeenSoon() throws Exception {
        Server server = serve(StaticFiles.of(root));
        for (int size : new int[] {10, 20, 20_000, 30_000, 0}) {
            write("file.bin", size);
            await(
                    "seen",
                    () ->
                            ask(Protocol.HTTP_1_1, server, "GET", "/f/file.bin").body().length
                                    == size);
        }
        Files.delete(root.resolve("file.bin"));
        await(
                "deleted",
                () -> ask(Protocol.HTTP_1_1, server, "GET", "/f/file.bin").status() == 404);
    }

    @Test
    void file_thatIsLookedAtAgainAndIsTheSame_isNotOpenedAgain() throws Exception {
        assumeTrue(Files.exists(OPEN), "needs a system that tells which files are open");
        write("large.bin", LARGE);
        Server server = serve(StaticFiles.of(root).recheckAfter(Duration.ofNanos(1)));
        List<RawClient> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                RawClient client = new RawClient(server.port(), 4096);
                slow.add(client);
                assertThat(client.send(get("/f/large.bin")).head().status()).isEqualTo(200);
            }
            // What nobody asked for within five seconds is opened again.
            assertThat(openFiles()).isBetween(1L, 4L * EventLoops.defaultCount());
        } finally {
            for (RawClient client : slow) {
                client.close();
            }
        }
        await("closed", () -> openFiles() == 0);
    }

    @Test
    void files_thatNobodyAsksForAnyMore_areClosed() throws Exception {
        assumeTrue(Files.exists(OPEN), "needs a system that tells which files are open");
        Server server = serve(StaticFiles.of(root));
        for (int i = 0; i < 300; i++) {
            write(i + ".bin", 20_000 + i);
        }
        for (int i = 0; i < 300; i++) {
            assertThat(ask(Protocol.HTTP_1_1, server, "GET", "/f/" + i + ".bin").body())
                    .hasSize(20_000 + i);
        }
        await("at most those that are held", () -> openFiles() <= 256);
        await("closed", () -> openFiles() == 0);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void file_thatIsSentWithoutAThread_hasNoTrailers(Protocol protocol) throws Exception {
        byte[] bytes = write("large.bin", 300_000);
        Files.write(root.resolve("large.txt"), new byte[300_000]);
        Server server =
                start(b ->
                        b.before(
                                        Handler.nonBlocking(exchange ->
                                                exchange.trailer("X-Before", () -> "1")))
                                .after((exchange, _) -> exchange.trailer("X-After", () -> "2"))
                                .get("/f/{path...}", StaticFiles.of(root)));
        try (TestClient client = protocol.connect(server.port())) {
            for (int i = 0; i < 3; i++) {
                Reply reply = client.get("/f/large.bin", "TE", "trailers").reply();
                assertThat(reply.body()).isEqualTo(bytes);
                assertThat(reply.header("Trailer").isPresent()).isFalse();
                assertThat(reply.header("Content-Length").isPresent()).isTrue();
                assertThat(client.trailers()).isEmpty();
                reply =
                        client.get("/f/large.txt", "TE", "trailers", "Accept-Encoding", "gzip")
                                .reply();
                assertThat(reply.header("Content-Encoding")).contains("gzip");
                assertThat(client.trailers()).hasSize(2);
            }
        }
    }
}
