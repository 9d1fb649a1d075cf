package dev.penstock.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Netty's decoder behind a guard. The guard lets a head through only when all of it is there, is within the limits, and has
 * none of the forms that two servers could read in two ways: folded lines, bare CR or LF, a space before the colon, names that
 * are no tokens, control characters. It can be paused between messages, so that a client that pipelines has no more than
 * one request decoded at a time; what it sent beyond stays as bytes.
 */
final class StrictDecoder extends HttpRequestDecoder {
    private static final int LARGEST_CONTENT = 32 * 1024;

    /** Nearly all heads are shorter. */
    private static final int MOST_COPIED = 4 * 1024;

    private static final String PREFACE = "PRI * HTTP/2.0";

    private final int maxLine;
    private final int maxHeaders;
    private final int maxHeaderBytes;
    private final long maxBodyBytes;

    private boolean first;
    private boolean inHead = true;
    private boolean isPreface;

    /** The body that is being read, where it comes in chunks. */
    private @Nullable ChunkedBody chunks;

    private boolean paused;
    private boolean discarding;
    private long discarded;

    /** How far the current head has been looked at, from the reader index on. */
    private int scanned;

    private int lineStart;
    private int lines;

    /**
     * @param first whether what comes first may be the preface of HTTP/2
     */
    StrictDecoder(Settings settings, boolean first) {
        super(
                new HttpDecoderConfig()
                        .setMaxInitialLineLength(settings.maxRequestLine() + 1)
                        .setMaxHeaderSize(settings.maxHeaderBytes() + settings.maxRequestLine())
                        .setMaxChunkSize(LARGEST_CONTENT)
                        .setAllowPartialChunks(true)
                        .setHeadersFactory(
                                DefaultHttpHeadersFactory.headersFactory().withValidation(false)));
        this.maxLine = settings.maxRequestLine();
        this.maxHeaders = settings.maxHeaders();
        this.maxHeaderBytes = settings.maxHeaderBytes();
        this.maxBodyBytes = settings.maxBodyBytes();
        this.first = first;
    }

    /** What is fired instead of a request when the client speaks another protocol. */
    enum Preface {
        /** The first line of its preface is there (RFC 9113, section 3.4); all is still to be read. */
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
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
            throws Exception {
        if (discarding) {
            discarded += in.readableBytes();
            in.skipBytes(in.readableBytes());
            return;
        }
        if (paused || (inHead && !headIsWhole(in))) {
            return;
        }
        if (isPreface) {
            paused = true;
            context.fireUserEventTriggered(Preface.HTTP_2);
            return;
        }
        first = false;
        if (chunks != null) {
            decodeChunks(chunks, in, out);
            return;
        }
        int before = out.size();
        super.decode(context, in, out);
        for (int i = before; i < out.size(); i++) {
            Object message = out.get(i);
            if (message instanceof HttpRequest request) {
                inHead = false;
                if (HttpUtil.isTransferEncodingChunked(request)) {
                    chunks =
                            new ChunkedBody(
                                    maxBodyBytes, LARGEST_CONTENT, maxHeaders, maxHeaderBytes);
                }
            }
            if (message instanceof LastHttpContent) {
                inHead = true;
            }
            if (message instanceof HttpObject object && object.decoderResult().isFailure()) {
                discarding = true;
            }
        }
    }

    /** Netty's own reading of chunks is more lenient about line ends, sizes and trailers than can be safe behind another server. */
    private void decodeChunks(ChunkedBody body, ByteBuf in, List<Object> out) {
        try {
            HttpContent content = body.next(in);
            if (content != null) {
                out.add(content);
            }
            if (content instanceof LastHttpContent) {
                chunks = null;
                inHead = true;
                reset();
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

    /** Both at once is an attempt at smuggling (RFC 9112, section 6.3). */
    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new MalformedRequest(400, "both Content-Length and Transfer-Encoding");
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

    private boolean headIsWhole(ByteBuf in) {
        int length = in.readableBytes();
        if (in.hasArray() || length > MOST_COPIED) {
            return scan(in);
        }
        // Direct memory takes long to be looked at by the byte.
        byte[] copy = new byte[length];
        in.getBytes(in.readerIndex(), copy);
        ByteBuf seen = Unpooled.wrappedBuffer(copy);
        boolean whole = scan(seen);
        in.skipBytes(seen.readerIndex());
        return whole;
    }

    private boolean scan(ByteBuf in) {
        int start = in.readerIndex();
        while (scanned < in.readableBytes()) {
            checkReturn(in, start);
            int at = control(in, start + scanned);
            scanned = Math.min(at - start + 1, in.readableBytes());
            boolean lineEnds = at < in.writerIndex() && in.getByte(at) == '\n';
            if (!lineEnds && scanned - lineStart > maxLine) {
                checkLength(scanned - lineStart);
            }
            if (lineEnds) {
                if (endOfLine(in, start)) {
                    return true;
                }
                start = in.readerIndex();
            } else if (at < in.writerIndex() && in.getByte(at) != '\r') {
                throw new MalformedRequest(400, "a control character");
            }
        }
        checkLength(scanned - lineStart);
        return false;
    }

    /** Where the first byte is, from there on, that can't be part of a field's value; the end of what is there, if there is none. */
    private static int control(ByteBuf in, int from) {
        int end = in.writerIndex();
        int at = from;
        if (in.hasArray()) {
            byte[] bytes = in.array();
            int offset = in.arrayOffset();
            while (at < end && Syntax.isFieldByte(bytes[offset + at])) {
                at++;
            }
        } else {
            while (at < end && Syntax.isFieldByte(in.getByte(at))) {
                at++;
            }
        }
        return at;
    }

    /** Returns whether it was the empty line at the end of the head. */
    private boolean endOfLine(ByteBuf in, int start) {
        int end = scanned - 2;
        if (end < lineStart || in.getByte(start + end) != '\r') {
            throw new MalformedRequest(400, "a line that ends without CR LF");
        }
        checkLength(end - lineStart);
        boolean empty = end == lineStart;
        if (lines == 0 && empty) {
            skipEmptyLine(in);
            return false;
        }
        if (empty) {
            lines = 0;
            scanned = 0;
            lineStart = 0;
            return true;
        }
        if (lines == 0 && first && isPreface(in, start + lineStart, end - lineStart)) {
            isPreface = true;
            return true;
        }
        if (lines == 0) {
            checkFirstLine(in, start + lineStart, start + end);
        } else {
            checkField(in, start + lineStart, start + end);
        }
        lines++;
        lineStart = scanned;
        return false;
    }

    private static boolean isPreface(ByteBuf in, int from, int length) {
        return length == PREFACE.length() && in.toString(from, length, US_ASCII).equals(PREFACE);
    }

    /** Some clients send an empty line after a body (RFC 9112, section 2.2). */
    private void skipEmptyLine(ByteBuf in) {
        in.skipBytes(2);
        scanned = 0;
        lineStart = 0;
    }

    private void checkReturn(ByteBuf in, int start) {
        if (scanned > lineStart
                && in.getByte(start + scanned - 1) == '\r'
                && in.getByte(start + scanned) != '\n') {
            throw new MalformedRequest(400, "a CR without LF");
        }
    }

    private void checkLength(int length) {
        if (lines == 0) {
            if (length > maxLine) {
                throw new MalformedRequest(
                        414, "a request line of more than %d bytes".formatted(maxLine));
            }
        } else if (lines > maxHeaders) {
            throw new MalformedRequest(431, "more than %d header lines".formatted(maxHeaders));
        } else if (scanned > maxHeaderBytes + maxLine) {
            throw new MalformedRequest(
                    431, "more than %d bytes of headers".formatted(maxHeaderBytes));
        }
    }

    private void checkFirstLine(ByteBuf in, int from, int to) {
        try {
            checkRequestLine(in, from, to);
        } catch (MalformedRequest fault) {
            boolean foreign = first && in.indexOf(from, to, (byte) '/') < 0;
            throw foreign ? new NotHttp() : fault;
        }
    }

    private static void checkRequestLine(ByteBuf in, int from, int to) {
        int at = from;
        while (at < to && Syntax.isToken(in.getByte(at))) {
            at++;
        }
        int methodEnd = at;
        if (methodEnd == from || at == to || in.getByte(at) != ' ') {
            throw new MalformedRequest(400, "a request line without a valid method");
        }
        at++;
        int target = at;
        while (at < to && in.getByte(at) > 0x20 && in.getByte(at) < 0x7f) {
            at++;
        }
        if (at == target || at == to || in.getByte(at) != ' ') {
            throw new MalformedRequest(
                    400, "a target with characters that must be percent-encoded, or none");
        }
        checkVersion(in, at + 1, to);
    }

    private static void checkVersion(ByteBuf in, int from, int to) {
        boolean shaped = to - from == 8 && in.getByte(from + 6) == '.';
        String name = "HTTP/";
        for (int i = 0; shaped && i < 5; i++) {
            shaped = in.getByte(from + i) == name.charAt(i);
        }
        if (!shaped || !isDigit(in.getByte(from + 5)) || !isDigit(in.getByte(from + 7))) {
            throw new MalformedRequest(400, "a request line without a version of HTTP");
        }
        int minor = in.getByte(from + 7);
        if (in.getByte(from + 5) != '1' || (minor != '0' && minor != '1')) {
            throw new MalformedRequest(505, "a version other than HTTP/1.1 and HTTP/1.0");
        }
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    static void checkField(ByteBuf in, int from, int to) {
        int at = from;
        while (at < to && Syntax.isToken(in.getByte(at))) {
            at++;
        }
        if (at == to || at == from || in.getByte(at) != ':') {
            byte first = in.getByte(from);
            throw new MalformedRequest(
                    400,
                    first == ' ' || first == '\t'
                            ? "a folded header line"
                            : "a header name that is no token followed by a colon");
        }
    }

    /** What is wrong with a request; nothing of the client's bytes is in it. */
    static class MalformedRequest extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private final int status;

        MalformedRequest(int status, String fault) {
            super(fault);
            this.status = status;
        }

        int status() {
            return status;
        }

        /** No stack: hostile clients would have one filled for each request. */
        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** What comes is of another protocol: an answer of HTTP would make no sense there. */
    static final class NotHttp extends MalformedRequest {
        private static final long serialVersionUID = 1L;

        NotHttp() {
            super(400, "nothing of HTTP in its first line");
        }
    }
}
