package dev.penstock.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class OfferedMessageTest {
    @Test
    void frame_ofOneWindow_isCompressedOnce() throws Exception {
        OfferedMessage message = new OfferedMessage(Frames.BINARY, ByteBuffer.allocate(10_000));
        FirstFrame plain = message.frame(0);
        FirstFrame small = message.frame(9);
        FirstFrame large = message.frame(12);
        assertThat(plain.opcode()).isEqualTo(Frames.BINARY);
        assertThat(plain.payload().remaining()).isEqualTo(10_000);
        for (FirstFrame compressed : new FirstFrame[] {small, large}) {
            assertThat(compressed.opcode()).isEqualTo(Frames.BINARY | Frames.COMPRESSED);
            byte[] payload = new byte[compressed.payload().remaining()];
            compressed.payload().duplicate().get(payload);
            assertThat(DeflateClient.inflate(payload)).isEqualTo(new byte[10_000]);
        }
        assertThat(message.frame(0)).isSameAs(plain);
        assertThat(message.frame(9)).isSameAs(small);
        assertThat(message.frame(12)).isSameAs(large);
    }

    @Test
    void message_ofMoreThanOneFrame_isRefused() {
        ByteBuffer tooLong = ByteBuffer.allocate(32_001);
        assertThatThrownBy(() -> new OfferedMessage(Frames.BINARY, tooLong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "A message of 32001 bytes can't be offered, 32000 at most: send it from a thread");
    }
}
