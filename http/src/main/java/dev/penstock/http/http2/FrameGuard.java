package dev.penstock.http.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Netty's reader of HTTP/2 frames behind a guard, for one connection and its event loop.
 *
 * <p>A frame that costs the server something and moves nothing costs its sender some of its credit, of which there are
 * {@link #MOST}; {@link #REFILL} a second come back, one for every {@link #BYTES} of bodies sent, and two for every
 * piece that a handler wrote, however small, so that a client may tell of both its windows for each. A client without
 * credit is told {@code ENHANCE_YOUR_CALM}. That is one bound for floods of every kind: resets (CVE-2023-44487), resets
 * that the server is made to send (CVE-2025-8671), settings, pings, priorities, windows of a few bytes, empty and
 * unknown frames. A header block has bounds of its own, as it is held until it is whole.
 *
 * <p>It also tells apart what comes too late from what is wrong: frames of a stream that this side has reset are under
 * way when the client learns of it, and are ignored; frames of a stream that has ended, or never was, break the
 * connection.
 */
public final class FrameGuard implements Http2FrameReader {
    static final int MOST = 1000;
    private static final double REFILL = 100;
    private static final double BYTES = 512;

    private static final int CHEAP = 1;
    private static final int DEAR = 5;
    private static final int HEADER = 9;
    private static final int MAX_FRAME = 16 * 1024;
    private static final int MOST_CONTINUATIONS = 32;
    private static final int MOST_PENDING = 512 * 1024;
    private static final int MOST_RESETS = 1024;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int PADDED = 8;
    private static final int ACK = 1;

    private final Http2FrameReader reader;
    private final Http2Connection connection;

    /** As many as there may be streams: all of them may be reset at once. There when one was. */
    private int @Nullable [] recentlyReset;

    /** Where the next goes. */
    private int resets;

    private double credit = MOST;
    private long creditNanos = System.nanoTime();

    private boolean inHeaders;
    private int continuations;

    /** Since when a header block or a small frame is not whole; 0 when none is. */
    private long incompleteNanos;

    /** The latest streams that can't be used because ones after them came first. */
    private int skippedFrom;

    private int skippedTo;
    private Http2FrameListener target;
    private Http2FrameListener guarded;

    FrameGuard(Http2FrameReader reader, Http2Connection connection, Http2FrameListener first) {
        this.reader = reader;
        this.connection = connection;
        target = first;
        guarded = new Late(first);
    }

    @Override
    public void readFrame(ChannelHandlerContext context, ByteBuf in, Http2FrameListener listener)
            throws Http2Exception {
        if (!listener.equals(target)) {
            target = listener;
            guarded = new Late(listener);
        }
        while (in.readableBytes() >= HEADER) {
            int length = in.getUnsignedMedium(in.readerIndex());
            if (length > MAX_FRAME) {
                // Fails there, with the right error.
                reader.readFrame(context, in, guarded);
                return;
            }
            if (in.readableBytes() < HEADER + length) {
                break;
            }
            ByteBuf frame = in.readSlice(HEADER + length);
            look(context, frame, length);
            reader.readFrame(context, frame, guarded);
            if (!inHeaders) {
                // If another is incomplete, it began after this one.
                incompleteNanos = 0;
            }
        }
        boolean data =
                in.readableBytes() >= HEADER
                        && in.getByte(in.readerIndex() + 3) == Http2FrameTypes.DATA;
        if (!inHeaders && (data || !in.isReadable())) {
            incompleteNanos = 0;
        } else if (incompleteNanos == 0) {
            incompleteNanos = System.nanoTime();
        }
    }

    /** Returns whether it is waited for the rest of a head, or of a small frame, for so long. */
    boolean waitsLonger(long nanos, long now) {
        return incompleteNanos != 0 && now - incompleteNanos > nanos;
    }

    private void look(ChannelHandlerContext context, ByteBuf frame, int length)
            throws Http2Exception {
        byte type = frame.getByte(3);
        int flags = frame.getByte(4);
        switch (type) {
            case Http2FrameTypes.DATA -> {
                if ((flags & END_STREAM) == 0 && isEmpty(frame, flags, length)) {
                    spend(DEAR);
                }
            }
            case Http2FrameTypes.HEADERS -> {
                inHeaders = (flags & END_HEADERS) == 0;
                continuations = 0;
            }
            case Http2FrameTypes.CONTINUATION -> {
                inHeaders = (flags & END_HEADERS) == 0;
                if (++continuations > MOST_CONTINUATIONS) {
                    throw new Flood("a head in more than " + MOST_CONTINUATIONS + " pieces");
                }
                spend(CHEAP);
            }
            case Http2FrameTypes.SETTINGS -> {
                if ((flags & ACK) == 0) {
                    spend(DEAR);
                }
            }
            case Http2FrameTypes.RST_STREAM -> spend(DEAR);
            default -> spend(CHEAP);
        }
        if (context.channel().bytesBeforeWritable() > MOST_PENDING) {
            throw new Flood("answers to its frames that it does not read");
        }
    }

    private static boolean isEmpty(ByteBuf frame, int flags, int length) {
        boolean padded = (flags & PADDED) != 0 && length > 0;
        return length - (padded ? 1 + frame.getUnsignedByte(HEADER) : 0) <= 0;
    }

    private void spend(int cost) throws Http2Exception {
        long now = System.nanoTime();
        double seconds = (now - creditNanos) / (double) TimeUnit.SECONDS.toNanos(1);
        creditNanos = now;
        credit = Math.min(MOST, credit + REFILL * seconds) - cost;
        if (credit < 0) {
            throw new Flood("too many frames that move nothing");
        }
    }

    /** The client had room for so many bytes of a body. */
    void sent(int bytes) {
        credit = Math.min(MOST, credit + bytes / BYTES);
    }

    /** A handler has written a piece of a body. In how few bytes at a time its client takes it is another matter. */
    void wrote() {
        credit = Math.min(MOST, credit + 2 * CHEAP);
    }

    /** The client made this side break a stream. */
    void broke(Http2Error error) throws Http2Exception {
        spend(error == Http2Error.REFUSED_STREAM ? CHEAP : DEAR);
    }

    /** This side has reset a stream. */
    void reset(int stream) {
        int[] known = recentlyReset;
        if (known == null) {
            known = new int[Math.min(MOST_RESETS, connection.remote().maxActiveStreams())];
            recentlyReset = known;
        }
        if (!wasReset(stream)) {
            known[resets] = stream;
            resets = (resets + 1) % known.length;
        }
    }

    /** The client has reset it, too, so nothing of it is under way any more. */
    private void forget(int id) {
        int[] known = recentlyReset;
        for (int i = 0; known != null && i < known.length; i++) {
            if (known[i] == id) {
                known[i] = 0;
            }
        }
    }

    private boolean wasReset(int id) {
        int[] known = recentlyReset;
        for (int i = 0; known != null && i < known.length; i++) {
            if (known[i] == id) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Configuration configuration() {
        return reader.configuration();
    }

    @Override
    public void close() {
        reader.close();
    }

    /** Lets through what does not come too late. */
    private final class Late extends Http2FrameListenerDecorator {
        Late(Http2FrameListener listener) {
            super(listener);
        }

        private boolean isIgnored(int id, @Nullable Http2Stream stream) {
            if (stream != null) {
                return stream.isResetSent();
            }
            boolean afterTheEnd =
                    connection.goAwaySent() && id > connection.remote().lastStreamKnownByPeer();
            return afterTheEnd || wasReset(id);
        }

        @Override
        public int onDataRead(
                ChannelHandlerContext context, int id, ByteBuf data, int padding, boolean last)
                throws Http2Exception {
            Http2Stream stream = connection.stream(id);
            if (isIgnored(id, stream)) {
                int bytes = data.readableBytes() + padding;
                var windows = connection.local().flowController();
                windows.receiveFlowControlledFrame(stream, data, padding, last);
                if (stream != null) {
                    var _ = windows.consumeBytes(stream, bytes);
                }
                return bytes;
            }
            return super.onDataRead(context, id, data, padding, last);
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext context,
                int id,
                Http2Headers headers,
                int padding,
                boolean last)
                throws Http2Exception {
            if (!isIgnored(id, connection.stream(id))) {
                check(id);
                super.onHeadersRead(context, id, headers, padding, last);
            }
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext context,
                int id,
                Http2Headers headers,
                int dependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean last)
                throws Http2Exception {
            if (!isIgnored(id, connection.stream(id))) {
                check(id);
                super.onHeadersRead(
                        context, id, headers, dependency, weight, exclusive, padding, last);
            }
        }

        @Override
        public void onRstStreamRead(ChannelHandlerContext context, int id, long error)
                throws Http2Exception {
            forget(id);
            super.onRstStreamRead(context, id, error);
        }

        /** What Netty would take for a fault of the stream, or not see (RFC 9113, section 5.1). */
        private void check(int id) throws Http2Exception {
            Http2Stream stream = connection.stream(id);
            int latest = connection.remote().lastStreamCreated();
            if (stream != null && stream.state() == Http2Stream.State.HALF_CLOSED_REMOTE) {
                throw Http2Exception.streamError(
                        id, Http2Error.STREAM_CLOSED, "Headers after the end of the request");
            }
            if (stream == null && id % 2 == 1 && id <= latest) {
                boolean skipped = id >= skippedFrom && id < skippedTo;
                throw Http2Exception.connectionError(
                        skipped ? Http2Error.PROTOCOL_ERROR : Http2Error.STREAM_CLOSED,
                        "Headers of a stream that has ended");
            }
            if (id > latest + 2) {
                skippedFrom = latest + 1;
                skippedTo = id;
            }
        }
    }

    /** A client that is to calm down, and why. */
    public static final class Flood extends Http2Exception {
        private static final long serialVersionUID = 1L;

        public Flood(String what) {
            super(Http2Error.ENHANCE_YOUR_CALM, what, ShutdownHint.HARD_SHUTDOWN);
        }
    }
}
