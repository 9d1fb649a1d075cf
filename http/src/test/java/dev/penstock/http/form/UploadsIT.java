package dev.penstock.http.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Exchange;
import dev.penstock.http.server.ChildJvm;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The memory contract of uploads: forms with files, together thrice the heap of the JVM that takes them. */
@Tag("any-loops")
@Timeout(300)
final class UploadsIT {
    private static final int UPLOADS = 20;
    private static final int BYTES = 5_000_000;
    private static final String BOUNDARY = "----upload";

    /** What is uploaded: the first from its first byte on, the second from its second. */
    private static final byte[] CONTENT = new byte[BYTES + UPLOADS];

    static {
        new Random(11).nextBytes(CONTENT);
    }

    @TempDir private Path folder;

    @Test
    void uploads_20Of5MegabytesAtOnceIn32MegabytesOfHeap_areWhole() throws Exception {
        Process child =
                new ProcessBuilder(command())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader out = child.inputReader();
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            int port = Integer.parseInt(out.readLine());
            List<Future<String>> names = new ArrayList<>();
            for (int i = 0; i < UPLOADS; i++) {
                int number = i;
                names.add(clients.submit(() -> upload(port, number)));
            }
            for (int i = 0; i < UPLOADS; i++) {
                Path file = folder.resolve(names.get(i).get());
                byte[] kept = Files.readAllBytes(file);
                assertThat(kept).hasSize(BYTES);
                assertThat(Arrays.equals(kept, 0, BYTES, CONTENT, i, i + BYTES)).isTrue();
            }
        } finally {
            child.destroy();
            assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private List<String> command() {
        return ChildJvm.command(
                List.of("-Xmx32m", "-XX:+ExitOnOutOfMemoryError"),
                UploadServer.class,
                Integer.toString(ServerFixture.LOOPS),
                folder.toString());
    }

    /** Sends a form with a file, and returns the name under which it was kept. */
    private static String upload(int port, int number) throws IOException {
        String head =
                "--%s\r\nContent-Disposition: form-data; name=\"f\"; filename=\"%d.bin\"\r\n\r\n"
                        .formatted(BOUNDARY, number);
        String end = "\r\n--%s--\r\n".formatted(BOUNDARY);
        try (RawClient client = new RawClient(port)) {
            client.socket().setSoTimeout((int) TimeUnit.MINUTES.toMillis(4));
            client.send(
                            "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n"
                                    .formatted(head.length() + BYTES + end.length()))
                    .send("Content-Type: multipart/form-data; boundary=" + BOUNDARY + "\r\n\r\n")
                    .send(head);
            client.socket().getOutputStream().write(CONTENT, number, BYTES);
            client.send(end);
            RawClient.Reply reply = client.reply();
            assertThat(reply.status()).as(reply.text()).isEqualTo(201);
            return reply.text();
        }
    }

    /** The server that takes them, in a JVM of its own. */
    static final class UploadServer {
        private UploadServer() {}

        public static void main(String[] arguments) throws IOException {
            Path folder = Path.of(arguments[1]);
            Server server =
                    Server.builder()
                            .port(0)
                            .eventLoops(Integer.parseInt(arguments[0]))
                            .accessLog(false)
                            .maxBody(2L * BYTES)
                            .minimumRate(1, Duration.ofMinutes(5))
                            .post("/upload", exchange -> keep(exchange, folder))
                            .start();
            System.out.println(server.port());
            // Until the test ends it, or has ended itself.
            var _ = System.in.read();
            server.close();
        }

        private static void keep(Exchange exchange, Path folder) throws IOException {
            Part part = Multipart.of(exchange).next().orElseThrow();
            Path file = folder.resolve(UUID.randomUUID().toString());
            part.saveAs(file);
            byte[] name = file.getFileName().toString().getBytes(StandardCharsets.UTF_8);
            exchange.respond(201, "text/plain", name);
        }
    }
}
