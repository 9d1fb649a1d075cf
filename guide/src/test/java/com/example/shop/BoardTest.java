package com.example.shop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.test.TestClient;
import dev.penstock.http.test.TestRequest;
import dev.penstock.http.test.TestResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

// region test
class BoardTest {
    @TempDir private Path uploads;

    @Test
    void board_forWhoHasSignedIn_takesNotesAndFiles() throws Exception {
        Board board = new Board(Path.of("board"), uploads);
        try (TestClient client = TestClient.of(board.routes()).keepCookies()) {
            assertThat(client.get("/board/").text()).contains("<h1>The board</h1>");
            assertThat(client.get("/api/notes").status()).isEqualTo(403);

            Map<String, String> ada = Map.of("user", "ada", "password", "engine");
            client.send(TestRequest.post("/sign-in").form(ada));
            TestResponse added =
                    client.send(TestRequest.post("/api/notes").json("{\"text\":\"hello\"}"));
            assertThat(added.status()).isEqualTo(201);
            assertThat(client.get("/api/notes").text()).contains("\"author\":\"ada\"", "\"hello\"");

            TestRequest form = TestRequest.post("/api/files").field("title", "A file");
            client.send(form.file("file", "../../a.txt", "text/plain", "12345".getBytes(UTF_8)));
            try (Stream<Path> kept = Files.list(uploads)) {
                assertThat(kept).singleElement().satisfies(file -> assertThat(file).hasSize(5));
            }
        }
    }
}
// end
