package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of the bytes that a client may send while the server does not read them. */
@Timeout(120)
@Tag("any-loops")
final class ReceiveBufferIT extends ServerFixture {
    private static final int BUFFER = 128 * 1024;
    private static final int BODY = 64 << 20;

    @Test
    void receiveBuffer_ofAServerThatDoesNotRead_boundsWhatAClientCanSend() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.receiveBuffer(BUFFER)
                                .maxBody(BODY)
                                .post(
                                        "/",
                                        x -> {
                                            done.await();
                                            x.respond(200, "text/plain", "");
                                        }));
        try (SocketChannel client = SocketChannel.open();
                Selector selector = Selector.open()) {
            client.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER);
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            String head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + BODY + "\r\n\r\n";
            client.write(ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)));
            client.configureBlocking(false);
            client.register(selector, SelectionKey.OP_WRITE);
            ByteBuffer piece = ByteBuffer.allocateDirect(64 * 1024);
            long sent = 0;
            // Two seconds without room for more.
            while (selector.select(2_000) > 0 && sent < BODY) {
                selector.selectedKeys().clear();
                sent += client.write(piece.clear());
            }
            // Both sockets' buffers, which the kernel may double, and what the server itself holds.
            assertThat(sent).isGreaterThan(BUFFER).isLessThan(6L * BUFFER);
        } finally {
            done.countDown();
        }
    }

    @Test
    void receiveBuffer_outOfBounds_isRefused() {
        assertThatThrownBy(() -> Server.builder().receiveBuffer(100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("receiveBuffer is 100; it must be from 4096 to");
    }
}
