package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A response whose wire refuses what it is given. */
final class ResponseTest {
    private final Wire full =
            new Wire() {
                @Override
                public ByteBuf allocate(int bytes) {
                    return Unpooled.buffer(bytes, Response.FULL);
                }

                @Override
                public void send(@Nullable Head head, @Nullable ByteBuf payload, boolean last) {
                    if (payload != null) {
                        payload.release();
                    }
                    throw new IllegalStateException("no room");
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
            };

    @Test
    void end_thatCantBeSent_isNoEnd() throws Exception {
        Response response = new Response(full, false, false, List::of);
        response.start("text/plain").write(ByteBuffer.wrap(new byte[100]));
        assertThatThrownBy(response::complete).hasMessage("no room");
        // Or else whoever answers for the failure would leave the client waiting.
        assertThat(response.isComplete()).isFalse();
    }
}
