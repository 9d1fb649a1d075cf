package dev.penstock.http.http2;

import dev.penstock.http.limits.UnreadBodies;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.response.ResponseTransport;
import dev.penstock.http.upgrade.Tunnel;
import dev.penstock.http.upgrade.Upgrade;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A stream of HTTP/2 that a client has asked for by an extended CONNECT (RFC 8441). On the connection's event loop.
 *
 * <p>What comes goes to the protocol at once, and the client is told of room for more when that reads on: so at most
 * a window lies here, and counts as unread ({@link UnreadBodies}) like a body without a reader. So does what the
 * protocol holds.
 * The end of either side is {@code END_STREAM}, what would be a reset of a connection is {@code RST_STREAM} with {@code
 * CANCEL}.
 */
final class Http2Tunnel implements Tunnel {
    /** So many bytes may be written beside the transport before it counts as not writable. */
    private static final int MOST_BESIDE = 16 * 1024;

    /** So much of what nobody wants is dropped, until the client is told to stop. */
    private static final int MOST_DROPPED = 64 * 1024;

    private final Http2Session session;
    private final Http2Stream stream;

    /** What has come before the request was answered. */
    private final Queue<ByteBuf> early = new ArrayDeque<>(1);

    /** What has come, and for which the client was not given room again. */
    private final UnreadBodies.Share unread;

    /** What the protocol holds. */
    private final UnreadBodies.Share held;

    private @Nullable Upgrade protocol;
    private @Nullable ResponseTransport transport;

    /** Bytes that have come, and for which the client was not given room again. */
    private int owed;

    private int beside;
    private int dropped;
    private boolean inputEnded;
    private boolean outputEnded;
    private boolean over;

    Http2Tunnel(Http2Session session, Http2Stream stream, boolean inputEnded) {
        this.session = session;
        this.stream = stream;
        UnreadBodies all = session.server().unreadBodies();
        Long client = session.client().key();
        unread = all.new Share(client);
        held = all.new Share(client);
        this.inputEnded = inputEnded;
    }

    /** The protocol that it carries, if the request was answered with one. */
    @Nullable Upgrade protocol() {
        return protocol;
    }

    /** The head of the response was sent: from now on it is the protocol's. */
    void open(Upgrade opened, ResponseTransport responses) throws IOException {
        transport = responses;
        protocol = opened;
        opened.open(this);
        for (ByteBuf bytes = early.poll(); bytes != null; bytes = early.poll()) {
            opened.received(bytes);
        }
        opened.receivedAll();
        if (inputEnded) {
            opened.inputEnded();
        }
    }

    /** Takes what has come, by reference. */
    void received(ByteBuf bytes, boolean last) {
        int size = bytes.readableBytes();
        if (over) {
            drop(size);
        } else if (size > 0) {
            take(bytes, size);
        }
        if (last && !over) {
            inputEnded = true;
            if (protocol != null) {
                protocol.inputEnded();
            }
        }
    }

    private void take(ByteBuf bytes, int size) {
        if (!unread.set(owed + size)) {
            session.giveBack(stream, size);
            session.reset(stream, Http2Error.ENHANCE_YOUR_CALM);
            return;
        }
        owed += size;
        if (protocol == null) {
            early.add(bytes.retain());
        } else {
            protocol.received(bytes.retain());
            protocol.receivedAll();
        }
    }

    private void drop(int size) {
        dropped += size;
        session.giveBack(stream, size);
        if (dropped > MOST_DROPPED) {
            session.reset(stream, Http2Error.NO_ERROR);
        }
    }

    private void giveBack() {
        int bytes = owed;
        owed = 0;
        if (bytes > 0) {
            var _ = unread.set(0);
            session.giveBack(stream, bytes);
        }
    }

    /** It is no more, or nobody wants what still comes. */
    void end() {
        if (over) {
            return;
        }
        over = true;
        early.forEach(ByteBuf::release);
        early.clear();
        giveBack();
        if (protocol != null) {
            protocol.closed();
        }
        held.end();
    }

    @Override
    public ChannelHandlerContext context() {
        return session.handlerContext();
    }

    @Override
    public Loop loop() {
        return session.loop();
    }

    @Override
    public ResponseTransport transport() {
        return Objects.requireNonNull(transport, "open");
    }

    @Override
    public boolean isWritable() {
        return beside < MOST_BESIDE;
    }

    @Override
    public void write(ByteBuf bytes) {
        write(bytes, false);
    }

    @Override
    public void writeLast(ByteBuf bytes) {
        write(bytes, true);
    }

    private void write(ByteBuf bytes, boolean last) {
        if (over || outputEnded) {
            bytes.release();
            return;
        }
        outputEnded = last;
        int size = bytes.readableBytes();
        beside += size;
        session.writeData(stream, bytes, last)
                .addListener(_ -> {
                    beside -= size;
                    if (!over && protocol != null) {
                        protocol.writabilityChanged();
                    }
                });
        session.flush();
    }

    @Override
    public boolean holds(long bytes) {
        boolean room = held.set(bytes);
        if (!room) {
            session.reset(stream, Http2Error.ENHANCE_YOUR_CALM);
        }
        return room;
    }

    @Override
    public void read() {
        giveBack();
    }

    @Override
    public void endOutput() {
        write(Unpooled.EMPTY_BUFFER, true);
    }

    @Override
    public void close() {
        endOutput();
    }

    @Override
    public void abort() {
        session.reset(stream, Http2Error.CANCEL);
    }
}
