package dev.penstock.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WebSocketDecoderTest {
    private int room = 10;
    private int taken;
    private final WebSocketDecoder decoder =
            new WebSocketDecoder(1000, false, () -> taken < room, this::take);
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final ChannelHandlerContext context = channel.pipeline().firstContext();

    private void take(WebSocketFrame frame) {
        frame.release();
        taken++;
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void read(int frames) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < frames; i++) {
            bytes.writeBytes(RawWebSocket.frame(0x81, new byte[] {'a'}));
        }
        decoder.take(context, Unpooled.wrappedBuffer(bytes.toByteArray()));
    }

    @Test
    void frames_moreThanAreWanted_stayAsTheyCame() throws Exception {
        read(5000);
        assertThat(taken).isEqualTo(10);
        decoder.goOn(context);
        assertThat(taken).isEqualTo(10);
        room = 4999;
        decoder.goOn(context);
        assertThat(taken).isEqualTo(4999);
        room = 6000;
        decoder.goOn(context);
        assertThat(taken).isEqualTo(5000);
        read(1);
        assertThat(taken).isEqualTo(5001);
    }

    @Test
    void part_ofAFrame_isHeard() throws Exception {
        assertThat(decoder.heard()).isFalse();
        decoder.take(context, Unpooled.wrappedBuffer(new byte[] {(byte) 0x81}));
        assertThat(decoder.heard()).isTrue();
        assertThat(decoder.heard()).isFalse();
        assertThat(taken).isZero();
        decoder.take(context, Unpooled.wrappedBuffer(new byte[] {(byte) 0x81, 0, 0, 0, 0, 'x'}));
        assertThat(taken).isEqualTo(1);
    }

    @Test
    void rest_thatIsNotWanted_isReleased() throws Exception {
        room = 0;
        var bytes = Unpooled.wrappedBuffer(RawWebSocket.frame(0x81, new byte[900]));
        decoder.take(context, bytes);
        decoder.release();
        assertThat(bytes.refCnt()).isZero();
        decoder.goOn(context);
        assertThat(taken).isZero();
    }
}
