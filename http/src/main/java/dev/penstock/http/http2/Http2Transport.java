package dev.penstock.http.http2;

import dev.penstock.http.disk.FileSlice;
import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.response.QueuedTransport;
import dev.penstock.http.response.Response;
import dev.penstock.http.response.Trailers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One response on a stream of HTTP/2. Netty's flow control holds what is written here until the client has room for it.
 */
final class Http2Transport extends QueuedTransport {
    /** A frame of a file fits into one record of TLS, and so does not cross into the next. */
    private static final int FILE_FRAME = 16 * 1024 - Http2Handler.FRAME;

    private final Http2Request request;
    private final Channel channel;

    /** Goes before the first frame. */
    private volatile @Nullable Http2Headers head;

    private volatile boolean committed;
    private volatile @Nullable Trailers trailers;

    Http2Transport(Http2Request request, Channel channel) {
        super(channel);
        this.request = request;
        this.channel = channel;
    }

    boolean committed() {
        return committed;
    }

    @Override
    public ByteBuf allocate(int bytes) {
        return channel.alloc().directBuffer(bytes, Math.max(bytes, Response.FULL));
    }

    @Override
    public void send(@Nullable Head first, @Nullable ByteBuf payload, boolean last)
            throws IOException {
        if (first != null) {
            head = request.encode(first);
            committed = true;
        }
        queue(payload, null, last);
    }

    @Override
    public boolean sendsFiles() {
        return true;
    }

    @Override
    public void sendFile(FileSlice file) throws IOException {
        sendCopy(file, FILE_FRAME);
    }

    @Override
    protected void restFailed(IOException failure) {
        request.fileFailed(failure);
    }

    @Override
    protected @Nullable ByteBuf frame(@Nullable ByteBuf payload, boolean last) {
        return payload;
    }

    @Override
    protected ChannelFuture write(ByteBuf frame, boolean last) {
        Trailers known = last ? trailers : null;
        if (known == null || known.fields().isEmpty()) {
            return writeParts(frame, last);
        }
        if (head != null || frame.isReadable()) {
            var _ = writeParts(frame, false);
        } else {
            frame.release();
        }
        return request.writeHead(Http2Head.trailers(known.fields()), true);
    }

    private ChannelFuture writeParts(ByteBuf frame, boolean last) {
        Http2Headers first = head;
        if (first == null) {
            return request.writeData(frame, last);
        }
        head = null;
        if (frame.isReadable()) {
            var _ = request.writeHead(first, false);
            return request.writeData(frame, last);
        }
        frame.release();
        return request.writeHead(first, last);
    }

    @Override
    protected boolean takesInterim() {
        return true;
    }

    @Override
    protected void writeInterim(int status, ResponseHeaders fields, Runnable whenLeft) {
        request.writeInterim(Http2Head.interim(status, fields), whenLeft);
    }

    @Override
    public void trailers(Trailers trailers) {
        this.trailers = trailers;
    }

    @Override
    protected void flush() {
        request.flush();
    }

    @Override
    protected void took(long bytes) {
        // What the client has room for is counted where it is written to the socket.
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
