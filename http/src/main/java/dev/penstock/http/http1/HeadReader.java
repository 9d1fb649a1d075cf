package dev.penstock.http.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.HeadFraming;
import dev.penstock.http.exchange.MalformedRequest;
import dev.penstock.http.exchange.Settings;
import dev.penstock.http.http1.StrictDecoder.NotHttp;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.message.Syntax;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/**
 * Reads the heads of a connection's requests (RFC 9112, sections 2 to 5), in however many pieces they come. Refuses
 * what is beyond the limits, and all forms that two servers could read in two ways: folded lines, bare CR or LF, a
 * space before the colon, names that are no tokens, control characters.
 */
final class HeadReader {
    /** Nearly all heads are shorter. */
    private static final int MOST_COPIED = 4 * 1024;

    /** Each loop's thread has one, for as long as it looks at a head. */
    private static final FastThreadLocal<ByteBuf> COPY =
            new FastThreadLocal<>() {
                @Override
                protected ByteBuf initialValue() {
                    return Unpooled.buffer(MOST_COPIED);
                }
            };

    /** Of the version, with the space before it and the end of the line. */
    private static final int VERSION = " HTTP/1.1\r\n".length();

    private static final int GET = 'G' << 16 | 'E' << 8 | 'T';

    private static final String CONTENT_LENGTH = "content-length";
    private static final String TRANSFER_ENCODING = "transfer-encoding";

    /** The same as gateways that hand headers on as variables (RFC 3875, section 4.1.18) can't tell from it. */
    private static final String CONTENT_LENGTH_VARIABLE = "content_length";

    private static final String TRANSFER_ENCODING_VARIABLE = "transfer_encoding";

    private static final String PREFACE = "PRI * HTTP/2.0";

    private final int maxLine;
    private final int maxHeaders;
    private final int maxHeaderBytes;

    private boolean first;
    private boolean foundPreface;

    /** How far the current head has been looked at, from the reader index on. */
    private int scanned;

    private int lineStart;
    private int lines;

    /** Where the line after the first one starts. */
    private int fieldsStart;

    /**
     * @param first whether what comes first may be the preface of HTTP/2
     */
    HeadReader(Settings settings, boolean first) {
        this.maxLine = settings.maxRequestLine();
        this.maxHeaders = settings.maxHeaders();
        this.maxHeaderBytes = settings.maxHeaderBytes();
        this.first = first;
    }

    /** Returns whether the first line of the preface is there, and nothing is read (RFC 9113, section 3.4). */
    boolean hasFoundPreface() {
        return foundPreface;
    }

    /**
     * Reads a head, if all of it is there.
     *
     * @return null, and what there is of it is still to be read, if it is not
     * @throws MalformedRequest if it never can be one, or its parts contradict each other
     * @throws HttpException if its target or host is malformed
     */
    @Nullable RequestHead read(ByteBuf in) {
        int length = in.readableBytes();
        if (in.hasArray() || length > MOST_COPIED) {
            return readFrom(in);
        }
        // Direct memory takes long to be looked at by the byte.
        ByteBuf seen = COPY.get().clear().writeBytes(in, in.readerIndex(), length);
        RequestHead head = readFrom(seen);
        in.skipBytes(seen.readerIndex());
        return head;
    }

    private @Nullable RequestHead readFrom(ByteBuf in) {
        return scan(in) && !foundPreface ? parse(in) : null;
    }

    /** Makes a head of what was found to be one. */
    private RequestHead parse(ByteBuf in) {
        int start = in.readerIndex();
        int methodEnd = in.indexOf(start, start + fieldsStart, (byte) ' ');
        String method = method(in, start, methodEnd - start);
        int targetEnd = start + fieldsStart - VERSION;
        String target = in.toString(methodEnd + 1, targetEnd - methodEnd - 1, US_ASCII);
        boolean http10 = in.getByte(start + fieldsStart - 3) == '0';
        // Each line loses two bytes, if it has the one space that nearly all have.
        RequestHeaders.Packer fields = new RequestHeaders.Packer(scanned - fieldsStart - 2 * lines);
        for (int at = fieldsStart; at < scanned - 2; ) {
            int end = in.indexOf(start + at, start + scanned, (byte) '\n') - start;
            addField(in, start + at, start + end - 1, fields);
            at = end + 1;
        }
        in.skipBytes(scanned);
        lines = 0;
        scanned = 0;
        lineStart = 0;
        first = false;
        return RequestHead.of(method, target, http10, fields.pack());
    }

    private static String method(ByteBuf in, int start, int length) {
        return length == 3 && in.getMedium(start) == GET
                ? "GET"
                : in.toString(start, length, US_ASCII);
    }

    /** Adds a line that was checked. */
    static void addField(ByteBuf in, int from, int to, RequestHeaders.Packer fields) {
        int colon = in.indexOf(from, to, (byte) ':');
        int start = colon + 1;
        int end = to;
        while (start < end && isSpace(in.getByte(start))) {
            start++;
        }
        while (start < end && isSpace(in.getByte(end - 1))) {
            end--;
        }
        fields.add(in, from, colon - from, start, end - start);
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t';
    }

    private boolean scan(ByteBuf in) {
        int start = in.readerIndex();
        while (scanned < in.readableBytes()) {
            checkReturn(in, start);
            int at = control(in, start + scanned);
            // Before anything else, so that what is wrong does not depend on how the network cut
            // it.
            checkLength(in, start, at - start);
            if (at == in.writerIndex()) {
                scanned = at - start;
                return false;
            }
            scanned = at - start + 1;
            if (in.getByte(at) == '\n') {
                if (endOfLine(in, start)) {
                    return true;
                }
                start = in.readerIndex();
            } else if (in.getByte(at) != '\r') {
                throw new MalformedRequest(400, "a control character");
            }
        }
        return false;
    }

    /**
     * Where the first byte is, from there on, that can't be part of a field's value; the end of what is there, if there
     * is none.
     */
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

    /** Returns whether the head ends with it, or is the preface. */
    private boolean endOfLine(ByteBuf in, int start) {
        int end = scanned - 2;
        if (end < lineStart || in.getByte(start + end) != '\r') {
            throw new MalformedRequest(400, "a line that ends without CR LF");
        }
        boolean empty = end == lineStart;
        if (lines == 0 && empty) {
            skipEmptyLine(in);
            return false;
        }
        if (empty) {
            return true;
        }
        if (lines == 0 && first && isPreface(in, start + lineStart, end - lineStart)) {
            foundPreface = true;
            return true;
        }
        if (lines == 0) {
            checkFirstLine(in, start + lineStart, start + end);
            fieldsStart = scanned;
        } else {
            checkCount();
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

    /** Bounds what is in front of a place in the head; a CR may be the last of it. */
    private void checkLength(ByteBuf in, int start, int place) {
        if (lines == 0 && place > maxLine + 1) {
            throw isMethod(in, start, start + maxLine)
                    ? new MalformedRequest(501, "a method of more than %d bytes".formatted(maxLine))
                    : new MalformedRequest(
                            414, "a request line of more than %d bytes".formatted(maxLine));
        }
        if (lines > 0 && place - fieldsStart > maxHeaderBytes + 1) {
            throw new MalformedRequest(
                    431, "more than %d bytes of headers".formatted(maxHeaderBytes));
        }
    }

    /** Returns whether nothing of a target has come in a request line (RFC 9112, section 3). */
    private static boolean isMethod(ByteBuf in, int from, int to) {
        int at = from;
        while (at < to && Syntax.isToken(in.getByte(at))) {
            at++;
        }
        return at == to;
    }

    private void checkCount() {
        if (lines > maxHeaders) {
            throw new MalformedRequest(431, "more than %d header lines".formatted(maxHeaders));
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
        checkFraming(in, from, at, to);
    }

    /** Checks the names and the form of what says where a body ends, in which servers differ most. */
    private static void checkFraming(ByteBuf in, int from, int colon, int to) {
        int length = colon - from;
        if (length != CONTENT_LENGTH.length() && length != TRANSFER_ENCODING.length()) {
            return;
        }
        if (isName(in, from, length, CONTENT_LENGTH_VARIABLE)
                || isName(in, from, length, TRANSFER_ENCODING_VARIABLE)) {
            throw new MalformedRequest(400, HeadFraming.MISSPELT);
        }
        boolean framing =
                isName(in, from, length, CONTENT_LENGTH)
                        || isName(in, from, length, TRANSFER_ENCODING);
        if (framing && isPadded(in, colon + 1, to)) {
            throw new MalformedRequest(
                    400,
                    "a Content-Length or Transfer-Encoding with white space around it beyond one space");
        }
    }

    /** Returns whether there is other white space around a value than the one space before it that everybody sends. */
    private static boolean isPadded(ByteBuf in, int from, int to) {
        int start = from < to && in.getByte(from) == ' ' ? from + 1 : from;
        return start < to && (isSpace(in.getByte(start)) || isSpace(in.getByte(to - 1)));
    }

    private static boolean isName(ByteBuf in, int from, int length, String name) {
        boolean same = length == name.length();
        for (int i = 0; same && i < length; i++) {
            byte b = in.getByte(from + i);
            same = (b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b) == name.charAt(i);
        }
        return same;
    }
}
