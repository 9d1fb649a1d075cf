package dev.penstock.transfer.client.resume;

/**
 * A range of the bytes of a file.
 *
 * @param from its first byte
 * @param to the byte behind its last; {@link Long#MAX_VALUE} where the length of the file is not known
 */
public record ByteSpan(long from, long to) {
    public ByteSpan {
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("From " + from + " to " + to + " is no range");
        }
    }

    /** The number of bytes. */
    public long length() {
        return to - from;
    }
}
