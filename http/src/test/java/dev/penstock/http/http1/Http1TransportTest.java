package dev.penstock.http.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.limits.Clients;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of what a response takes from the memory for buffers, and gives back. */
final class Http1TransportTest {
    /** An allocator with memory for so many buffers, and then none for one. */
    private static final class Scarce extends AbstractByteBufAllocator {
        private final List<ByteBuf> given = new ArrayList<>();
        private int left;

        Scarce(int left) {
            super(true);
            this.left = left;
        }

        @Override
        protected ByteBuf newHeapBuffer(int first, int most) {
            return newDirectBuffer(first, most);
        }

        @Override
        protected ByteBuf newDirectBuffer(int first, int most) {
            if (left-- == 0) {
                throw new OutOfMemoryError("of a test");
            }
            ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.directBuffer(first, most);
            given.add(buffer);
            return buffer;
        }

        @Override
        public boolean isDirectBufferPooled() {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/small", "/large", "/parts"})
    void buffers_whenThereIsNoMemoryForOne_areAllGivenBack(String path) {
        for (String accept : List.of("gzip", "identity")) {
            int enough = 0;
            while (!answered(path, accept, enough)) {
                enough++;
            }
            assertThat(enough).as(path).isPositive();
        }
    }

    /** Returns whether there was enough. */
    private static boolean answered(String path, String accept, int enough) {
        try (Server server =
                Server.builder()
                        .accessLog(false)
                        .get("/small", respond(100))
                        .get("/large", respond(50_000))
                        .get("/parts", Handler.nonBlocking(Http1TransportTest::parts))
                        .startInContainer()) {
            Clients.Connection client =
                    ServerFixture.context(server)
                            .clients()
                            .connected(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
            Scarce memory = new Scarce(enough);
            EmbeddedChannel channel = new EmbeddedChannel();
            channel.config().setAllocator(memory);
            channel.pipeline()
                    .addLast(
                            new Http1Connection(
                                    ServerFixture.context(server), client, ProtocolPolicy.BOTH));
            channel.pipeline().fireChannelActive();
            String request =
                    "GET %s HTTP/1.1\r\nHost: x\r\nAccept-Encoding: %s\r\n\r\n"
                            .formatted(path, accept);
            channel.writeInbound(Unpooled.wrappedBuffer(request.getBytes(US_ASCII)));
            channel.finishAndReleaseAll();
            assertThat(memory.given)
                    .as("%s with memory for %d", path, enough)
                    .allMatch(buffer -> buffer.refCnt() == 0);
            return memory.left >= 0;
        }
    }

    private static Handler respond(int bytes) {
        return Handler.nonBlocking(
                x -> x.respond(200, "text/plain", "some text ".repeat(bytes / 10)));
    }

    private static void parts(Exchange exchange) throws Exception {
        ResponseBody body = exchange.body("text/plain");
        for (int i = 0; i < 5; i++) {
            body.write(ByteBuffer.wrap(new byte[2_000]));
            body.flush();
        }
    }
}
