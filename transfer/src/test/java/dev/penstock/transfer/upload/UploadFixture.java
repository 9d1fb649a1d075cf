package dev.penstock.transfer.upload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Starts a server with uploads at {@code /uploads}, whose owner is the header {@code X-Owner}. */
public abstract class UploadFixture extends ServerFixture {
    protected static final String BASE = "/uploads";
    protected static final String OFFSET_STREAM = "application/offset+octet-stream";

    @TempDir protected Path directory;

    /** The time, which stands still unless a test moves it. */
    protected final TestClock clock = new TestClock();

    private final List<ResumableUploads> opened = new ArrayList<>();

    /** A clock that is set. */
    public static final class TestClock implements InstantSource {
        private volatile Instant now = Instant.parse("2026-01-31T12:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        public void set(Instant time) {
            now = time;
        }
    }

    protected Server serve() {
        return serve(settings -> settings);
    }

    protected Server serve(UnaryOperator<ResumableUploads.Builder> settings) {
        ResumableUploads.Builder builder =
                ResumableUploads.builder(directory)
                        .clock(clock)
                        .owner(exchange -> exchange.header("X-Owner").orElse(""));
        ResumableUploads uploads = settings.apply(builder).build();
        opened.add(uploads);
        return start(server -> server.group(BASE, uploads));
    }

    @AfterEach
    void closeUploads() {
        opened.forEach(ResumableUploads::close);
    }

    /** The files that are there, by their names. */
    protected List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    /** The client of one test: a connection for each request. */
    public record Client(Protocol protocol, int port) {
        public static Client of(Protocol protocol, Server server) {
            return new Client(protocol, server.port());
        }

        /** Sends a request without a body. */
        public Reply send(String method, String path, String... headers) throws IOException {
            try (TestClient client = protocol.connect(port)) {
                return client.send(method, path, headers).reply();
            }
        }

        /** Sends a request with a body whose length is told. */
        public Reply send(String method, String path, byte[] body, String... headers)
                throws IOException {
            try (TestClient client = protocol.connect(port)) {
                return client.send(method, path, body, headers).reply();
            }
        }

        /** Sends a body in chunks, whose length is not told. */
        public Reply stream(String method, String path, byte[] body, String... headers)
                throws IOException {
            try (TestClient client = protocol.connect(port)) {
                return client.begin(method, path, headers).last(body).reply();
            }
        }

        /** Sends a request of tus. */
        public Reply tus(String method, String path, String... headers) throws IOException {
            return send(method, path, with(headers, "Tus-Resumable", "1.0.0"));
        }

        /** Makes an upload by tus, and returns its path. */
        public String create(long length, String... headers) throws IOException {
            Reply made = tus("POST", BASE, with(headers, "Upload-Length", Long.toString(length)));
            assertThat(made.status()).as(made.text()).isEqualTo(201);
            return made.header("Location").orElseThrow();
        }

        /** Appends by tus. */
        public Reply patch(String path, long offset, byte[] body, String... headers)
                throws IOException {
            return send(
                    "PATCH",
                    path,
                    body,
                    with(
                            headers,
                            "Tus-Resumable",
                            "1.0.0",
                            "Content-Type",
                            OFFSET_STREAM,
                            "Upload-Offset",
                            Long.toString(offset)));
        }

        /** The offset of an upload, by tus. */
        public long offset(String path, String... headers) throws IOException {
            Reply head = tus("HEAD", path, headers);
            assertThat(head.status()).isEqualTo(200);
            return Long.parseLong(head.header("Upload-Offset").orElseThrow());
        }
    }

    /** Headers, and more of them. */
    public static String[] with(String[] headers, String... more) {
        String[] all = Arrays.copyOf(headers, headers.length + more.length);
        System.arraycopy(more, 0, all, headers.length, more.length);
        return all;
    }

    /** So many bytes, each different from those beside it. */
    public static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8));
        }
        return bytes;
    }

    /** A part of bytes. */
    public static byte[] slice(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }
}
