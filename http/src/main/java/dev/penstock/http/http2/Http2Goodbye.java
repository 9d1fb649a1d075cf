package dev.penstock.http.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;

/** The whole of what is said on a connection of HTTP/2 that is refused: settings, and that it is over. */
public final class Http2Goodbye {
    private static final int GOAWAY_BYTES = 8;

    private Http2Goodbye() {}

    /**
     * Returns an empty {@code SETTINGS} frame, with which a server has to begin (RFC 9113, section 3.4), and a {@code
     * GOAWAY}.
     *
     * @param detail in ASCII
     */
    public static ByteBuf frames(ByteBufAllocator allocator, Http2Error error, String detail) {
        ByteBuf frames = allocator.buffer(2 * Http2Handler.FRAME + GOAWAY_BYTES + detail.length());
        head(frames, 0, Http2FrameTypes.SETTINGS);
        head(frames, GOAWAY_BYTES + detail.length(), Http2FrameTypes.GO_AWAY);
        frames.writeInt(0).writeInt((int) error.code());
        ByteBufUtil.writeAscii(frames, detail);
        return frames;
    }

    private static void head(ByteBuf frames, int bytes, byte type) {
        frames.writeMedium(bytes).writeByte(type).writeByte(0);
        frames.writeInt(Http2CodecUtil.CONNECTION_STREAM_ID);
    }
}
