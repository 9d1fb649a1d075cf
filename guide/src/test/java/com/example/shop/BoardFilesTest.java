package com.example.shop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.test.TestClient;
import dev.penstock.http.test.TestRequest;
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
