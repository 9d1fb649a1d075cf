package dev.penstock.documents.buffer;

import java.util.Arrays;

/** A receiver of JSON in UTF-8: bytes, and texts that are escaped as the content of a JSON string. */
public abstract class Bytes {
    /** The escaping of ASCII: 0 for none, 1 for what XML has not, otherwise the letter after the backslash. */
    private static final byte[] ESCAPES = new byte[128];

    static {
        Arrays.fill(ESCAPES, 0, 32, (byte) 1);
        ESCAPES['\t'] = 't';
        ESCAPES['\n'] = 'n';
        ESCAPES['\r'] = 'r';
        ESCAPES['"'] = '"';
        ESCAPES['\\'] = '\\';
    }

    public byte[] buffer;
    public int length;

    public Bytes(byte[] buffer) {
        this.buffer = buffer;
    }

    /** Makes room for this many bytes after {@link #length} in {@link #buffer}; at most {@value #MOST_AT_ONCE}. */
    public abstract void room(int count);

    public static final int MOST_AT_ONCE = 4_096;

    public final void put(int value) {
        if (length == buffer.length) {
            room(1);
        }
        buffer[length++] = (byte) value;
    }

    public final void put(byte[] bytes) {
        put(bytes, 0, bytes.length);
    }

    public void put(byte[] bytes, int offset, int count) {
        int done = 0;
        while (done < count) {
            int step = Math.min(count - done, MOST_AT_ONCE);
            if (buffer.length - length < step) {
                room(step);
            }
            System.arraycopy(bytes, offset + done, buffer, length, step);
            length += step;
            done += step;
        }
    }

    /** Writes a text as the content of a JSON string, without the quotes. A pair of surrogates is in one call. */
    public final void escape(String text) {
        int done = 0;
        int end = text.length();
        while (done < end) {
            int step = Math.min(end - done, MOST_AT_ONCE / 6);
            if (done + step < end && Character.isHighSurrogate(text.charAt(done + step - 1))) {
                step = step == 1 ? 2 : step - 1;
            }
            if (buffer.length - length < step * 6) {
                room(step * 6);
            }
            int stop = done + step;
            int i = asciiPrefix(text, done, stop);
            while (i < stop) {
                i += 1 + escape(text.charAt(i), i + 1 < end ? text.charAt(i + 1) : 0);
                i = asciiPrefix(text, i, stop);
            }
            done = stop;
        }
    }

    private int asciiPrefix(String text, int from, int to) {
        byte[] bytes = buffer;
        int at = length;
        int i = from;
        while (i < to) {
            char c = text.charAt(i);
            if (c >= 128 || ESCAPES[c] != 0) {
                break;
            }
            bytes[at++] = (byte) c;
            i++;
        }
        length = at;
        return i;
    }

    /** Writes characters as the content of a JSON string, without the quotes. A pair of surrogates is in one call. */
    public final void escape(char[] text, int from, int count) {
        int done = from;
        int end = from + count;
        while (done < end) {
            int step = Math.min(end - done, MOST_AT_ONCE / 6);
            if (done + step < end && Character.isHighSurrogate(text[done + step - 1])) {
                step = step == 1 ? 2 : step - 1;
            }
            if (buffer.length - length < step * 6) {
                room(step * 6);
            }
            int stop = done + step;
            int i = asciiPrefix(text, done, stop);
            while (i < stop) {
                i += 1 + escape(text[i], i + 1 < end ? text[i + 1] : 0);
                i = asciiPrefix(text, i, stop);
            }
            done = stop;
        }
    }

    private int asciiPrefix(char[] text, int from, int to) {
        byte[] bytes = buffer;
        int at = length;
        int i = from;
        while (i < to) {
            char c = text[i];
            if (c >= 128 || ESCAPES[c] != 0) {
                break;
            }
            bytes[at++] = (byte) c;
            i++;
        }
        length = at;
        return i;
    }

    /** Writes one character, there being room for it; returns 1 if it took the next one with it. */
    private int escape(char c, int next) {
        if (c < 128) {
            escapeAscii(c);
            return 0;
        }
        if (c < 0x800) {
            buffer[length++] = (byte) (0xc0 | (c >> 6));
            buffer[length++] = (byte) (0x80 | (c & 0x3f));
            return 0;
        }
        if (Character.isHighSurrogate(c) && Character.isLowSurrogate((char) next)) {
            int point = Character.toCodePoint(c, (char) next);
            buffer[length++] = (byte) (0xf0 | (point >> 18));
            buffer[length++] = (byte) (0x80 | ((point >> 12) & 0x3f));
            buffer[length++] = (byte) (0x80 | ((point >> 6) & 0x3f));
            buffer[length++] = (byte) (0x80 | (point & 0x3f));
            return 1;
        }
        if (Character.isSurrogate(c) || c > 0xfffd) {
            throw ForbiddenText.character(c);
        }
        buffer[length++] = (byte) (0xe0 | (c >> 12));
        buffer[length++] = (byte) (0x80 | ((c >> 6) & 0x3f));
        buffer[length++] = (byte) (0x80 | (c & 0x3f));
        return 0;
    }

    private void escapeAscii(char c) {
        byte escape = ESCAPES[c];
        if (escape == 1) {
            throw ForbiddenText.character(c);
        }
        if (escape != 0) {
            buffer[length++] = '\\';
        }
        buffer[length++] = escape == 0 ? (byte) c : escape;
    }

    /** Takes what a rope holds; the rope is empty afterwards. */
    public abstract void take(Rope rope);
}
