package dev.penstock.http.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.disk.FileSlice;
import dev.penstock.http.disk.Residency;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of what a response gives to its transport. */
final class ResponseTest {
    /** A transport that hands on what it is given. */
    private record To(Consumer<ByteBuf> target) implements ResponseTransport {
        @Override
        public ByteBuf allocate(int bytes) {
            return Unpooled.buffer(bytes, Math.max(bytes, Response.FULL));
        }

        @Override
        public void send(@Nullable Head head, @Nullable ByteBuf payload, boolean last) {
            target.accept(payload == null ? Unpooled.EMPTY_BUFFER : payload);
        }

        @Override
        public boolean offer(ByteBuf payload, int budget) {
            payload.release();
            return false;
        }

        @Override
        public void onRoom(Runnable action) {}

        @Override
        public void reset() {}
    }

    @Test
    void flushes_ofLittle_holdLittleUntilTheyHaveLeft() throws Exception {
        List<ByteBuf> sent = new ArrayList<>();
        Response response = new Response(new To(sent::add), false, null, List::of, _ -> {});
        response.start("text/plain");
        for (int size : new int[] {1, 1, 1, 1000, 1, 10_000, 1}) {
            response.write(ByteBuffer.wrap(new byte[size]));
            response.flush();
            assertThat(sent.getLast().readableBytes()).isEqualTo(size);
        }
        response.complete();
        int held = sent.stream().mapToInt(ByteBuf::capacity).sum();
        assertThat(held).isLessThan(11_005 + Response.FIRST);
        sent.forEach(ByteBuf::release);
    }

    /** Or else a client would take the rest for the response to its next request. */
    @Test
    void bytes_beyondTheLengthInTheHead_areRefusedAndNotSent() throws Exception {
        List<ByteBuf> sent = new ArrayList<>();
        Response response = new Response(new To(sent::add), false, null, List::of, _ -> {});
        response.header("Content-Length", "10");
        response.start("text/plain").write(ByteBuffer.wrap(new byte[6]));
        response.flush();
        assertThatThrownBy(() -> response.write(ByteBuffer.wrap(new byte[5])))
                .hasMessage("The handler wrote more than the 10 bytes of its Content-Length");
        response.write(ByteBuffer.wrap(new byte[4]));
        response.complete();
        assertThat(response.isComplete()).isTrue();
        assertThat(sent.stream().mapToInt(ByteBuf::readableBytes).sum()).isEqualTo(10);
        sent.forEach(ByteBuf::release);
    }

    @Test
    void file_copiedByAnInterruptedHandler_staysOpenForOthers(@TempDir Path directory)
            throws Exception {
        byte[] content = new byte[100_000];
        new Random(1).nextBytes(content);
        ByteBuf sent = Unpooled.buffer();
        Response response =
                new Response(
                        new To(part -> {
                            sent.writeBytes(part);
                            part.release();
                        }),
                        false,
                        null,
                        List::of,
                        _ -> {});
        response.header("Content-Length", Integer.toString(content.length));
        response.start("application/x");
        try (FileChannel file =
                FileChannel.open(Files.write(directory.resolve("shared"), content))) {
            FileSlice slice =
                    new FileSlice(file, Residency.UNKNOWN, true, 0, content.length, () -> {});
            FutureTask<Boolean> copy =
                    new FutureTask<>(() -> {
                        Thread.currentThread().interrupt();
                        response.transferLast(slice);
                        response.complete();
                        return Thread.interrupted();
                    });
            Thread.ofVirtual().start(copy).join();
            assertThat(copy.get()).as("still interrupted").isTrue();
            assertThat(file.isOpen()).isTrue();
        }
        assertThat(ByteBufUtil.getBytes(sent)).isEqualTo(content);
        sent.release();
    }

    @Test
    void end_thatCantBeSent_isNoEnd() throws Exception {
        ResponseTransport full =
                new To(payload -> {
                    payload.release();
                    throw new IllegalStateException("no room");
                });
        Response response = new Response(full, false, null, List::of, _ -> {});
        response.start("text/plain").write(ByteBuffer.wrap(new byte[100]));
        assertThatThrownBy(response::complete).hasMessage("no room");
        // Or else whoever answers for the failure would leave the client waiting.
        assertThat(response.isComplete()).isFalse();
    }
}
