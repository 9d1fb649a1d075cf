package com.example.shop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.test.TestClient;
import dev.penstock.http.test.TestRequest;
import dev.penstock.http.test.TestResponse;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the files that page 6's board keeps on disk. */
final class BoardFilesTest {
    @TempDir private Path uploads;

    private long kept() throws Exception {
        try (Stream<Path> files = Files.list(uploads)) {
            return files.count();
        }
    }

    @Test
    void upload_slowerThanAThousandNotes_leavesNoNoteWithoutItsFile() throws Exception {
        Board board = new Board(Path.of("board"), uploads);
        try (TestClient client = TestClient.overSocket(board.routes());
                Socket slow =
                        new Socket(InetAddress.getLoopbackAddress(), client.uri("/").getPort())) {
            Map<String, String> ada = Map.of("user", "ada", "password", "engine");
            TestResponse signedIn = client.send(TestRequest.post("/sign-in").form(ada));
            String cookie = signedIn.header("Set-Cookie").orElseThrow().split(";", 2)[0];
            byte[] head =
                    "--b\r\nContent-Disposition: form-data; name=f; filename=a\r\n\r\n"
                            .getBytes(UTF_8);
            byte[] end = "\r\n--b--\r\n".getBytes(UTF_8);
            byte[] half = new byte[100_000];
            int length = head.length + 2 * half.length + end.length;
            OutputStream out = slow.getOutputStream();
            out.write(
                    """
                    POST /api/files HTTP/1.1
                    Host: x
                    Cookie: %s
                    Content-Type: multipart/form-data; boundary=b
                    Content-Length: %d

                    """
                            .formatted(cookie, length)
                            .replace("\n", "\r\n")
                            .getBytes(UTF_8));
            out.write(head);
            out.write(half);
            while (kept() == 0) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < 1000; i++) {
                TestRequest note = TestRequest.post("/api/notes").json("{\"text\":\"hello\"}");
                client.send(note.header("Cookie", cookie));
            }
            out.write(half);
            out.write(end);
            byte[] status = slow.getInputStream().readNBytes("HTTP/1.1 303".length());
            assertThat(new String(status, UTF_8)).isEqualTo("HTTP/1.1 303");

            String notes =
                    client.send(TestRequest.get("/api/notes").header("Cookie", cookie)).text();
            assertThat(notes.split("\"id\"", -1)).hasSize(1000 + 1);
            assertThat(kept()).isEqualTo(notes.contains("file a") ? 1 : 0);
        }
    }

    @Test
    void files_ofNotesThatAreGone_areDeleted() throws Exception {
        Board board = new Board(Path.of("board"), uploads);
        try (TestClient client = TestClient.of(board.routes()).keepCookies()) {
            Map<String, String> ada = Map.of("user", "ada", "password", "engine");
            client.send(TestRequest.post("/sign-in").form(ada));
            TestRequest form = TestRequest.post("/api/files");
            client.send(form.file("file", "a.txt", "text/plain", "12345".getBytes(UTF_8)));
            for (int i = 0; i < 999; i++) {
                client.send(TestRequest.post("/api/notes").json("{\"text\":\"hello\"}"));
            }
            assertThat(kept()).isEqualTo(1);
            client.send(TestRequest.post("/api/notes").json("{\"text\":\"hello\"}"));
            assertThat(kept()).isZero();
        }
    }
}
