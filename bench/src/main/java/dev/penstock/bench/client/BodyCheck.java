package dev.penstock.bench.client;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A check of a body, as its bytes come, against what was {@link Load.Expected}. It keeps nothing of the body but its
 * last bytes. For one thread.
 */
final class BodyCheck {
    private Load.Expected expected;
    private byte[] marker;
    private byte[] end;
    private byte[] tail;
    private long bytes;
    private int tailLength;
    private int matched;
    private long rows;

    BodyCheck(Load.Expected expected) {
        this.expected = expected;
        marker = expected.markerBytes();
        end = expected.endBytes();
        tail = new byte[end.length];
    }

    /** Begins another body, of which something else may be expected. */
    void reset(Load.Expected next) {
        if (!next.equals(expected)) {
            expected = next;
            marker = next.markerBytes();
            end = next.endBytes();
            tail = new byte[end.length];
        }
        bytes = 0;
        tailLength = 0;
        matched = 0;
        rows = 0;
    }

    long bytes() {
        return bytes;
    }

    boolean sawRow() {
        return rows > 0;
    }

    /** Takes all that remains in a buffer. */
    void accept(ByteBuffer part) {
        bytes += part.remaining();
        lookForRows(part);
        keepTail(part);
    }

    /**
     * Finds the marker across the borders of parts; a partial match restarts simply, as markers do not overlap
     * themselves.
     */
    private void lookForRows(ByteBuffer part) {
        if (marker.length == 0 || (rows > 0 && expected.rows() == 0)) {
            return;
        }
        for (int i = part.position(); i < part.limit(); i++) {
            byte b = part.get(i);
            if (b != marker[matched]) {
                matched = b == marker[0] ? 1 : 0;
                continue;
            }
            matched++;
            if (matched == marker.length) {
                rows++;
                matched = 0;
                if (expected.rows() == 0) {
                    return;
                }
            }
        }
    }

    private void keepTail(ByteBuffer part) {
        int take = Math.min(part.remaining(), tail.length);
        int keep = Math.min(tailLength, tail.length - take);
        System.arraycopy(tail, tailLength - keep, tail, 0, keep);
        part.get(part.limit() - take, tail, keep, take);
        tailLength = keep + take;
    }

    /** Returns what is wrong with a body that has ended; empty where nothing is. */
    String failure() {
        if (bytes < expected.leastBytes()) {
            return "too short";
        }
        if (bytes > expected.mostBytes()) {
            return "too long";
        }
        if (expected.rows() > 0 && rows != expected.rows()) {
            return "wrong number of rows";
        }
        return Arrays.equals(tail, 0, tailLength, end, 0, end.length) ? "" : "wrong end";
    }
}
