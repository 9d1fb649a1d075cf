package dev.penstock.http.response;

import dev.penstock.http.ResponseBody;
import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.message.Status;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A response on its way from a handler to its {@link ResponseTransport}. Until the first full buffer or flush all of it
 * is held, head included, so that a failure can still become an error response. The end is held back until the handler
 * has returned: a body closed by try-with-resources on the way of an exception is no clean end. For the handler's
 * thread only.
 */
public final class Response implements ResponseBody {
    /** Payload of one full buffer; with the transport's framing it fills 32 KiB. */
    public static final int FULL = 32 * 1024 - 32;

    /** Bytes of payload that the first buffer has room for; what is no more is cheap to hold. */
    public static final int FIRST = 1536;

    private static final int LEAST_TO_COMPRESS = 1024;

    /** A writer gives way to others after so many bytes, so that it can't keep a core from short requests. */
    private static final int TURN = 16 * 1024;

    /** How long it only yields to those that wait at the same carrier. */
    private static final long TURN_NANOS = 2_000_000;

    private final ResponseTransport transport;
    private final boolean head;
    private final Supplier<List<String>> acceptEncoding;
    private final ResponseHeaders fields = new ResponseHeaders();

    private boolean compression;
    private int status = 200;
    private boolean started;
    private boolean closed;
    private boolean committed;
    private boolean complete;
    private boolean broken;
    private long knownLength = -1;
    private long written;
    private int turn;
    private long turnStart;
    private @Nullable ByteBuf buffer;
    private ResponseTransport.@Nullable Head pendingHead;
    private @Nullable Gzip gzip;

    /**
     * @param head whether the request's method is HEAD
     * @param compression whether the server compresses at all
     * @param acceptEncoding what the request says of it
     */
    public Response(
            ResponseTransport transport,
            boolean head,
            boolean compression,
            Supplier<List<String>> acceptEncoding) {
        this.transport = transport;
        this.head = head;
        this.compression = compression;
        this.acceptEncoding = acceptEncoding;
    }

    public void status(int status) {
        checkUncommitted("its status");
        this.status = Status.check(status);
    }

    public void header(String name, String value) {
        checkUncommitted("header " + name);
        if (name.equalsIgnoreCase("content-length")) {
            knownLength = length(value);
        } else {
            fields.set(name, value);
        }
    }

    private static long length(String value) {
        try {
            long length = Long.parseLong(value);
            if (length >= 0) {
                return length;
            }
        } catch (NumberFormatException _) {
            // Said below.
        }
        throw new IllegalArgumentException("Content-Length must be a whole number of bytes");
    }

    private void checkUncommitted(String what) {
        if (committed) {
            throw new IllegalStateException(
                    "The head of the response has been sent: too late for " + what);
        }
    }

    public int status() {
        return status;
    }

    public ResponseTransport transport() {
        return transport;
    }

    public boolean committed() {
        return committed;
    }

    /** Whether the client was found to have gone while it was written to. */
    public boolean isBroken() {
        return broken;
    }

    /** Whether nothing more can follow: the end has been sent, or no body may follow the head that was. */
    public boolean isComplete() {
        return complete && !broken;
    }

    public ResponseBody start(String mediaType) {
        if (started) {
            throw new IllegalStateException("The response has a body already");
        }
        fields.set("Content-Type", mediaType);
        started = true;
        return this;
    }

    public void whole(int status, String mediaType, byte[] body) throws IOException {
        status(status);
        start(mediaType);
        knownLength = body.length;
        if (body.length > 0 && body.length < FULL) {
            checkWhole();
            written = body.length;
            buffer(body.length).writeBytes(body);
        } else {
            write(ByteBuffer.wrap(body));
        }
        close();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        checkWhole();
        int count = source.remaining();
        checkLength(count);
        written += count;
        hold(source);
        while (source.hasRemaining() && gzip != null) {
            int limit = source.limit();
            source.limit(Math.min(limit, source.position() + FULL));
            int step = source.remaining();
            gzip.write(source);
            source.limit(limit);
            giveWay(step);
        }
        return count;
    }

    private void checkWhole() throws IOException {
        if (broken) {
            throw new IOException("The response is broken: the client has gone");
        }
        if (complete) {
            throw new IOException("The response to HEAD is complete with its head");
        }
    }

    /** Refuses bytes beyond the length in the head: a client would take them for the response to its next request. */
    private void checkLength(int more) throws IOException {
        if (!head && gzip == null && knownLength >= 0 && more > knownLength - written) {
            throw new IOException(
                    "The handler wrote more than the %d bytes of its Content-Length"
                            .formatted(knownLength));
        }
    }

    /** Takes bytes as they are, until it turns out that they are to be compressed. */
    private void hold(ByteBuffer source) throws IOException {
        while (source.hasRemaining() && gzip == null) {
            if (complete) {
                source.position(source.limit());
            } else {
                fill(source);
            }
        }
    }

    private void fill(ByteBuffer source) throws IOException {
        ByteBuf target = buffer(source.remaining());
        int room = FULL - target.readableBytes();
        int count = Math.min(room, source.remaining());
        int limit = source.limit();
        source.limit(source.position() + count);
        target.writeBytes(source);
        source.limit(limit);
        if (count == room) {
            emit();
        }
    }

    private void compressed(byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer source = ByteBuffer.wrap(bytes, offset, length);
        while (source.hasRemaining()) {
            fill(source);
        }
    }

    private ByteBuf buffer(int wanted) {
        ByteBuf target = buffer;
        if (target == null) {
            target =
                    transport.allocate(committed ? FULL : Math.clamp(wanted, leastOfFirst(), FULL));
            buffer = target;
        } else if (target.hasArray() && target.readableBytes() <= FIRST) {
            int whole = target.readableBytes() + wanted;
            if (whole > FIRST) {
                ByteBuf small = target;
                target = transport.allocate(Math.clamp(whole, 2 * FIRST, FULL)).writeBytes(small);
                small.release();
                buffer = target;
            }
        }
        return target;
    }

    /** What is written first may be followed by more. */
    private int leastOfFirst() {
        return knownLength < 0 ? FIRST : (int) Math.min(knownLength, FIRST);
    }

    /** A buffer is full. */
    private void emit() throws IOException {
        if (!committed) {
            commit();
            if (gzip != null || complete) {
                return;
            }
        }
        send(false);
        giveWay(FULL);
    }

    /**
     * Virtual threads are not preempted; without this a writer whose client keeps up holds its core. Yielding lets
     * those run that wait at the same carrier; it takes them again before it looks for what was started elsewhere, as
     * requests are, so that now and then a writer must park.
     */
    @SuppressWarnings("ThreadPriorityCheck")
    private void giveWay(int bytes) {
        turn += bytes;
        if (turn < TURN) {
            return;
        }
        turn = 0;
        long now = System.nanoTime();
        if (turnStart == 0) {
            turnStart = now;
        }
        if (now - turnStart > TURN_NANOS && Thread.currentThread().isVirtual()) {
            LockSupport.parkNanos(1);
            turnStart = System.nanoTime();
        } else {
            Thread.yield();
        }
    }

    private void send(boolean last) throws IOException {
        if (!last) {
            fit();
        }
        ByteBuf payload = buffer;
        ResponseTransport.Head first = pendingHead;
        buffer = null;
        pendingHead = null;
        try {
            transport.send(first, payload, last);
            complete = last;
        } catch (IOException gone) {
            broken = true;
            throw gone;
        }
    }

    /** What is flushed may be little, and many of those on their way at once: each must not hold a full buffer. */
    private void fit() {
        ByteBuf held = buffer;
        if (held != null && held.capacity() >= FULL && held.readableBytes() < FULL / 2) {
            buffer = transport.allocate(held.readableBytes()).writeBytes(held);
            held.release();
        }
    }

    @Override
    public void flush() throws IOException {
        if (closed) {
            return;
        }
        checkWhole();
        if (!committed) {
            commit();
        }
        if (complete) {
            return;
        }
        if (gzip != null) {
            gzip.flush();
        }
        if (buffer != null || pendingHead != null) {
            send(false);
        }
    }

    @Override
    public boolean isOpen() {
        return !closed && !broken;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** The body goes on beyond what is held: decides what its head says. */
    private void commit() throws IOException {
        ByteBuf held = buffer;
        boolean compress = mayCompress() && ContentCoding.acceptsGzip(acceptEncoding.get());
        if (compress) {
            markCompressed();
        }
        boolean bodiless = head || Status.forbidsBody(status);
        pendingHead =
                new ResponseTransport.Head(status, fields, compress ? -1 : knownLength, bodiless);
        committed = true;
        if (bodiless) {
            release();
            send(true);
        } else if (compress) {
            gzip = new Gzip(this::compressed);
            buffer = null;
            if (held != null) {
                try {
                    gzip.write(held.nioBuffer());
                } finally {
                    held.release();
                }
            }
        }
    }

    /** Whether compression is a matter of what the client accepts; then caches must know. */
    private boolean mayCompress() {
        String type = fields.get("Content-Type");
        boolean may =
                compression
                        && type != null
                        && ContentCoding.compressible(type)
                        && fields.get("Content-Encoding") == null
                        && status != 206
                        && !Status.forbidsBody(status);
        if (may) {
            fields.append("Vary", "Accept-Encoding");
        }
        return may;
    }

    private void markCompressed() {
        fields.set("Content-Encoding", "gzip");
        String tag = fields.get("ETag");
        if (tag != null && !tag.startsWith("W/")) {
            fields.set("ETag", "W/" + tag);
        }
    }

    /**
     * The handler has returned, and another goes on later: sends what was written. What starts to leave now is not
     * compressed, since a compressor holds more than all else.
     */
    public void rest() throws IOException {
        if (complete || broken) {
            return;
        }
        if (gzip != null) {
            gzip.flush();
        }
        if (!committed && buffer != null) {
            compression = false;
            commit();
        }
        if (buffer != null || pendingHead != null) {
            send(false);
        }
    }

    /** The handler has returned: sends what is left, and the end. */
    public void complete() throws IOException {
        closed = true;
        if (complete) {
            return;
        }
        if (broken || (committed && isShort())) {
            breakOff();
            return;
        }
        if (!committed) {
            completeWhole();
        } else if (gzip != null) {
            gzip.finish();
            send(true);
        } else {
            send(true);
        }
    }

    /** Whether fewer or more bytes were written than the head promised. */
    private boolean isShort() {
        return gzip == null && knownLength >= 0 && knownLength != written;
    }

    private void completeWhole() throws IOException {
        if (!head && isShort()) {
            throw new IOException(
                    "The handler wrote %d bytes of a body with Content-Length %d"
                            .formatted(written, knownLength));
        }
        int held = buffer == null ? 0 : buffer.readableBytes();
        boolean compress =
                Math.max(held, knownLength) >= LEAST_TO_COMPRESS
                        && mayCompress()
                        && ContentCoding.acceptsGzip(acceptEncoding.get());
        if (compress && held >= LEAST_TO_COMPRESS) {
            compressWhole();
        }
        boolean bodiless = head || Status.forbidsBody(status);
        long length = buffer == null ? 0 : buffer.readableBytes();
        if (head && knownLength > length && gzip == null) {
            // What GET would send, which nobody has compressed, has a length that isn't known (RFC
            // 9110, section 8.6).
            length = compress ? -1 : knownLength;
            if (compress) {
                markCompressed();
            }
        }
        if (bodiless) {
            release();
        }
        pendingHead = new ResponseTransport.Head(status, fields, length, bodiless);
        committed = true;
        send(true);
    }

    private void compressWhole() throws IOException {
        ByteBuf raw = buffer;
        if (raw == null) {
            return;
        }
        int bound = raw.readableBytes();
        ByteBuf small = transport.allocate(FULL);
        boolean fits = false;
        try {
            Gzip whole =
                    new Gzip((bytes, offset, length) -> {
                        if (small.readableBytes() + length <= bound) {
                            small.writeBytes(bytes, offset, length);
                        } else {
                            throw new Incompressible();
                        }
                    });
            whole.write(raw.nioBuffer());
            whole.finish();
            fits = true;
            gzip = whole;
        } catch (Incompressible _) {
            // Goes out as it is.
        } finally {
            (fits ? raw : small).release();
        }
        if (fits) {
            buffer = small;
            markCompressed();
        }
    }

    /**
     * Answers with a problem instead, if the head has not been sent.
     *
     * @return false if it is too late
     */
    public boolean replace(Problem problem) throws IOException {
        if (committed) {
            return false;
        }
        release();
        fields.clear();
        status = problem.status();
        // A browser gets a page for it, others a problem document.
        fields.set("Vary", "Accept");
        problem.headers().forEach(fields::set);
        started = false;
        closed = false;
        written = 0;
        start(problem.mediaType());
        byte[] document = problem.bytes();
        knownLength = document.length;
        write(ByteBuffer.wrap(document));
        complete();
        return true;
    }

    public void breakOff() {
        broken = true;
        closed = true;
        release();
        transport.reset();
    }

    private void release() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
    }

    private static final class Incompressible extends IOException {
        private static final long serialVersionUID = 1L;
    }
}
