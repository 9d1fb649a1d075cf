package dev.penstock.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

final class WebSocketDecoderTest {
    private int room = 10;
    private int taken;
    private final WebSocketDecoder decoder = new WebSocketDecoder(1000, () -> taken < room);
    private final EmbeddedChannel channel =
            new EmbeddedChannel(
                    decoder,
                    new io.netty.channel.ChannelInboundHandlerAdapter() {
                        @Override
                        public void channelRead(
                                io.netty.channel.ChannelHandlerContext context, Object message) {
                            assertThat(message).isInstanceOf(WebSocketFrame.class);
                            ReferenceCountUtil.release(message);
                            taken++;
                        }
                    });

    private void read(int frames) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < frames; i++) {
            bytes.writeBytes(RawWebSocket.frame(0x81, new byte[] {'a'}));
        }
        channel.writeInbound(Unpooled.wrappedBuffer(bytes.toByteArray()));
    }

    @Test
    void frames_moreThanAreWanted_stayAsTheyCame() throws Exception {
        read(5000);
        assertThat(taken).isEqualTo(10);
        decoder.goOn();
        assertThat(taken).isEqualTo(10);
        room = 4999;
        decoder.goOn();
        assertThat(taken).isEqualTo(4999);
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        room = 6000;
        decoder.goOn();
        assertThat(taken).isEqualTo(5000);
        read(1);
        assertThat(taken).isEqualTo(5001);
        channel.finishAndReleaseAll();
    }

    @Test
    void part_ofAFrame_isHeard() {
        assertThat(decoder.heard()).isFalse();
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {(byte) 0x81}));
        assertThat(decoder.heard()).isTrue();
        assertThat(decoder.heard()).isFalse();
        assertThat(taken).isZero();
        channel.finishAndReleaseAll();
    }
}
