package dev.penstock.http.http1;

import dev.penstock.http.disk.FileSlice;
import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.message.Syntax;
import dev.penstock.http.response.QueuedTransport;
import dev.penstock.http.response.Response;
import dev.penstock.http.response.Trailers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One response on an HTTP/1 connection. */
final class Http1Transport extends QueuedTransport {
    /** Before a payload: eight digits and CR LF. After it: CR LF, and the empty chunk that ends a body. */
    private static final int BEFORE = 10;

    private static final int AFTER = 7;

    /** Before the payload of a response that may be small: most heads, so that all of it is one buffer. */
    private static final int HEAD = 352;

    /** The room of one TLS record, so that it is encrypted without being copied once more. */
    private static final int RECORD = 16 * 1024;

    private static final byte[] END = Syntax.ascii("0\r\n\r\n");

    private final Http1Request request;
    private final Channel channel;

    // Written before the head is queued, if it is, and read after it was taken from there.
    private boolean chunked;
    private @Nullable Trailers trailers;
    private boolean committed;
    private boolean persistent;

    /** Bytes that the socket took. For the event loop, and for whoever is told that the response has ended. */
    private long sent;

    Http1Transport(Http1Request request, Channel channel) {
        super(channel);
        this.request = request;
        this.channel = channel;
    }

    /** Returns whether the connection can be used for another request afterwards. */
    boolean persistent() {
        return persistent;
    }

    boolean committed() {
        return committed;
    }

    /** Bytes that have left, framing included. */
    long sent() {
        return sent;
    }

    @Override
    public ByteBuf allocate(int bytes) {
        boolean small = !committed && bytes <= Response.FIRST;
        int before = small ? HEAD : BEFORE;
        int most = before + Math.max(bytes, Response.FULL) + AFTER;
        int first = before + bytes + AFTER;
        // A pool would make an arena's cache for each thread that asks, and handlers' threads ask
        // once.
        ByteBuf buffer =
                small && !channel.eventLoop().inEventLoop()
                        ? Unpooled.buffer(first, most)
                        : channel.alloc().directBuffer(first, most);
        return buffer.setIndex(before, before);
    }

    @Override
    public void send(@Nullable Head head, @Nullable ByteBuf payload, boolean last)
            throws IOException {
        ResponseHead first = head == null ? null : encode(head);
        Trailers known = last && chunked ? trailers : null;
        if (known == null) {
            send(first, payload, last);
            return;
        }
        if (first != null || payload != null) {
            send(first, payload, false);
        }
        queue(null, ResponseHead.end(known.fields()), true);
    }

    @Override
    protected boolean takesInterim() {
        return !request.http10();
    }

    @Override
    protected void writeInterim(int status, ResponseHeaders fields, Runnable whenLeft) {
        request.writeInterim(ResponseHead.interim(status, fields), whenLeft);
    }

    @Override
    public void trailers(Trailers trailers) {
        this.trailers = trailers;
    }

    private void send(@Nullable ResponseHead first, @Nullable ByteBuf payload, boolean last)
            throws IOException {
        ByteBuf frame = frame(payload, last);
        if (first == null) {
            queue(null, frame, last);
        } else if (frame == null || frame.readerIndex() < first.length()) {
            queue(first.toBuffer(), frame, last);
        } else {
            queue(null, first.prependTo(frame), last);
        }
    }

    @Override
    public boolean sendsFiles() {
        return true;
    }

    @Override
    public void sendFile(FileSlice file) throws IOException {
        if (request.isSecure()) {
            sendCopy(file, RECORD);
        } else {
            sendRest(new FilePart(file, channel, this));
        }
    }

    @Override
    protected void restFailed(IOException failure) {
        request.fileFailed(failure);
        request.writeFailed();
    }

    /** All of the file has left. On the event loop. */
    void fileSent() {
        restSent();
    }

    /** The file can't be read, or has become shorter; the write fails next. On the event loop. */
    void fileFailed(IOException failure) {
        request.fileFailed(failure);
    }

    private ResponseHead encode(Head head) {
        chunked = head.length() < 0 && !head.bodiless() && !request.http10();
        persistent =
                request.mayPersist()
                        && !"close".equalsIgnoreCase(head.fields().get("Connection"))
                        && (chunked || head.length() >= 0 || head.bodiless());
        committed = true;
        return request.encode(head, persistent);
    }

    /** Adds the chunk's size and end around the payload. */
    @Override
    protected @Nullable ByteBuf frame(@Nullable ByteBuf payload, boolean last) {
        if (!chunked) {
            return payload;
        }
        ByteBuf frame = payload == null && last ? allocate(0) : payload;
        if (frame == null) {
            return null;
        }
        int size = frame.readableBytes();
        if (size > 0) {
            int start = frame.readerIndex();
            frame.setByte(--start, '\n').setByte(--start, '\r');
            for (int rest = size; rest > 0; rest >>>= 4) {
                frame.setByte(--start, Character.forDigit(rest & 0xf, 16));
            }
            frame.readerIndex(start);
            frame.writeByte('\r').writeByte('\n');
        }
        return last ? frame.writeBytes(END) : frame;
    }

    @Override
    protected ChannelFuture write(ByteBuf frame, boolean last) {
        return channel.write(frame);
    }

    @Override
    protected void flush() {
        channel.flush();
    }

    @Override
    protected void took(long bytes) {
        sent += bytes;
    }

    @Override
    protected void sentAll() {
        request.responseSent();
    }

    @Override
    protected void writeFailed() {
        request.writeFailed();
    }

    @Override
    public void reset() {
        request.reset();
    }
}
