package dev.penstock.query;

/**
 * A view of UTF-8 bytes in somebody else's array: the canonical text of one cell. It is read at once or copied; the
 * next call to the cursor that gave it may overwrite it. Not thread-safe.
 */
public final class Utf8 {
    private static final byte[] NONE = {};

    private byte[] array = NONE;
    private int offset;
    private int length;

    /** An empty view. */
    public Utf8() {}

    /** Points this view at {@code length} bytes of {@code array} from {@code offset}. Returns this. */
    public Utf8 set(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
        return this;
    }

    /** Returns the array that holds the bytes; not to be written to. */
    public byte[] array() {
        return array;
    }

    /** Returns where the bytes start in {@link #array}. */
    public int offset() {
        return offset;
    }

    /** Returns how many bytes there are. */
    public int length() {
        return length;
    }

    /** Returns the bytes as a String. */
    @Override
    public String toString() {
        return new String(array, offset, length, java.nio.charset.StandardCharsets.UTF_8);
    }
}
