package dev.penstock.http.message;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The percent-encoding of URLs, read strictly: what it stands for is UTF-8 without NUL. */
public final class PercentEncoding {
    private PercentEncoding() {}

    /** A text that is not encoded as it must be. */
    public static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String problem;
        private final int position;

        private Malformed(String message, int position) {
            super(message);
            this.problem = message;
            this.position = position;
        }

        /** What is wrong. */
        public String problem() {
            return problem;
        }

        /** Where the fault is. */
        public int position() {
            return position;
        }
    }

    /**
     * Decodes a text.
     *
     * @param plusIsSpace whether a plus stands for a space, as in forms
     * @param where what the text is part of, for messages
     * @param position where it starts there
     * @throws Malformed if an escape is malformed, a NUL, or not UTF-8
     */
    public static String decode(String raw, boolean plusIsSpace, String where, int position) {
        if (raw.indexOf('%') < 0) {
            return plusIsSpace ? raw.replace('+', ' ') : raw;
        }
        byte[] bytes = new byte[longest(raw)];
        int length = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                bytes[length++] = escaped(raw, i, where, position);
                i += 2;
            } else if (c < 0x80) {
                bytes[length++] = (byte) (c == '+' && plusIsSpace ? ' ' : c);
            } else {
                // Sent as it is, as some clients do in the body of a form.
                int codePoint = raw.codePointAt(i);
                byte[] encoded = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
                System.arraycopy(encoded, 0, bytes, length, encoded.length);
                length += encoded.length;
                i += Character.charCount(codePoint) - 1;
            }
        }
        try {
            return StrictText.decode(bytes, 0, length, StandardCharsets.UTF_8);
        } catch (CharacterCodingException _) {
            throw new Malformed(
                    "The escapes in the %s from %d on are not UTF-8".formatted(where, position),
                    position);
        }
    }

    /** How many bytes a text may become: one for each character of ASCII, and up to three for any other. */
    private static int longest(String raw) {
        boolean ascii = raw.chars().allMatch(c -> c < 0x80);
        return ascii ? raw.length() : Math.multiplyExact(raw.length(), 3);
    }

    private static byte escaped(String raw, int at, String where, int position) {
        int high = at + 2 < raw.length() ? hexadecimal(raw.charAt(at + 1)) : -1;
        int low = at + 2 < raw.length() ? hexadecimal(raw.charAt(at + 2)) : -1;
        if (high < 0 || low < 0) {
            throw new Malformed(
                    "The %s has a '%%' at %d without two hexadecimal digits; write a percent sign as %%25"
                            .formatted(where, position + at),
                    position + at);
        }
        if (high == 0 && low == 0) {
            throw new Malformed(
                    "The %s has a NUL (%%00) at %d".formatted(where, position + at), position + at);
        }
        return (byte) (high << 4 | low);
    }

    /** The value of a digit; -1 for any other character, digits beyond ASCII included. */
    private static int hexadecimal(char c) {
        return HexFormat.isHexDigit(c) ? HexFormat.fromHexDigit(c) : -1;
    }
}
