package dev.penstock.transfer.tus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Server;
import dev.penstock.transfer.upload.UploadFixture;
import io.tus.java.client.TusClient;
import io.tus.java.client.TusURLMemoryStore;
import io.tus.java.client.TusUpload;
import io.tus.java.client.TusUploader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The official client of tus for Java. */
final class TusJavaClientIT extends UploadFixture {
    private static final byte[] ALL = bytes(3_000_017);

    private static TusUpload upload() {
        TusUpload upload = new TusUpload();
        upload.setInputStream(new ByteArrayInputStream(ALL));
        upload.setSize(ALL.length);
        upload.setFingerprint("f");
        upload.setMetadata(Map.of("filename", "java.bin"));
        return upload;
    }

    private static TusClient client(Server server) throws IOException {
        TusClient client =
                new TusClient() {
                    @Override
                    public void prepareConnection(HttpURLConnection connection) {
                        super.prepareConnection(connection);
                        // HttpURLConnection has no PATCH.
                        connection.setRequestProperty("X-Owner", "java");
                    }
                };
        client.setUploadCreationURL(URI.create("http://127.0.0.1:" + server.port() + BASE).toURL());
        client.enableResuming(new TusURLMemoryStore());
        return client;
    }

    @Test
    void upload_inChunks_isWhole() throws Exception {
        TusClient client = client(serve());
        TusUploader uploader = client.createUpload(upload());
        uploader.setChunkSize(64 * 1024);
        uploader.setRequestPayloadSize(1_000_000);
        while (uploader.uploadChunk() > -1) {
            // Until nothing is left.
        }
        uploader.finish();
        assertThat(Files.readAllBytes(directory.resolve("java.bin"))).isEqualTo(ALL);
    }

    @Test
    void upload_brokenOff_isResumed() throws Exception {
        Server server = serve();
        TusClient client = client(server);
        TusUploader first = client.createUpload(upload());
        first.setChunkSize(100_000);
        first.setRequestPayloadSize(100_000);
        for (int i = 0; i < 7; i++) {
            first.uploadChunk();
        }
        first.finish();
        assertThat(first.getOffset()).isEqualTo(700_000);
        TusUploader second = client.resumeUpload(upload());
        assertThat(second.getOffset()).isEqualTo(700_000);
        while (second.uploadChunk() > -1) {
            // Until nothing is left.
        }
        second.finish();
        assertThat(Files.readAllBytes(directory.resolve("java.bin"))).isEqualTo(ALL);
    }
}
