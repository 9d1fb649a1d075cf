package dev.penstock.http;

import io.netty.channel.ChannelHandlerContext;

/**
 * What an HTTP/1 connection reads, and how far. While a request is answered, what a client pipelines behind it stays
 * undecoded, and when {@link #AHEAD} bytes of that are there, the socket is not read any more. Until then it is read
 * although nothing is expected, because only so does a client that leaves show. For the connection's event loop.
 */
final class Http1Input {
    /** How many bytes are read ahead of what can be decoded. */
    private static final int AHEAD = 16 * 1024;

    /** The same while the request waits without a thread: there may be thousands of those. */
    private static final int AHEAD_OF_WAIT = 1024;

    private final Http1Connection connection;
    private final StrictDecoder decoder;
    private boolean ended;
    private boolean resumeQueued;

    Http1Input(Http1Connection connection, StrictDecoder decoder) {
        this.connection = connection;
        this.decoder = decoder;
    }

    /** The client has closed its sending side; what was read may still have to be decoded. */
    void end() {
        ended = true;
    }

    boolean ended() {
        return ended;
    }

    /** Whether something has come that is not decoded yet. */
    boolean hasMore() {
        return decoder.buffered() > 0;
    }

    /** Whether nothing is decoded for now. */
    boolean paused() {
        return decoder.paused();
    }

    /** Decodes nothing further until it is resumed. */
    void pause() {
        decoder.pause();
    }

    /** From now on drops all that comes. */
    void discard() {
        decoder.discard();
    }

    long discarded() {
        return decoder.discarded();
    }

    /** Has the socket read once more, where that is wanted. */
    void readOn(ChannelHandlerContext context) {
        int ahead = connection.waits() ? AHEAD_OF_WAIT : AHEAD;
        boolean wanted = !decoder.paused() || decoder.buffered() < ahead;
        if (wanted && !ended && !connection.isClosed()) {
            context.read();
        }
    }

    /** Goes on, first with what is there already. */
    void resume(ChannelHandlerContext context) {
        try {
            decoder.resume(context);
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

    private void resumeQueued(ChannelHandlerContext context) {
        resumeQueued = false;
        if (connection.expectsInput()) {
            resume(context);
        }
    }
}
