package dev.penstock.http.message;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The headers of a request, in as few bytes as there can be, since thousands of requests may wait: one array, in which
 * each field is the length of its name, that of its value, the name and the value. Lengths are numbers of seven bits a
 * byte, the higher ones first, of which all but the last have the sign. No character has more than a byte, as they came
 * from the network.
 */
public final class RequestHeaders {
    /** None at all. */
    public static final RequestHeaders NONE = new RequestHeaders(new byte[0]);

    private final byte[] packed;

    private RequestHeaders(byte[] packed) {
        this.packed = packed;
    }

    /** The values of all headers of a name, ignoring case, in order. */
    public List<String> all(String name) {
        List<String> values = List.of();
        for (int at = 0; at < packed.length; ) {
            int nameLength = number(at);
            at += width(nameLength);
            int valueLength = number(at);
            at += width(valueLength);
            int value = at + nameLength;
            if (nameLength == name.length() && isAt(at, name)) {
                values =
                        with(
                                values,
                                new String(
                                        packed, value, valueLength, StandardCharsets.ISO_8859_1));
            }
            at = value + valueLength;
        }
        return values;
    }

    /** Most have one value, if any. */
    private static List<String> with(List<String> values, String value) {
        if (values.isEmpty()) {
            return List.of(value);
        }
        List<String> more = values.size() == 1 ? new ArrayList<>(values) : values;
        more.add(value);
        return more;
    }

    public boolean isEmpty() {
        return packed.length == 0;
    }

    private boolean isAt(int at, String name) {
        for (int i = 0; i < name.length(); i++) {
            int there = packed[at + i] & 0xff;
            if (there != name.charAt(i) && lower(there) != lower(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    }

    private int number(int at) {
        int number = 0;
        int next = at;
        while (packed[next] < 0) {
            number = number << 7 | (packed[next++] & 0x7f);
        }
        return number << 7 | packed[next];
    }

    /** How many bytes a number takes. */
    private static int width(int number) {
        int width = 1;
        for (int more = number >>> 7; more > 0; more >>>= 7) {
            width++;
        }
        return width;
    }

    /** Puts headers together. */
    public static final class Packer {
        private byte[] bytes;
        private int length;

        /** With room for what most requests have. */
        public Packer() {
            this(192);
        }

        /**
         * @param expected how many bytes there will be, or about as many
         */
        public Packer(int expected) {
            bytes = new byte[expected];
        }

        public void add(CharSequence name, CharSequence value) {
            begin(name.length(), value.length());
            put(name);
            put(value);
        }

        /** Adds what is in a buffer: so many bytes from there on. */
        public void add(ByteBuf in, int name, int nameLength, int value, int valueLength) {
            begin(nameLength, valueLength);
            in.getBytes(name, bytes, length, nameLength);
            in.getBytes(value, bytes, length + nameLength, valueLength);
            length += nameLength + valueLength;
        }

        private void begin(int nameLength, int valueLength) {
            int end = length + width(nameLength) + width(valueLength) + nameLength + valueLength;
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length * 3 / 2));
            }
            number(nameLength);
            number(valueLength);
        }

        private void number(int number) {
            for (int shift = 7 * (width(number) - 1); shift > 0; shift -= 7) {
                bytes[length++] = (byte) (number >>> shift | 0x80);
            }
            bytes[length++] = (byte) (number & 0x7f);
        }

        private void put(CharSequence text) {
            for (int i = 0; i < text.length(); i++) {
                bytes[length++] = (byte) (text.charAt(i) <= 0xff ? text.charAt(i) : '?');
            }
        }

        public RequestHeaders pack() {
            return new RequestHeaders(
                    length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
        }
    }
}
