package dev.penstock.http.http1;

import dev.penstock.http.exchange.MalformedRequest;
import dev.penstock.http.exchange.Settings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests of what a client sends over HTTP/1: a {@link RequestHead} each, and the body, if there is one, behind
 * it. It can be paused between messages, so that a client that pipelines has no more than one request decoded at a
 * time; what it sent beyond stays as bytes.
 */
final class StrictDecoder extends ByteToMessageDecoder {
    private static final int LARGEST_CONTENT = 32 * 1024;

    private final Settings settings;
    private final HeadReader heads;

    /** What is still to come of a body whose length is known. */
    private long rest;

    /** The body that is being read, where it comes in chunks. */
    private @Nullable ChunkedBody chunks;

    private boolean paused;
    private boolean discarding;
    private long discarded;

    /**
     * @param first whether what comes first may be the preface of HTTP/2
     */
    StrictDecoder(Settings settings, boolean first) {
        this.settings = settings;
        this.heads = new HeadReader(settings, first);
    }

    /** A message that is fired instead of a request when the client speaks another protocol. */
    enum Preface {
        /** The first line of its preface is there (RFC 9113, section 3.4), which is still to be read. */
        HTTP_2
    }

    /** Decodes nothing further until {@link #resume}. */
    void pause() {
        paused = true;
    }

    boolean paused() {
        return paused;
    }

    /** Decodes on, when something comes, or is given to it by {@link #take}. */
    void resume() {
        paused = false;
    }

    /** Takes bytes as if they had just been read. */
    void take(ChannelHandlerContext connection, ByteBuf bytes) throws Exception {
        ChannelHandlerContext own = connection.pipeline().context(this);
        if (own != null) {
            channelRead(own, bytes);
        } else {
            bytes.release();
        }
    }

    /** From now on drops all that comes. */
    void discard() {
        discarding = true;
        paused = false;
    }

    /** How many bytes were dropped. */
    long discarded() {
        return discarded;
    }

    /** How many bytes have come that are not decoded yet. */
    int buffered() {
        return actualReadableBytes();
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (discarding) {
            discarded += in.readableBytes();
            in.skipBytes(in.readableBytes());
        } else if (paused) {
            return;
        } else if (chunks != null) {
            decodeChunks(chunks, in, out);
        } else if (rest > 0) {
            decodeRest(in, out);
        } else {
            decodeHead(context, in, out);
        }
    }

    private void decodeHead(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        RequestHead head = heads.read(in);
        if (heads.hasFoundPreface()) {
            paused = true;
            context.fireUserEventTriggered(Preface.HTTP_2);
        } else if (head != null) {
            rest = Math.max(0, head.contentLength());
            if (head.contentLength() < 0) {
                chunks =
                        new ChunkedBody(
                                settings.maxBodyBytes(),
                                LARGEST_CONTENT,
                                settings.maxHeaders(),
                                settings.maxHeaderBytes());
            }
            out.add(head);
        }
    }

    private void decodeRest(ByteBuf in, List<Object> out) {
        int count = (int) Math.min(rest, Math.min(in.readableBytes(), LARGEST_CONTENT));
        if (count > 0) {
            rest -= count;
            ByteBuf part = in.readRetainedSlice(count);
            out.add(rest == 0 ? new DefaultLastHttpContent(part) : new DefaultHttpContent(part));
        }
    }

    private void decodeChunks(ChunkedBody body, ByteBuf in, List<Object> out) {
        try {
            HttpContent content = body.next(in);
            if (content != null) {
                out.add(content);
            }
            if (content instanceof LastHttpContent) {
                chunks = null;
            }
        } catch (MalformedRequest fault) {
            discarding = true;
            discarded += in.readableBytes();
            in.skipBytes(in.readableBytes());
            HttpContent broken = new DefaultHttpContent(Unpooled.EMPTY_BUFFER);
            broken.setDecoderResult(DecoderResult.failure(fault));
            out.add(broken);
        }
    }

    /** Unlike the base class, never asks for more on its own: paused, it would read a whole body into memory. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        discardSomeReadBytes();
        context.fireChannelReadComplete();
    }

    /** A client that sends no more may still wait for responses to what it sent: keeps those bytes. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent
                || event instanceof ChannelInputShutdownReadComplete) {
            context.fireUserEventTriggered(event);
        } else {
            super.userEventTriggered(context, event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        discarding = true;
        super.channelInactive(context);
    }

    /** A failure for bytes of another protocol: an answer of HTTP would make no sense there. */
    static final class NotHttp extends MalformedRequest {
        private static final long serialVersionUID = 1L;

        NotHttp() {
            super(400, "nothing of HTTP in its first line");
        }
    }
}
