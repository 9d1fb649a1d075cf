package dev.penstock.http.response;

import dev.penstock.http.ResponseBody;
import dev.penstock.http.disk.FileSlice;
import dev.penstock.http.disk.ReadAhead;
import dev.penstock.http.message.Status;
import io.netty.buffer.ByteBuf;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A response on its way from a handler to its {@link ResponseTransport}. Until the first full buffer or flush all of it
 * is held, head included, so that a failure can still become an error response. The end is held back until the handler
 * has returned: a body closed by try-with-resources on the way of an exception is no clean end. For the handler's
 * thread only.
 */
public final class Response extends BufferedResponse implements ResponseBody {
    private static final int LEAST_TO_COMPRESS = 1024;

    /** Up to here, a file is copied, and read as it comes. */
    private static final int SMALL_FILE = 16 * 1024;

    /** What is read at once of a file that is compressed. */
    private static final int STEP = 32 * 1024;

    private final boolean head;
    private final Supplier<List<String>> acceptEncoding;
    private final IntConsumer beforeHead;

    /** Null where the response is not to be compressed. */
    private @Nullable ContentCoders coders;

    private boolean closed;

    /** Whether a file is the rest of the body, and the system sends it unless it is compressed. */
    private boolean fileFollows;

    private long written;

    /**
     * @param head whether the request's method is HEAD
     * @param coders in which it may be sent; null for none
     * @param acceptEncoding what the request says of it
     * @param beforeHead called with the status when the head is about to be sent, and may set headers
     */
    public Response(
            ResponseTransport transport,
            boolean head,
            @Nullable ContentCoders coders,
            Supplier<List<String>> acceptEncoding,
            IntConsumer beforeHead) {
        super(transport);
        this.head = head;
        this.coders = coders;
        this.acceptEncoding = acceptEncoding;
        this.beforeHead = beforeHead;
    }

    public ResponseBody start(String mediaType) {
        describeBody(mediaType);
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
        checkRoom(count);
        written += count;
        hold(source);
        while (source.hasRemaining() && encoding != null) {
            int limit = source.limit();
            source.limit(Math.min(limit, source.position() + FULL));
            int step = source.remaining();
            encoding.write(source, this::compressed);
            source.limit(limit);
            giveWay(step);
        }
        return count;
    }

    @Override
    public void transferFrom(FileChannel file, long position, long count) throws IOException {
        transferFrom(new FileSlice(file, position, count, () -> {}));
    }

    /**
     * Reads the file into the buffers that are sent. Virtual threads do not wait for a disk, which others read for
     * them.
     */
    public void transferFrom(FileSlice file) throws IOException {
        // What is shared is read by another thread in any case.
        boolean isAhead =
                file.count() > SMALL_FILE && Thread.currentThread().isVirtual() && !file.isShared();
        ReadAhead ahead = isAhead ? new ReadAhead(file) : null;
        try {
            checkRoom(file.count());
            copy(file, ahead);
        } finally {
            if (ahead == null) {
                file.whenRead().run();
            } else {
                ahead.close();
            }
        }
    }

    private void copy(FileSlice file, @Nullable ReadAhead ahead) throws IOException {
        ByteBuffer step = null;
        for (long at = file.position(); at < file.end(); ) {
            if (closed) {
                throw new ClosedChannelException();
            }
            checkWhole();
            long end = ahead == null ? file.end() : at + ahead.await(at);
            long start = System.nanoTime();
            if (encoding == null) {
                int read = fill(file, at, end);
                used(ahead, start);
                at += read;
                written += read;
                emitIfFull();
            } else {
                step = step == null ? ByteBuffer.allocate(STEP) : step;
                at += read(file, at, end, step);
                used(ahead, start);
                write(step.flip());
            }
        }
    }

    private static void used(@Nullable ReadAhead ahead, long startNanos) {
        if (ahead != null) {
            ahead.used(System.nanoTime() - startNanos);
        }
    }

    private static int read(FileSlice file, long at, long end, ByteBuffer step) throws IOException {
        step.clear().limit((int) Math.min(step.capacity(), end - at));
        int read = file.read(step, at);
        if (read < 0) {
            throw new EOFException("The file ends at byte %d, before %d".formatted(at, end));
        }
        return read;
    }

    @Override
    public void transferLast(FileChannel file, long position, long count, Runnable whenRead)
            throws IOException {
        transferLast(new FileSlice(file, position, count, whenRead));
    }

    /** What is small goes with the head in one buffer; the rest by the operating system, where it can. */
    public void transferLast(FileSlice file) throws IOException {
        boolean taken = false;
        try {
            if (isRest(file.count()) && transport.sendsFiles() && goesAsItIs()) {
                if (buffer != null || pendingHead != null) {
                    transport.fileFollows();
                    send(false);
                }
                taken = true;
                sendRest(file);
                written += file.count();
            } else if (!complete) {
                taken = true;
                transferFrom(file);
            }
        } finally {
            closed = true;
            if (!taken) {
                file.whenRead().run();
            }
        }
    }

    /** Returns whether the body ends with so many bytes, and they are worth more than a copy. */
    private boolean isRest(long count) {
        return count > SMALL_FILE && !closed && !broken && knownLength == written + count;
    }

    /** Decides on the head, if that was not done; returns whether the body is neither left out nor coded. */
    private boolean goesAsItIs() throws IOException {
        if (!committed) {
            fileFollows = true;
            commit();
        }
        return !complete && encoding == null && trailers == null;
    }

    /** Refuses bytes beyond the length in the head: a client would take them for the response to its next request. */
    private void checkRoom(long more) throws IOException {
        if (!head && encoding == null && knownLength >= 0 && more > knownLength - written) {
            throw new IOException(
                    "The handler wrote more than the %d bytes of its Content-Length"
                            .formatted(knownLength));
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
        if (encoding != null) {
            encoding.flush(this::compressed);
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

    @Override
    void commit() throws IOException {
        beforeHead.accept(status);
        ByteBuf held = buffer;
        boolean bodiless = head || Status.forbidsBody(status);
        ContentCoders possible = mayCompress();
        String coding = null;
        if (possible != null && bodiless) {
            coding = possible.name(acceptEncoding.get());
        } else if (possible != null) {
            encoding = possible.open(acceptEncoding.get());
            coding = encoding == null ? null : encoding.coding();
        }
        if (coding != null) {
            ContentCoding.mark(fields, coding);
        }
        boolean trailing = announceTrailers(takesTrailers(bodiless));
        pendingHead =
                new ResponseTransport.Head(
                        status, fields, coding != null || trailing ? -1 : knownLength, bodiless);
        committed = true;
        if (bodiless) {
            release();
            send(true);
        } else if (encoding != null) {
            buffer = null;
            if (held != null) {
                try {
                    encoding.write(held.nioBuffer(), this::compressed);
                } finally {
                    held.release();
                }
            }
        }
    }

    /** Returns whether trailers can follow: to copy a file for their sake would block, perhaps an event loop. */
    private boolean takesTrailers(boolean bodiless) {
        return !bodiless && (!fileFollows || encoding != null);
    }

    /** The coders, if compression is a matter of what the client accepts; then caches must know. */
    private @Nullable ContentCoders mayCompress() {
        if (coders == null || !ContentCoding.isWorthIt(fields, status)) {
            return null;
        }
        fields.append("Vary", "Accept-Encoding");
        return coders;
    }

    /**
     * The handler has returned, and another goes on later: sends what was written. What starts to leave now is not
     * compressed, since a compressor holds more than all else.
     */
    public void rest() throws IOException {
        if (complete || broken) {
            return;
        }
        if (encoding != null) {
            encoding.flush(this::compressed);
        }
        if (!committed && buffer != null) {
            coders = null;
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
            return;
        }
        if (encoding != null) {
            encoding.finish(this::compressed);
            encoding.close();
        }
        if (trailers != null) {
            trailers.evaluate();
        }
        send(true);
    }

    /** Returns whether fewer or more bytes were written than the head promised. */
    private boolean isShort() {
        return encoding == null && knownLength >= 0 && knownLength != written;
    }

    /**
     * Checks that all was written that was promised.
     *
     * @throws IOException if it was not
     */
    public void checkLength() throws IOException {
        if (!head && isShort()) {
            throw new IOException(
                    "The handler wrote %d bytes of a body with Content-Length %d"
                            .formatted(written, knownLength));
        }
    }

    private void completeWhole() throws IOException {
        checkLength();
        beforeHead.accept(status);
        int held = buffer == null ? 0 : buffer.readableBytes();
        ContentCoders possible =
                Math.max(held, knownLength) >= LEAST_TO_COMPRESS ? mayCompress() : null;
        if (possible != null && held >= LEAST_TO_COMPRESS) {
            compressWhole(possible);
        }
        boolean bodiless = head || Status.forbidsBody(status);
        long length = buffer == null ? 0 : buffer.readableBytes();
        if (head && knownLength > length && encoding == null) {
            // What GET would send, which nobody has compressed, has a length that isn't known (RFC
            // 9110, section 8.6).
            String coding = possible == null ? null : possible.name(acceptEncoding.get());
            length = coding == null ? knownLength : -1;
            if (coding != null) {
                ContentCoding.mark(fields, coding);
            }
        }
        if (bodiless) {
            release();
        } else if (trailers != null) {
            trailers.evaluate();
        }
        boolean trailing = announceTrailers(takesTrailers(bodiless));
        pendingHead = new ResponseTransport.Head(status, fields, trailing ? -1 : length, bodiless);
        committed = true;
        send(true);
    }

    private void compressWhole(ContentCoders possible) throws IOException {
        ByteBuf raw = buffer;
        Encoding whole = raw == null ? null : possible.open(acceptEncoding.get());
        if (raw == null || whole == null) {
            return;
        }
        ByteBuf small = transport.allocate(FULL);
        boolean shorter = false;
        try (whole) {
            shorter = whole.shortens(raw.nioBuffer(), small);
        } finally {
            (shorter ? raw : small).release();
        }
        if (shorter) {
            encoding = whole;
            buffer = small;
            ContentCoding.mark(fields, whole.coding());
        }
    }

    /**
     * Drops what was written, and the headers about that, if the head has not been sent.
     *
     * @return false if it is too late
     */
    public boolean restart() {
        if (committed || broken) {
            return false;
        }
        release();
        closeEncoder();
        encoding = null;
        fileFollows = false;
        closed = false;
        written = 0;
        forgetBody();
        return true;
    }

    /**
     * Answers with a problem instead, if the head has not been sent; it is to be completed then.
     *
     * @return false if it is too late
     */
    public boolean replace(Problem problem) throws IOException {
        if (!restart()) {
            return false;
        }
        status = problem.status();
        // A browser gets a page for it, others a problem document.
        fields.append("Vary", "Accept");
        problem.headers().forEach(fields::set);
        start(problem.mediaType());
        byte[] document = problem.bytes();
        knownLength = document.length;
        write(ByteBuffer.wrap(document));
        return true;
    }

    public void breakOff() {
        broken = true;
        closed = true;
        release();
        closeEncoder();
        transport.reset();
    }
}
