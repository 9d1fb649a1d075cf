package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Exchange;
import dev.penstock.http.server.Server;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies that are read with buffers of several sizes. */
class RequestBodyIT {
    private final BlockingQueue<Integer> read = new LinkedBlockingQueue<>();
    private Server server;

    @BeforeEach
    void start() {
        server =
                Server.builder()
                        .port(0)
                        .accessLog(false)
                        .maxBody(Long.MAX_VALUE)
                        .post("/{buffer}", this::sum)
                        .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void sum(Exchange exchange) throws IOException {
        CRC32C sum = new CRC32C();
        ByteBuffer buffer =
                ByteBuffer.allocateDirect(Integer.parseInt(exchange.pathParameter("buffer")));
        ReadableByteChannel body = exchange.requestBody();
        while (body.read(buffer.clear()) >= 0) {
            read.add(buffer.position());
            sum.update(buffer.flip());
        }
        exchange.respond(200, "text/plain", Long.toString(sum.getValue()));
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.port());
    }

    private static OutputStream head(Socket socket, int buffer, long length) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(
                "POST /%d HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                        .formatted(buffer, length)
                        .getBytes(StandardCharsets.US_ASCII));
        return out;
    }

    @ParameterizedTest
    @CsvSource({
        "1000, 3000000",
        "65535, 3000000",
        "65536, 1",
        "65536, 65535",
        "65536, 65536",
        "65536, 65537",
        "65536, 5000001",
        "131072, 131071",
        "131072, 131072",
        "131072, 131073",
        "131072, 20000000",
        "1000000, 20000000"
    })
    void read_anyBuffer_givesEveryByteOnce(int buffer, int length) throws Exception {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        try (Socket socket = connect()) {
            head(socket, buffer, length).write(bytes);
            String response =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(response).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n" + sum.getValue());
        }
        assertThat(read).allMatch(count -> count <= 136 * 1024);
    }

    /** A reader with a large buffer must not wait for more than the client sends. */
    @Test
    void read_littleAtATime_givesWhatIsThere() throws Exception {
        try (Socket socket = connect()) {
            OutputStream out = head(socket, 128 * 1024, 10_003);
            int sent = 0;
            for (int size : new int[] {1, 2, 2000, 8000}) {
                out.write(new byte[size]);
                sent += size;
                int all = 0;
                while (all < size) {
                    Integer count = read.poll(60, TimeUnit.SECONDS);
                    assertThat(count).as("after %d bytes", sent).isNotNull();
                    all += count;
                }
                assertThat(all).isEqualTo(size);
            }
            assertThat(
                            new String(
                                    socket.getInputStream().readAllBytes(),
                                    StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200 ");
        }
    }
}
