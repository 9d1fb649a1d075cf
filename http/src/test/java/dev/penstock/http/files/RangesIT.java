package dev.penstock.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.message.HttpDate;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.TestCertificate;
import dev.penstock.http.server.TestClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of files: several at once, under conditions, of files of any size. */
@Timeout(120)
@Tag("any-loops")
final class RangesIT extends FilesFixture {
    private static final String[] HEADERS = {
        "bytes=0-0,2-2",
        "bytes=5-16388,16390-32775,32777-",
        "bytes=-1,0-16379,16382-16382",
        "bytes=0-15,100-9999,12000-299999,8-90"
    };

    /** Takes a body of parts apart, as a client must: by lengths, not by looking for the boundary. */
    private static byte[] merged(byte[] body, String contentType, byte[] whole) throws IOException {
        String boundary = contentType.replaceFirst(".*boundary=", "");
        assertThat(contentType).startsWith("multipart/byteranges; boundary=");
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        int at = 0;
        while (true) {
            String rest =
                    new String(
                            body, at, Math.min(400, body.length - at), StandardCharsets.US_ASCII);
            if (rest.equals("\r\n--" + boundary + "--\r\n")) {
                return parts.toByteArray();
            }
            int end = rest.indexOf("\r\n\r\n") + 4;
            String head = rest.substring(0, end);
            assertThat(head).startsWith("\r\n--" + boundary + "\r\n").contains("Content-Type: ");
            String[] range =
                    head.replaceFirst("(?s).*Content-Range: bytes ", "").strip().split("[-/]", -1);
            int first = Integer.parseInt(range[0]);
            int length = Integer.parseInt(range[1]) - first + 1;
            assertThat(Integer.parseInt(range[2])).isEqualTo(whole.length);
            at += end;
            assertThat(Arrays.equals(body, at, at + length, whole, first, first + length)).isTrue();
            parts.write(body, at, length);
            at += length;
        }
    }

    private static byte[] expected(String header, byte[] whole) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteRange range : ByteRange.parse(header, whole.length).orElseThrow()) {
            all.write(whole, (int) range.first(), (int) range.length());
        }
        return all.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {16_384, 16_385, 300_000, 3_000_000})
    void severalRanges_overAnyProtocol_haveTheirExactLength(int size) throws Exception {
        byte[] bytes = write("file.bin", size);
        Server server = serve(StaticFiles.of(root));
        for (Protocol protocol : Protocol.values()) {
            try (TestClient client = protocol.connect(server.port())) {
                for (String header : HEADERS) {
                    if (header.contains("32777") && size < 32_777) {
                        continue;
                    }
                    Reply reply = client.get("/f/file.bin", "Range", header).reply();
                    assertThat(reply.status()).isEqualTo(206);
                    assertThat(reply.header("Content-Range")).isEmpty();
                    assertThat(reply.header("Content-Length")).contains("" + reply.body().length);
                    String type = reply.header("Content-Type").orElseThrow();
                    assertThat(merged(reply.body(), type, bytes))
                            .isEqualTo(expected(header, bytes));
                }
                // The connection goes on, and HEAD knows no ranges.
                Reply head = client.send("HEAD", "/f/file.bin", "Range", HEADERS[0]).reply();
                assertThat(head.status()).isEqualTo(200);
                assertThat(head.header("Content-Length")).contains("" + size);
            }
        }
    }

    @Test
    void severalRanges_overTls_haveTheirExactLength() throws Exception {
        byte[] bytes = write("file.bin", 3_000_000);
        TestCertificate made = TestCertificate.make("EC", "files");
        Path certificate = directory.resolve("certificate.pem");
        Path key = directory.resolve("key.pem");
        made.write(certificate, key);
        Server server =
                start(b -> b.tls(certificate, key).get("/f/{path...}", StaticFiles.of(root)));
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(TestCertificate.trusting(made)).build()) {
            for (Version version : List.of(Version.HTTP_1_1, Version.HTTP_2)) {
                for (String header : HEADERS) {
                    HttpRequest request =
                            HttpRequest.newBuilder(
                                            URI.create(
                                                    "https://localhost:%d/f/file.bin"
                                                            .formatted(server.port())))
                                    .version(version)
                                    .header("Range", header)
                                    .build();
                    HttpResponse<byte[]> reply = client.send(request, BodyHandlers.ofByteArray());
                    assertThat(reply.version()).isEqualTo(version);
                    assertThat(reply.statusCode()).isEqualTo(206);
                    String type = reply.headers().firstValue("Content-Type").orElseThrow();
                    assertThat(merged(reply.body(), type, bytes))
                            .isEqualTo(expected(header, bytes));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void ranges_byTheThousand_areAnsweredWithTheWhole(Protocol protocol) throws Exception {
        byte[] bytes = write("file.bin", 100_000);
        Server server = serve(StaticFiles.of(root));
        StringBuilder header = new StringBuilder("bytes=0-0");
        for (int i = 1; i < 1000; i++) {
            header.append(',').append(2 * i).append('-');
        }
        Reply reply = ask(protocol, server, "GET", "/f/file.bin", "Range", header.toString());
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void ifRange_isExact(Protocol protocol) throws Exception {
        write("file.bin", 100);
        Path file = root.resolve("file.bin");
        Instant old = Instant.parse("2026-01-02T03:04:05.678Z");
        Files.setLastModifiedTime(file, FileTime.from(old));
        Server server = serve(StaticFiles.of(root).recheckAfter(java.time.Duration.ZERO));
        Reply whole = ask(protocol, server, "GET", "/f/file.bin");
        String tag = whole.header("ETag").orElseThrow();
        String date = whole.header("Last-Modified").orElseThrow();
        assertThat(tag).startsWith("\"");
        List<Integer> statuses = new ArrayList<>();
        for (String condition :
                List.of(
                        tag,
                        "W/" + tag,
                        "\"other\"",
                        tag + ", \"other\"",
                        "*",
                        date,
                        HttpDate.format(old.minusSeconds(1)),
                        HttpDate.format(old.plusSeconds(1)),
                        "yesterday")) {
            statuses.add(ifRange(protocol, server, condition));
        }
        assertThat(statuses).containsExactly(206, 200, 200, 200, 200, 206, 200, 200, 200);
        // Within its second, a file may change once more, and have the same date.
        Instant soon = Instant.now().plusSeconds(3600);
        Files.setLastModifiedTime(file, FileTime.from(soon));
        assertThat(ifRange(protocol, server, HttpDate.format(soon))).isEqualTo(200);
        assertThat(ifRange(protocol, server, date)).isEqualTo(200);
        assertThat(ifRange(protocol, server, tag)).isEqualTo(200);
    }

    private static int ifRange(Protocol protocol, Server server, String condition)
            throws IOException {
        return ask(
                        protocol,
                        server,
                        "GET",
                        "/f/file.bin",
                        "Range",
                        "bytes=1-2",
                        "If-Range",
                        condition)
                .status();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void attachment_isSavedByItsName(Protocol protocol) throws Exception {
        write("report.bin", 100);
        Files.writeString(root.resolve("index.html"), "index");
        Server server =
                start(b ->
                        b.get("/f/{path...}", StaticFiles.of(root).attachment())
                                .get(
                                        "/one",
                                        x ->
                                                FileResponse.sendAttachment(
                                                        x,
                                                        root.resolve("report.bin"),
                                                        "Übersicht.pdf")));
        for (int i = 0; i < 3; i++) {
            assertThat(disposition(ask(protocol, server, "GET", "/f/report.bin")))
                    .isEqualTo("attachment; filename=\"report.bin\"");
        }
        assertThat(disposition(ask(protocol, server, "GET", "/f/")))
                .isEqualTo("attachment; filename=\"index.html\"");
        Reply one = ask(protocol, server, "HEAD", "/one");
        assertThat(disposition(one))
                .isEqualTo(
                        "attachment; filename=\"_bersicht.pdf\"; filename*=UTF-8''%C3%9Cbersicht.pdf");
        assertThat(one.header("Content-Type")).contains("application/pdf");
        // An error is not saved under the file's name.
        Reply error = ask(protocol, server, "GET", "/f/report.bin", "Range", "bytes=100-");
        assertThat(error.status()).isEqualTo(416);
        assertThat(error.header("Content-Disposition")).isEmpty();
    }

    private static String disposition(Reply reply) {
        return reply.header("Content-Disposition").orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void file_thatGrowsWhileItIsSent_endsWhereItDidAtTheStart(Protocol protocol) throws Exception {
        byte[] bytes = write("log.bin", 8_000_000);
        Server server = serve(StaticFiles.of(root));
        try (TestClient client = protocol.connect(server.port(), 4096)) {
            client.get("/f/log.bin");
            await("begun", () -> server.requests() == 1);
            Reply head = client.head();
            Files.write(root.resolve("log.bin"), new byte[1_000_000], StandardOpenOption.APPEND);
            assertThat(head.header("Content-Length")).contains("8000000");
            assertThat(client.body().readAllBytes()).isEqualTo(bytes);
            if (protocol == Protocol.HTTP_1_1) {
                assertThat(client.get("/f/log.bin", "Range", "bytes=0-1").reply().status())
                        .isEqualTo(206);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void file_of100Gigabytes_isSentFromAnywhere(Protocol protocol) throws Exception {
        long size = 100L << 30;
        try (FileChannel file =
                FileChannel.open(
                        root.resolve("sparse.bin"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.SPARSE)) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}), size - 5);
        }
        Server server = serve(StaticFiles.of(root));
        Reply head = ask(protocol, server, "HEAD", "/f/sparse.bin");
        assertThat(head.header("Content-Length")).contains("" + size);
        Reply end = ask(protocol, server, "GET", "/f/sparse.bin", "Range", "bytes=-2000000");
        assertThat(end.header("Content-Range"))
                .contains("bytes %d-%d/%d".formatted(size - 2_000_000, size - 1, size));
        assertThat(end.body()).hasSize(2_000_000).endsWith(1, 2, 3, 4, 5);
        Reply parts =
                ask(
                        protocol,
                        server,
                        "GET",
                        "/f/sparse.bin",
                        "Range",
                        "bytes=0-9,-3,50000000000-50000000001");
        assertThat(parts.text())
                .contains("bytes 0-9/" + size)
                .contains("bytes 50000000000-50000000001/" + size)
                .contains("bytes %d-%d/%d".formatted(size - 3, size - 1, size));
        assertThat(parts.header("Content-Length")).contains("" + parts.body().length);
        // All of it begins, and ends when the client leaves.
        TestClient client = protocol.connect(server.port(), 4096).get("/f/sparse.bin");
        await("begun", () -> server.running() > 0 || server.requests() > 3);
        client.leave();
        await("gone", () -> server.connections() == 0);
    }
}
