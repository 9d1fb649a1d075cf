package dev.penstock.http.http1;

import dev.penstock.http.exchange.Settings;
import dev.penstock.http.loop.ReadSizes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * The reading side of an HTTP/1 connection. While a request is answered, what a client pipelines behind it stays
 * undecoded, and when {@link #AHEAD} bytes of that are there, the socket is not read any more. Until then it is read
 * although nothing is expected, because only so does a client that leaves show. While a request waits without a thread,
 * and nothing has come behind it, there is no decoder at all. For the connection's event loop.
 */
final class Http1Input {
    /** How many bytes are read ahead of what can be decoded. */
    private static final int AHEAD = 16 * 1024;

    /** The same while the request waits, without a thread or in a queue: there may be thousands of those. */
    private static final int AHEAD_OF_WAIT = 1024;

    private final Http1Connection connection;
    private final Settings settings;

    /** The first handler of the pipeline, or null while the connection rests. */
    private @Nullable StrictDecoder decoder;

    private boolean ended;
    private boolean resumeQueued;

    Http1Input(Http1Connection connection, Settings settings) {
        this.connection = connection;
        this.settings = settings;
    }

    /** The connection is open; it may turn out to be one of HTTP/2. */
    void first(ChannelHandlerContext context) {
        var _ = decode(context, new StrictDecoder(settings, true));
    }

    /** Its wait is over: there is something to decode again. */
    private StrictDecoder awake(ChannelHandlerContext context) {
        StrictDecoder known = decoder;
        return known == null ? decode(context, new StrictDecoder(settings, false)) : known;
    }

    private StrictDecoder decode(ChannelHandlerContext context, StrictDecoder made) {
        decoder = made;
        context.pipeline().addBefore(context.name(), null, made);
        return made;
    }

    /** The connection is not HTTP/1's any more: gives what was read and not decoded to whoever comes next. */
    void handOver(ChannelHandlerContext context) {
        StrictDecoder known = decoder;
        if (known != null) {
            decoder = null;
            context.pipeline().remove(known);
        }
    }

    /** A request that has come as a whole waits: lets go of the decoder. */
    void rest(ChannelHandlerContext context) {
        StrictDecoder known = decoder;
        if (known != null && known.paused() && known.buffered() == 0) {
            handOver(context);
        }
    }

    /** Something has come while the connection rested: keeps it for the time when that is over. */
    void receivedAtRest(ChannelHandlerContext context, ByteBuf bytes) throws Exception {
        StrictDecoder known = awake(context);
        known.pause();
        known.take(context, bytes);
    }

    /** The client has closed its sending side; what was read may still have to be decoded. */
    void end() {
        ended = true;
    }

    boolean ended() {
        return ended;
    }

    private int buffered() {
        return decoder == null ? 0 : decoder.buffered();
    }

    /** Returns whether something has come that is not decoded yet. */
    boolean hasMore() {
        return buffered() > 0;
    }

    /** Returns whether nothing is decoded for now. */
    boolean paused() {
        return decoder == null || decoder.paused();
    }

    /** Decodes nothing further until it is resumed. */
    void pause() {
        if (decoder != null) {
            decoder.pause();
        }
    }

    /** From now on drops all that comes. */
    void discard(ChannelHandlerContext context) {
        awake(context).discard();
    }

    long discarded() {
        return decoder == null ? 0 : decoder.discarded();
    }

    /** Has the socket read once more, where that is wanted. */
    void readOn(ChannelHandlerContext context) {
        int ahead = connection.waits() ? AHEAD_OF_WAIT : AHEAD;
        boolean wanted = !paused() || buffered() < ahead;
        if (wanted && !ended && !connection.isClosed()) {
            ReadSizes.limit(context.channel(), paused() ? 0 : connection.bodyRoom());
            context.read();
        }
    }

    /** Goes on, first with what is there already. */
    void resume(ChannelHandlerContext context) {
        try {
            StrictDecoder known = awake(context);
            known.resume();
            if (known.buffered() > 0) {
                known.take(context, Unpooled.EMPTY_BUFFER);
            }
        } catch (Exception failure) {
            connection.exceptionCaught(context, failure);
        }
        if (ended) {
            connection.decodedAll(context);
        }
        connection.channelReadComplete(context);
    }

    /** Not from where the decoder may be at work: requests that are answered at once would nest. */
    void resumeSoon(ChannelHandlerContext context) {
        if (resumeQueued) {
            return;
        }
        if (hasMore()) {
            resumeQueued = true;
            context.executor().execute(() -> resumeQueued(context));
        } else {
            resume(context);
        }
    }

    /** Returns whether that is still to come: what is there may be a whole request, or the rest of one. */
    boolean resumesSoon() {
        return resumeQueued;
    }

    private void resumeQueued(ChannelHandlerContext context) {
        resumeQueued = false;
        if (connection.expectsInput()) {
            resume(context);
        }
    }
}
