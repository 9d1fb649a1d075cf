package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.test.TestClient;
import dev.penstock.transfer.client.Receipt;
import dev.penstock.transfer.upload.ResumableUploads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program of page 7. */
@Timeout(120)
class LargeBodiesIT {
    @TempDir private Path folder;

    private static HttpResponse<String> post(TestClient server, String path, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(server.uri(path))
                        .POST(BodyPublishers.ofByteArray(body))
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.ofString());
        }
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    @Test
    void largeBodies_eachRoute_doesWhatThePageSays() throws Exception {
        byte[] bytes = new byte[3_000_000];
        new Random(7).nextBytes(bytes);
        Path file = Files.write(folder.resolve("film.bin"), bytes);
        Path incoming = folder.resolve("incoming");
        try (ResumableUploads uploads = LargeBodies.uploads(Files.createDirectories(incoming));
                TestClient server = TestClient.overSocket(LargeBodies.routes(uploads))) {
            Path copy = folder.resolve("copy.bin");
            Receipt got = LargeBodies.sendAndFetch(file, server.uri("/uploads"), copy);
            assertThat(got.bytes()).isEqualTo(bytes.length);
            assertThat(incoming.resolve("film.bin")).hasBinaryContent(bytes);
            assertThat(copy).hasBinaryContent(bytes);

            CRC32C checksum = new CRC32C();
            checksum.update(bytes);
            assertThat(post(server, "/checksum", bytes).body())
                    .isEqualTo("%08x\n".formatted(checksum.getValue()));

            byte[] text = "a\r\nb\nc".repeat(10_000).getBytes(StandardCharsets.UTF_8);
            assertThat(post(server, "/lines", text).body()).isEqualTo("20001 lines\n");
            assertThat(post(server, "/lines", gzip(text)).body()).isEqualTo("20001 lines\n");
            HttpResponse<String> endless = post(server, "/lines", new byte[1_000_000]);
            assertThat(endless.statusCode()).isEqualTo(413);
            assertThat(endless.body()).contains("Line 1 has more than 10000 characters");
        }
    }
}
