package dev.penstock.http.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

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
        byte[] bytes = new byte[raw.length()];
        int length = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                bytes[length++] = escaped(raw, i, where, position);
                i += 2;
            } else {
                bytes[length++] = (byte) (c == '+' && plusIsSpace ? ' ' : c);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException _) {
            throw new Malformed(
                    "The escapes in the %s from %d on are not UTF-8".formatted(where, position),
                    position);
        }
    }

    private static byte escaped(String raw, int at, String where, int position) {
        int high = at + 2 <= raw.length() - 1 ? Character.digit(raw.charAt(at + 1), 16) : -1;
        int low = at + 2 <= raw.length() - 1 ? Character.digit(raw.charAt(at + 2), 16) : -1;
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
}
