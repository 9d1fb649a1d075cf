package dev.penstock.http.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2EventAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FrameGuardTest {
    private final Http2EventAdapter listener = new Http2EventAdapter() {};
    private final FrameGuard guard =
            new FrameGuard(
                    new DefaultHttp2FrameReader(), new DefaultHttp2Connection(true), listener);
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final ByteBuf in = Unpooled.buffer();

    @AfterEach
    void close() {
        guard.close();
        channel.finishAndReleaseAll();
    }

    private void read(byte[] bytes, int from, int to) throws Exception {
        ChannelHandlerContext context = channel.pipeline().firstContext();
        in.writeBytes(bytes, from, to - from);
        guard.readFrame(context, in, listener);
    }

    /** A moment after the present one, for clocks whose steps are longer than a read. */
    private static long later() {
        long begun = System.nanoTime();
        long now = begun;
        while (now == begun) {
            now = System.nanoTime();
        }
        return now;
    }

    @Test
    void frame_thatBeganAfterAnotherWasWhole_isNotAsLate() throws Exception {
        byte[] ping = FrameClient.bytes(FrameClient.PING, 0, 0, new byte[8]);
        read(ping, 0, 12);
        long between = later();
        assertThat(guard.waitsLonger(0, between)).isTrue();
        read(ping, 12, ping.length);
        assertThat(guard.waitsLonger(0, System.nanoTime())).isFalse();
        read(ping, 0, 12);
        long later = System.nanoTime();
        byte[] restAndMore = new byte[ping.length];
        System.arraycopy(ping, 12, restAndMore, 0, ping.length - 12);
        System.arraycopy(ping, 0, restAndMore, ping.length - 12, 12);
        read(restAndMore, 0, restAndMore.length);
        assertThat(guard.waitsLonger(0, later)).as("since before it began").isFalse();
        assertThat(guard.waitsLonger(0, later())).isTrue();
    }

    @Test
    void header_block_isAsLateAsItsFirstFrame() throws Exception {
        byte[] first = FrameClient.bytes(FrameClient.HEADERS, 0, 1, new byte[] {(byte) 0x82});
        byte[] next = FrameClient.bytes(FrameClient.CONTINUATION, 0, 1, new byte[] {(byte) 0x86});
        read(first, 0, first.length);
        long between = later();
        read(next, 0, next.length);
        assertThat(guard.waitsLonger(0, between)).isTrue();
    }
}
