package dev.penstock.http.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("any-loops")
final class StaticFilesIT extends ServerFixture {
    @TempDir private Path directory;
    private Path root;
    private byte[] large;

    @BeforeEach
    void write() throws IOException {
        root = Files.createDirectories(directory.resolve("public"));
        Files.writeString(root.resolve("a.txt"), "0123456789");
        Files.writeString(root.resolve("grün & rot.html"), "<p>");
        Files.writeString(root.resolve(".hidden"), "secret");
        Files.writeString(directory.resolve("outside.txt"), "secret");
        Files.createDirectories(root.resolve("sub/.git"));
        Files.writeString(root.resolve("sub/.git/config"), "secret");
        Files.writeString(root.resolve("sub/index.html"), "index");
        Files.createDirectories(root.resolve("plain"));
        Files.createDirectories(root.resolve(".well-known/acme"));
        Files.writeString(root.resolve(".well-known/acme/token"), "token");
        Files.writeString(root.resolve(".well-known/.private"), "secret");
        Files.createDirectories(root.resolve("sub/.well-known"));
        Files.writeString(root.resolve("sub/.well-known/token"), "secret");
        Files.createDirectories(root.resolve("..data"));
        Files.writeString(root.resolve("..data/mounted"), "mounted");
        Files.createSymbolicLink(root.resolve("mounted"), Path.of("..data/mounted"));
        Files.createDirectories(root.resolve("indexed"));
        Files.createSymbolicLink(
                root.resolve("indexed/index.html"), directory.resolve("outside.txt"));
        Files.createSymbolicLink(root.resolve("out"), directory.resolve("outside.txt"));
        Files.createSymbolicLink(root.resolve("outer"), directory);
        Files.createSymbolicLink(root.resolve("in"), root.resolve("a.txt"));
        Files.createSymbolicLink(root.resolve("loop"), root.resolve("loop"));
        Files.writeString(root.resolve("s.css"), "plain");
        Files.writeString(root.resolve("s.css.gz"), "gzipped");
        Files.writeString(root.resolve("s.css.br"), "brotli");
        large = new byte[1_000_003];
        new Random(1).nextBytes(large);
        Files.write(root.resolve("large.bin"), large);
    }

    private Server server() {
        return start(b -> b.get("/f/{path...}", StaticFiles.of(root)));
    }

    private static Reply ask(
            Protocol protocol, Server server, String method, String path, String... headers)
            throws IOException {
        try (TestClient client = protocol.connect(server.port())) {
            return client.send(method, path, headers).reply();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void file_isSentAsItIs(Protocol protocol) throws Exception {
        Server server = server();
        Reply reply = ask(protocol, server, "GET", "/f/large.bin");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo(large);
        assertThat(reply.header("Content-Type")).contains("application/octet-stream");
        assertThat(reply.header("Content-Length")).contains("1000003");
        assertThat(reply.header("Accept-Ranges")).contains("bytes");
        assertThat(reply.header("X-Content-Type-Options")).contains("nosniff");
        String tag = reply.header("ETag").orElseThrow();
        String modified = reply.header("Last-Modified").orElseThrow();
        assertThat(ask(protocol, server, "HEAD", "/f/large.bin").header("Content-Length"))
                .contains("1000003");
        assertThat(ask(protocol, server, "GET", "/f/large.bin", "If-None-Match", tag).status())
                .isEqualTo(304);
        assertThat(
                        ask(protocol, server, "GET", "/f/large.bin", "If-Modified-Since", modified)
                                .status())
                .isEqualTo(304);
        assertThat(ask(protocol, server, "GET", "/f/large.bin", "If-Match", "\"x\"").status())
                .isEqualTo(412);
        assertThat(ask(protocol, server, "GET", "/f/gr%C3%BCn%20%26%20rot.html").text())
                .isEqualTo("<p>");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void notModified_ofAnyFile_hasTheTagOfItsContent(Protocol protocol) throws Exception {
        Files.writeString(root.resolve("long.txt"), "long ".repeat(1000));
        Server server = server();
        for (String path : new String[] {"/f/long.txt", "/f/a.txt", "/f/s.css", "/f/large.bin"}) {
            for (String coding : new String[] {"gzip", "identity"}) {
                Reply found = ask(protocol, server, "GET", path, "Accept-Encoding", coding);
                String tag = found.header("ETag").orElseThrow();
                assertThat(tag.startsWith("W/"))
                        .as(path + " as " + coding)
                        .isEqualTo(path.equals("/f/long.txt") && coding.equals("gzip"));
                String[] again = {"Accept-Encoding", coding, "If-None-Match", tag};
                Reply same = ask(protocol, server, "GET", path, again);
                assertThat(same.status()).isEqualTo(304);
                assertThat(same.header("ETag")).contains(tag);
                assertThat(same.header("Vary")).isEqualTo(found.header("Vary"));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-0 | 206 | 0 | bytes 0-0/10",
                "bytes=2-4 | 206 | 234 | bytes 2-4/10",
                "bytes=7- | 206 | 789 | bytes 7-9/10",
                "bytes=-3 | 206 | 789 | bytes 7-9/10",
                "bytes=-30 | 206 | 0123456789 | bytes 0-9/10",
                "bytes=5-100 | 206 | 56789 | bytes 5-9/10",
                "bytes=4-3 | 200 | 0123456789 | ",
                "items=0-1 | 200 | 0123456789 | ",
                "bytes=a-b | 200 | 0123456789 | ",
                "bytes=0-5,1-6 | 206 | 0123456 | bytes 0-6/10",
                "bytes=6-,-10, 2-3 | 206 | 0123456789 | bytes 0-9/10",
                "Bytes= 1-2, | 206 | 12 | bytes 1-2/10",
                "bytes=1-2,12-,-0 | 206 | 12 | bytes 1-2/10",
                "bytes=8-9223372036854775808 | 206 | 89 | bytes 8-9/10",
                "bytes=-9223372036854775808 | 206 | 0123456789 | bytes 0-9/10",
                "bytes=9223372036854775807- | 416 |  | bytes */10",
                "bytes=99999999999999999999- | 416 |  | bytes */10",
                "bytes=1-2,x | 200 | 0123456789 | ",
                "bytes=--1 | 200 | 0123456789 | ",
                "bytes=+1-2 | 200 | 0123456789 | ",
                "bytes=, | 200 | 0123456789 | ",
                "bytes= | 200 | 0123456789 | ",
                "bytes=10- | 416 |  | bytes */10",
                "bytes=-0 | 416 |  | bytes */10",
            })
    void range_isAnsweredInPart(String range, int status, String text, String contentRange)
            throws Exception {
        Server server = server();
        for (Protocol protocol : Protocol.values()) {
            Reply reply = ask(protocol, server, "GET", "/f/a.txt", "Range", range);
            assertThat(reply.status()).as(range).isEqualTo(status);
            if (status != 416) {
                assertThat(reply.text()).isEqualTo(text);
            }
            assertThat(reply.header("Content-Range").orElse(null)).isEqualTo(contentRange);
        }
    }

    @Test
    void ranges_several_areOneBody() throws Exception {
        Server server = server();
        Reply reply = ask(Protocol.HTTP_1_1, server, "GET", "/f/a.txt", "Range", "bytes=0-1,8-9");
        assertThat(reply.status()).isEqualTo(206);
        String boundary =
                reply.header("Content-Type").orElseThrow().replaceFirst(".*boundary=", "");
        assertThat(reply.text().split("\r\n--" + boundary))
                .containsExactly(
                        "",
                        "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Range: bytes 0-1/10\r\n\r\n01",
                        "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Range: bytes 8-9/10\r\n\r\n89",
                        "--\r\n");
        String tag = reply.header("ETag").orElseThrow();
        assertThat(
                        ask(
                                        Protocol.HTTP_1_1,
                                        server,
                                        "GET",
                                        "/f/a.txt",
                                        "Range",
                                        "bytes=1-1",
                                        "If-Range",
                                        tag)
                                .status())
                .isEqualTo(206);
        assertThat(
                        ask(
                                        Protocol.HTTP_1_1,
                                        server,
                                        "GET",
                                        "/f/a.txt",
                                        "Range",
                                        "bytes=1-1",
                                        "If-Range",
                                        "\"x\"")
                                .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "/f/none.txt, 404",
        "/f/A.TXT, 404",
        "/f/.hidden, 404",
        "/f/sub/.git/config, 404",
        "/f/out, 404",
        "/f/outer/outside.txt, 404",
        "/f/outer/public/a.txt, 200",
        "/f/outer/public, 308",
        "/f/in, 200",
        "/f/loop, 404",
        "/f/plain/, 404",
        "/f/a.txt/, 404",
        "/f/a.txt/b, 404",
        "/f//a.txt, 404",
        "/f/sub/, 200",
        "/f/sub, 308",
        "/f/..%2Foutside.txt, 404",
        "/f/%2e%2e/outside.txt, 404",
        "/f/sub/%2e%2e/a.txt, 404",
        "/f/..%5Coutside.txt, 404",
        "/f/%2Fetc%2Fpasswd, 404",
        "/f/a.txt%00, 400",
        "/f/%00, 400",
        "/f/sub%2Findex.html, 404",
        "/f/sub%2f, 404",
        "/f//, 404",
        "/f/sub//, 404",
        "/f/./a.txt, 404",
        "/f/sub/../a.txt, 404",
        "/f/%5c..%5coutside.txt, 404",
        "/f/c:%5ca.txt, 404",
        "/f/a.txt::$DATA, 404",
        "/f/a.txt., 404",
        "/f/a.txt%20, 404",
        "/f/%E2%80%AE, 404",
        "/f/%C3, 400",
        "/f/.well-known/acme/token, 200",
        "/f/.well-known/.private, 404",
        "/f/sub/.well-known/token, 404",
        "/f/..data/mounted, 404",
        "/f/mounted, 200",
        "/f/indexed/, 404",
        "/f/outer, 404",
        "/f/outer/, 404",
        "/f/out/, 404",
    })
    void path_outsideOrHidden_isNotThere(String path, int status) throws Exception {
        Server server = server();
        for (Protocol protocol : Protocol.values()) {
            Reply reply = ask(protocol, server, "GET", path);
            assertThat(reply.status()).as(path).isIn(status, status == 404 ? 400 : status);
            assertThat(reply.text()).doesNotContain("secret");
        }
    }

    @Test
    void device_orPipe_isNotThere() throws Exception {
        Server server = start(b -> b.get("/dev/{path...}", StaticFiles.of(Path.of("/dev"))));
        assertThat(ask(Protocol.HTTP_1_1, server, "GET", "/dev/zero").status()).isEqualTo(404);
        assertThat(ask(Protocol.HTTP_1_1, server, "GET", "/dev/null").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip, br | br | brotli",
                "gzip | gzip | gzipped",
                "br;q=0, gzip | gzip | gzipped",
                "zstd |  | plain",
                "identity |  | plain",
            })
    void sibling_thatTheClientTakes_isSent(String accepted, String coding, String text)
            throws Exception {
        Server server = server();
        Reply reply =
                ask(Protocol.HTTP_1_1, server, "GET", "/f/s.css", "Accept-Encoding", accepted);
        assertThat(reply.header("Content-Encoding").orElse(null)).isEqualTo(coding);
        assertThat(reply.header("Content-Type")).contains("text/css; charset=utf-8");
        assertThat(reply.header("Vary")).contains("Accept-Encoding");
        assertThat(reply.text()).isEqualTo(text);
    }

    @Test
    void directory_isListedWhereAskedFor() throws Exception {
        Server server = start(b -> b.get("/f/{path...}", StaticFiles.of(root).listing()));
        String page = ask(Protocol.HTTP_1_1, server, "GET", "/f/").text();
        assertThat(page)
                .contains("<a href=\"./gr%C3%BCn%20%26%20rot.html\">grün &amp; rot.html</a>")
                .contains("<a href=\"./sub/\">sub/</a>")
                .doesNotContain(".hidden");
        Reply redirect = ask(Protocol.HTTP_1_1, server, "GET", "/f/sub?x=1");
        assertThat(redirect.header("Location")).contains("./sub/?x=1");
        assertThatThrownBy(() -> StaticFiles.of(root.resolve("none")))
                .hasMessageContaining("There is no directory");
    }
}
