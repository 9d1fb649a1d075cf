package dev.penstock.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.files.StaticFiles;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Static files are the same wherever they are served, over each protocol. */
@Timeout(60)
@ParameterizedClass
@MethodSource("dev.penstock.http.servlet.Container#overEachProtocol")
final class ContainerFilesTest {
    private static final int LARGE = 8 * 1024 * 1024;

    @TempDir private Path directory;
    private final Container container;
    private final Protocol protocol;
    private Path root;
    private Running at;

    ContainerFilesTest(Container container, Protocol protocol) {
        this.container = container;
        this.protocol = protocol;
    }

    @BeforeEach
    void start() throws Exception {
        root = Files.createDirectories(directory.resolve("public"));
        Files.writeString(root.resolve("a.txt"), "0123456789");
        Files.createDirectories(root.resolve("sub"));
        Files.writeString(root.resolve("sub/index.html"), "index");
        Files.writeString(root.resolve(".hidden"), "secret");
        Files.writeString(directory.resolve("outside.txt"), "secret");
        Files.createSymbolicLink(root.resolve("out"), directory.resolve("outside.txt"));
        Files.createSymbolicLink(root.resolve("outer"), directory);
        Files.createSymbolicLink(root.resolve("in"), root.resolve("a.txt"));
        Files.createSymbolicLink(root.resolve("loop"), root.resolve("loop"));
        at =
                container.start(
                        Container.builder()
                                .accessLog(false)
                                .get("/f/{path...}", StaticFiles.of(root))
                                .get("/list/{path...}", StaticFiles.of(root).listing())
                                .get("/dev/{path...}", StaticFiles.of(Path.of("/dev"))),
                        "/api/*",
                        30_000);
    }

    @AfterEach
    void stop() throws Exception {
        at.stopAll();
    }

    private Reply get(String path, String... headers) throws IOException {
        try (TestClient client = protocol.connect(at.port())) {
            return client.get(at.path(path), headers).reply();
        }
    }

    @Test
    void files_ofAnySize_areSentWhole() throws Exception {
        for (int size : new int[] {0, 1, 16_384, 16_385, 32_768, 65_537, 300_000}) {
            byte[] bytes = new byte[size];
            new Random(size).nextBytes(bytes);
            Files.write(root.resolve("file.bin"), bytes);
            Files.move(root.resolve("file.bin"), root.resolve(size + ".bin"));
            for (int i = 0; i < 3; i++) {
                Reply reply = get("/f/" + size + ".bin");
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.body()).isEqualTo(bytes);
                assertThat(reply.header("Content-Length")).contains("" + size);
            }
        }
    }

    @Test
    void conditionsAndRanges_areAnswered() throws Exception {
        Reply whole = get("/f/a.txt");
        String tag = whole.header("ETag").orElseThrow();
        assertThat(get("/f/a.txt", "If-None-Match", tag).status()).isEqualTo(304);
        assertThat(get("/f/a.txt", "If-Match", "\"other\"").status()).isEqualTo(412);
        Reply part = get("/f/a.txt", "Range", "bytes=2-4");
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.text()).isEqualTo("234");
        assertThat(part.header("Content-Range")).contains("bytes 2-4/10");
        Reply none = get("/f/a.txt", "Range", "bytes=10-");
        assertThat(none.status()).isEqualTo(416);
        assertThat(none.header("Content-Range")).contains("bytes */10");
        assertThat(get("/f/a.txt", "Range", "bytes=0-0,9-9").header("Content-Type").orElseThrow())
                .startsWith("multipart/byteranges; boundary=");
    }

    @Test
    void paths_outsideOrHidden_areNotThere() throws Exception {
        for (String path :
                new String[] {
                    "/f/.hidden",
                    "/f/out",
                    "/f/none",
                    "/f/../outside.txt",
                    "/f/sub/../../outside.txt",
                    "/f/..%2foutside.txt",
                    "/f/%2e%2e/outside.txt",
                    "/f/%2e%2e%2foutside.txt",
                    "/f/..%5coutside.txt",
                    "/f/..\\outside.txt",
                    "/f/..;/outside.txt",
                    "/f/sub/..;x=1/a.txt",
                    "/f/a.txt%00",
                    "/f/%00",
                    "/f/%2e/a.txt",
                    "/f/%2fetc%2fpasswd",
                    "/f/%5c..%5coutside.txt",
                    "/f/c:%5ca.txt",
                    "/f/%c0%ae%c0%ae/outside.txt",
                    "/f/%252e%252e/outside.txt",
                    "/f/outer/outside.txt",
                    "/f/loop",
                    "/f/SUB/index.html",
                    "/f/a.txt.",
                    "/f/a.txt%20",
                    "/f/a.txt::$DATA",
                    "/f/a.txt/b",
                    "/dev/zero",
                    "/dev/null",
                    "/list/.hidden",
                    "/list/outer/",
                    "/f//a.txt",
                    "/f/A.TXT",
                    "/f/a.txt/",
                    "/f/" + "x".repeat(300),
                }) {
            Reply reply = get(path);
            assertThat(reply.status()).as(path).isIn(400, 404);
            assertThat(reply.text()).as(path).doesNotContain("secret");
        }
        assertThat(get("/f/in").text()).isEqualTo("0123456789");
    }

    @Test
    void pipe_isNeverOpened() throws Exception {
        Process made =
                new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).inheritIO().start();
        assertThat(made.waitFor()).as("exit code of mkfifo").isZero();
        assertThat(get("/f/pipe").status()).isEqualTo(404);
        assertThat(get("/list/").text())
                .contains("<a href=\"./a.txt\">a.txt</a>", "<a href=\"./sub/\">sub/</a>")
                .doesNotContain("pipe", "hidden", "out");
    }

    @Test
    void sibling_thatTheClientTakes_isSentWithItsOwnTag() throws Exception {
        Files.writeString(root.resolve("s.css"), "plain");
        Files.writeString(root.resolve("s.css.gz"), "gzipped");
        Files.writeString(root.resolve("s.css.br"), "brotli");
        String[][] cases = {
            {"gzip, br", "br", "brotli"},
            {"gzip", "gzip", "gzipped"},
            {"br;q=0, gzip", "gzip", "gzipped"},
            {"identity", null, "plain"}
        };
        for (String[] each : cases) {
            Reply reply = get("/f/s.css", "Accept-Encoding", each[0]);
            assertThat(reply.header("Content-Encoding").orElse(null)).isEqualTo(each[1]);
            assertThat(reply.header("Vary")).contains("Accept-Encoding");
            assertThat(reply.text()).isEqualTo(each[2]);
            String tag = reply.header("ETag").orElseThrow();
            Reply again = get("/f/s.css", "Accept-Encoding", each[0], "If-None-Match", tag);
            assertThat(again.status()).isEqualTo(304);
        }
    }

    @Test
    void directory_withoutItsSlash_isRedirectedToWhereItsIndexIs() throws Exception {
        Reply redirect = get("/f/sub?x=1");
        assertThat(redirect.status()).isEqualTo(308);
        assertThat(redirect.header("Location")).contains("./sub/?x=1");
        assertThat(get("/f/sub/").text()).isEqualTo("index");
    }

    @Test
    void file_thatBecomesShorterMeanwhile_isNeverTakenForWhole() throws Exception {
        Path file = root.resolve("large.bin");
        Files.write(file, new byte[LARGE]);
        if (protocol == Protocol.HTTP_2) {
            checkBrokenStream(file);
        } else {
            checkBrokenConnection(file);
        }
        awaitNothingRuns();
    }

    private void checkBrokenStream(Path file) throws IOException {
        try (TestClient client = protocol.connect(at.port(), 4096)) {
            client.get(at.path("/f/large.bin"));
            assertThat(client.head().header("Content-Length")).contains("" + LARGE);
            truncate(file);
            assertThatThrownBy(() -> client.body().readAllBytes())
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(SocketTimeoutException.class);
        }
    }

    private void checkBrokenConnection(Path file) throws IOException {
        try (RawClient client = new RawClient(at.port(), 4096)) {
            client.get(at.path("/f/large.bin"));
            assertThat(client.head().header("Content-Length")).contains("" + LARGE);
            truncate(file);
            long received = 0;
            InputStream in = client.input();
            byte[] block = new byte[64 * 1024];
            for (int read = in.read(block); read >= 0; read = in.read(block)) {
                received += read;
            }
            assertThat(received).isLessThan(LARGE);
        } catch (IOException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    private static void truncate(Path file) throws IOException {
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
            open.truncate(0);
        }
    }

    private void awaitNothingRuns() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (at.server().running() > 0) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
