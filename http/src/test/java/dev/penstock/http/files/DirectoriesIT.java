package dev.penstock.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of directories: lists, links, siblings, and things that are no file. */
@Timeout(60)
@Tag("any-loops")
final class DirectoriesIT extends FilesFixture {
    /** Those that the locale's names of files can have. */
    private static List<String> strangeNames() {
        CharsetEncoder encoder =
                Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder();
        return Stream.of(
                        "<script>alert(1)<.txt",
                        "a \"quoted\" 'name'",
                        "100%",
                        "a&b",
                        "#1?x=y",
                        "grün")
                .filter(encoder::canEncode)
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void list_ofManyFiles_hasAllOfThem(Protocol protocol) throws Exception {
        for (int i = 0; i < 2500; i++) {
            Files.createFile(root.resolve("file-" + i));
        }
        Server server = serve(StaticFiles.of(root).listing());
        Reply reply = ask(protocol, server, "GET", "/f/");
        assertThat(reply.header("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(reply.header("Cache-Control")).contains("no-store");
        String text = reply.text();
        for (int i = 0; i < 2500; i++) {
            assertThat(text).contains("<a href=\"./file-" + i + "\">");
        }
        assertThat(text).endsWith("</html>\n");
        Reply head = ask(protocol, server, "HEAD", "/f/");
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void list_ofStrangeNames_isSafeAndItsLinksLeadThere() throws Exception {
        for (String name : strangeNames()) {
            Files.writeString(root.resolve(name), name);
        }
        Files.createDirectories(root.resolve("b c"));
        Files.createSymbolicLink(root.resolve("outside"), directory);
        Files.createSymbolicLink(root.resolve("nowhere"), root.resolve("none"));
        Files.createSymbolicLink(root.resolve("inside"), root.resolve("100%"));
        Server server = serve(StaticFiles.of(root).listing());
        String page = ask(Protocol.HTTP_1_1, server, "GET", "/f/").text();
        assertThat(page)
                .doesNotContain("<script", "outside", "nowhere", "a \"quoted\"", "../")
                .contains("&lt;script&gt;", "<a href=\"./b%20c/\">b c/</a>", "./inside");
        String[] links = page.split("href=\"\\./");
        assertThat(links).hasSize(strangeNames().size() + 3);
        for (int i = 1; i < links.length; i++) {
            String link = links[i].substring(0, links[i].indexOf('"'));
            Reply reply = ask(Protocol.HTTP_1_1, server, "GET", "/f/" + link);
            assertThat(reply.status()).as(link).isEqualTo(200);
        }
        assertThat(ask(Protocol.HTTP_1_1, server, "GET", "/f/b%20c/").text())
                .contains("<h1>/f/b c/</h1>", "href=\"../\"");
        assertThat(ask(Protocol.HTTP_1_1, server, "GET", "/f/b%20c").header("Location"))
                .contains("./b%20c/");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void pipe_isNeverOpened(Protocol protocol) throws Exception {
        Process made =
                new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).inheritIO().start();
        assertThat(made.waitFor()).as("exit code of mkfifo").isZero();
        Server server = serve(StaticFiles.of(root).listing());
        assertThat(ask(protocol, server, "GET", "/f/pipe").status()).isEqualTo(404);
        assertThat(ask(protocol, server, "GET", "/f/").text()).doesNotContain("pipe");
    }

    @Test
    void file_thatMayNotBeRead_isForbidden() throws Exception {
        Path file = Files.writeString(root.resolve("a.txt"), "secret");
        Path closed = Files.createDirectories(root.resolve("closed"));
        Files.writeString(closed.resolve("b.txt"), "secret");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        try {
            // Root may read everything.
            int expected = Files.isReadable(file) ? 200 : 403;
            Server server = serve(StaticFiles.of(root).listing());
            for (String path : new String[] {"/f/a.txt", "/f/closed/b.txt", "/f/closed/"}) {
                assertThat(ask(Protocol.HTTP_1_1, server, "GET", path).status())
                        .as(path)
                        .isEqualTo(expected);
            }
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {255, 256, 5000})
    void name_thatIsTooLong_isNotThere(int length) throws Exception {
        Server server = serve(StaticFiles.of(root));
        for (Protocol protocol : Protocol.values()) {
            String path = "/f/" + "x".repeat(length);
            assertThat(ask(protocol, server, "GET", path).status()).isEqualTo(404);
        }
    }

    @Test
    void sibling_thatIsOlderOrOutside_isNotUsed() throws Exception {
        Path file = Files.writeString(root.resolve("s.css"), "plain");
        Path gzip = Files.writeString(root.resolve("s.css.gz"), "gzip!");
        Path outside = Files.writeString(directory.resolve("outside"), "secret");
        Files.createSymbolicLink(root.resolve("s.css.br"), outside);
        Instant time = Instant.parse("2026-01-01T00:00:00Z");
        Files.setLastModifiedTime(file, FileTime.from(time));
        Files.setLastModifiedTime(gzip, FileTime.from(time));
        Server server = serve(StaticFiles.of(root).recheckAfter(java.time.Duration.ZERO));
        String[] accept = {"Accept-Encoding", "gzip, br"};
        Reply compressed = ask(Protocol.HTTP_1_1, server, "GET", "/f/s.css", accept);
        assertThat(compressed.text()).isEqualTo("gzip!");
        Reply plain = ask(Protocol.HTTP_1_1, server, "GET", "/f/s.css");
        // Of the same length and time, and yet another.
        assertThat(plain.header("ETag")).isNotEqualTo(compressed.header("ETag"));
        assertThat(plain.header("Vary")).contains("Accept-Encoding");
        Files.setLastModifiedTime(gzip, FileTime.from(time.minusNanos(1_000_000)));
        assertThat(ask(Protocol.HTTP_1_1, server, "GET", "/f/s.css", accept).text())
                .isEqualTo("plain");
    }

    @Test
    void range_ofACompressedSibling_isOfItsBytes() throws Exception {
        Files.writeString(root.resolve("s.css"), "plain");
        Files.writeString(root.resolve("s.css.gz"), "0123456789");
        Server server = serve(StaticFiles.of(root));
        Reply reply =
                ask(
                        Protocol.HTTP_1_1,
                        server,
                        "GET",
                        "/f/s.css",
                        "Accept-Encoding",
                        "gzip",
                        "Range",
                        "bytes=2-4");
        assertThat(reply.status()).isEqualTo(206);
        assertThat(reply.text()).isEqualTo("234");
        assertThat(reply.header("Content-Encoding")).contains("gzip");
        assertThat(reply.header("Content-Range")).contains("bytes 2-4/10");
    }

    @Test
    void settings_ofItsOwn_areUsed() throws Exception {
        Files.writeString(root.resolve("a.TXT"), "a");
        Files.writeString(root.resolve("a.svelte"), "a");
        Server server =
                serve(
                        StaticFiles.of(root)
                                .mediaType("Svelte", "text/plain; charset=utf-8")
                                .cacheControl("public, max-age=60"));
        Reply reply = ask(Protocol.HTTP_1_1, server, "GET", "/f/a.svelte");
        assertThat(reply.header("Content-Type")).contains("text/plain; charset=utf-8");
        assertThat(reply.header("Cache-Control")).contains("public, max-age=60");
        assertThat(ask(Protocol.HTTP_1_1, server, "GET", "/f/a.TXT").header("Content-Type"))
                .contains("text/plain; charset=utf-8");
        assertThat(ask(Protocol.HTTP_1_1, server, "POST", "/f/a.TXT").status()).isEqualTo(405);
    }
}
