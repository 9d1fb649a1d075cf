package dev.penstock.http.websocket;

import dev.penstock.http.upgrade.Tunnel;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a client's latest ping, until it can be written. An earlier one that could not be is left out, as RFC
 * 6455, section 5.5.3, allows: a client that pings and does not read is owed one answer, not many. On the event loop.
 */
final class PendingPong {
    private @Nullable ByteBuf frame;

    /** Answers a ping, now or when there is room. */
    void answer(ByteBuf payload, Tunnel tunnel) {
        drop();
        frame = Frames.control(Frames.PONG, payload.nioBuffer());
        write(tunnel);
    }

    /** Writes it, if there is one, and room for it. */
    void write(Tunnel tunnel) {
        ByteBuf known = frame;
        if (known != null && tunnel.isWritable()) {
            frame = null;
            tunnel.write(known);
        }
    }

    void drop() {
        if (frame != null) {
            frame.release();
            frame = null;
        }
    }
}
