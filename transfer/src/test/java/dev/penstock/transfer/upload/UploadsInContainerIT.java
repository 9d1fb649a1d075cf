package dev.penstock.transfer.upload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Server;
import dev.penstock.http.test.TestClient;
import dev.penstock.http.test.TestRequest;
import dev.penstock.http.test.TestResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads by requests that another server has received, as in a servlet container. */
final class UploadsInContainerIT {
    @TempDir private Path directory;

    private static TestRequest tus(String method, String path) {
        return TestRequest.of(method, path).header("Tus-Resumable", "1.0.0");
    }

    private static TestResponse patch(TestClient client, String path, int offset, byte[] body)
            throws Exception {
        return client.send(
                tus("PATCH", path)
                        .header("Upload-Offset", Integer.toString(offset))
                        .body(UploadFixture.OFFSET_STREAM, body));
    }

    @Test
    void upload_byTus_isTakenInPieces() throws Exception {
        byte[] all = UploadFixture.bytes(200_000);
        try (ResumableUploads uploads =
                        ResumableUploads.builder(directory).publicPath("/data/uploads").build();
                TestClient client = TestClient.of(Server.builder().group("/uploads", uploads))) {
            TestResponse made =
                    client.send(tus("POST", "/uploads").header("Upload-Length", "200000"));
            assertThat(made.status()).isEqualTo(201);
            String location = made.header("Location").orElseThrow();
            assertThat(location).startsWith("/data/uploads/");
            String path = location.substring("/data".length());
            assertThat(patch(client, path, 0, UploadFixture.slice(all, 0, 70_000)).status())
                    .isEqualTo(204);
            assertThat(patch(client, path, 1, all).status()).isEqualTo(409);
            assertThat(client.send(tus("HEAD", path)).header("Upload-Offset")).hasValue("70000");
            TestResponse last =
                    patch(client, path, 70_000, UploadFixture.slice(all, 70_000, all.length));
            assertThat(last.status()).isEqualTo(204);
            assertThat(client.get(path).body()).isEqualTo(all);
        }
    }

    @Test
    void upload_byPutAndForm_isTaken() throws Exception {
        byte[] all = UploadFixture.bytes(100_000);
        try (ResumableUploads uploads = ResumableUploads.builder(directory).build();
                TestClient client = TestClient.of(Server.builder().group("/uploads", uploads))) {
            TestResponse put =
                    client.send(TestRequest.put("/uploads/a.bin").body("image/png", all));
            assertThat(put.status()).isEqualTo(201);
            assertThat(client.get(put.header("Location").orElseThrow()).body()).isEqualTo(all);
            TestResponse form =
                    client.send(
                            TestRequest.post("/uploads")
                                    .file("f", "b.bin", "application/octet-stream", all));
            assertThat(form.status()).isEqualTo(201);
            assertThat(client.get(form.header("Location").orElseThrow()).body()).isEqualTo(all);
            assertThat(uploads.list("")).hasSize(2);
            assertThat(client.send(TestRequest.of("OPTIONS", "/uploads")).header("Tus-Version"))
                    .hasValue("1.0.0");
        }
    }
}
