package dev.penstock.bench.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/**
 * Reads one HTTP/1.1 response as its bytes come, and checks that it is whole: its framing to the very end, and what was
 * {@link Load.Expected}. Keeps nothing of the body but its last bytes. Not thread-safe; {@link #reset} readies it for the next.
 */
public final class ResponseReader {
    private static final int MAX_LINE = 8192;

    private enum State {
        STATUS,
        HEADER,
        FIXED,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILER,
        TO_CLOSE,
        COMPLETE
    }

    private final Load.Expected expected;
    private final byte[] marker;
    private final byte[] end;
    private final byte[] tail;
    private final StringBuilder line = new StringBuilder();
    private State state = State.STATUS;
    private int status;
    private long left;
    private long bodyBytes;
    private boolean chunked;
    private boolean closes;
    private int tailLength;
    private int matched;
    private long rows;
    private String failure = "";

    ResponseReader(Load.Expected expected) {
        this.expected = expected;
        marker = expected.markerBytes();
        end = expected.endBytes();
        tail = new byte[end.length];
    }

    public void reset() {
        state = State.STATUS;
        line.setLength(0);
        status = 0;
        left = -1;
        bodyBytes = 0;
        chunked = false;
        closes = false;
        tailLength = 0;
        matched = 0;
        rows = 0;
        failure = "";
    }

    /** Takes bytes up to the response's end. Returns whether that was reached, or the response found wrong. */
    public boolean accept(ByteBuffer bytes) {
        while (bytes.hasRemaining() && state != State.COMPLETE && failure.isEmpty()) {
            switch (state) {
                case FIXED, CHUNK, TO_CLOSE -> body(bytes);
                case STATUS, HEADER, CHUNK_SIZE, CHUNK_END, TRAILER -> {
                    if (readLine(bytes)) {
                        lineIs(line.toString());
                        line.setLength(0);
                    }
                }
                case COMPLETE -> throw new AssertionError();
            }
        }
        if (state == State.COMPLETE && failure.isEmpty()) {
            failure = judge();
        }
        return state == State.COMPLETE || !failure.isEmpty();
    }

    /** The connection's end: good only where the response has no other. Returns whether a response is complete by it. */
    public boolean endOfStream() {
        if (state == State.TO_CLOSE) {
            state = State.COMPLETE;
            failure = judge();
        } else if (failure.isEmpty()) {
            failure = status == 0 ? "closed without an answer" : "truncated";
        }
        return failure.isEmpty();
    }

    /** What is wrong with the response; empty where nothing is. */
    public String failure() {
        return failure;
    }

    public long bodyBytes() {
        return bodyBytes;
    }

    public boolean started() {
        return status != 0 || !line.isEmpty();
    }

    public boolean sawRow() {
        return rows > 0;
    }

    /** Whether the server will close the connection. */
    public boolean closes() {
        return closes;
    }

    private boolean readLine(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            byte b = bytes.get();
            if (b == '\n') {
                if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
                    line.setLength(line.length() - 1);
                }
                return true;
            }
            line.append((char) (b & 0xff));
            if (line.length() > MAX_LINE) {
                failure = "not HTTP";
                return false;
            }
        }
        return false;
    }

    private void lineIs(String line) {
        switch (state) {
            case STATUS -> statusLine(line);
            case HEADER -> header(line);
            case CHUNK_SIZE -> chunkSize(line);
            case CHUNK_END -> {
                if (!line.isEmpty()) {
                    failure = "malformed chunk";
                }
                state = State.CHUNK_SIZE;
            }
            case TRAILER -> {
                if (line.isEmpty()) {
                    state = State.COMPLETE;
                }
            }
            case FIXED, CHUNK, TO_CLOSE, COMPLETE -> throw new AssertionError(state);
        }
    }

    private void statusLine(String line) {
        if (!line.matches("HTTP/1\\.[01] \\d{3}( .*)?")) {
            failure = "not HTTP";
            return;
        }
        status = Integer.parseInt(line.substring(9, 12));
        closes = line.startsWith("HTTP/1.0");
        state = State.HEADER;
    }

    private void header(String line) {
        if (line.isEmpty()) {
            headEnds();
            return;
        }
        int colon = line.indexOf(':');
        if (colon < 1) {
            failure = "not HTTP";
            return;
        }
        String value = line.substring(colon + 1).strip().toLowerCase(Locale.ROOT);
        switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
            case "content-length" -> left = Long.parseLong(value);
            case "transfer-encoding" -> chunked = value.equals("chunked");
            case "connection" ->
                    closes = value.contains("close") || (closes && !value.contains("keep-alive"));
            default -> {}
        }
    }

    private void headEnds() {
        if (status == 100) {
            state = State.STATUS;
            status = 0;
        } else if (chunked) {
            state = State.CHUNK_SIZE;
        } else if (left == 0) {
            state = State.COMPLETE;
        } else {
            state = left > 0 ? State.FIXED : State.TO_CLOSE;
            closes |= left < 0;
        }
    }

    private void chunkSize(String line) {
        int semicolon = line.indexOf(';');
        try {
            left =
                    Long.parseLong(
                            (semicolon < 0 ? line : line.substring(0, semicolon)).strip(), 16);
        } catch (NumberFormatException e) {
            failure = "malformed chunk";
            return;
        }
        state = left == 0 ? State.TRAILER : State.CHUNK;
    }

    private void body(ByteBuffer bytes) {
        int length = bytes.remaining();
        if (state != State.TO_CLOSE) {
            length = (int) Math.min(length, left);
            left -= length;
        }
        int from = bytes.position();
        bodyBytes += length;
        lookForRows(bytes, from, length);
        keepTail(bytes, from, length);
        bytes.position(from + length);
        if (left == 0) {
            if (state == State.FIXED) {
                state = State.COMPLETE;
            } else if (state == State.CHUNK) {
                state = State.CHUNK_END;
            }
        }
    }

    /** Finds the marker across the borders of what comes; a partial match restarts simply, as markers do not overlap themselves. */
    private void lookForRows(ByteBuffer bytes, int from, int length) {
        if (marker.length == 0 || (rows > 0 && expected.rows() == 0)) {
            return;
        }
        for (int i = from; i < from + length; i++) {
            byte b = bytes.get(i);
            if (b == marker[matched]) {
                matched++;
                if (matched == marker.length) {
                    rows++;
                    matched = 0;
                    if (expected.rows() == 0) {
                        return;
                    }
                }
            } else {
                matched = b == marker[0] ? 1 : 0;
            }
        }
    }

    private void keepTail(ByteBuffer bytes, int from, int length) {
        if (tail.length == 0) {
            return;
        }
        int take = Math.min(length, tail.length);
        int keep = Math.min(tailLength, tail.length - take);
        System.arraycopy(tail, tailLength - keep, tail, 0, keep);
        bytes.get(from + length - take, tail, keep, take);
        tailLength = keep + take;
    }

    private String judge() {
        if (status != 200) {
            return "status " + status;
        }
        if (bodyBytes < expected.leastBytes()) {
            return "too short";
        }
        if (bodyBytes > expected.mostBytes()) {
            return "too long";
        }
        if (expected.rows() > 0 && rows != expected.rows()) {
            return "wrong number of rows";
        }
        if (!Arrays.equals(tail, 0, tailLength, end, 0, end.length)) {
            return "wrong end";
        }
        return "";
    }

    /** The request for a path, kept alive. */
    public static byte[] request(String path, int port) {
        return ("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nAccept: */*\r\n\r\n")
                .getBytes(ISO_8859_1);
    }
}
