package dev.penstock.format;

import dev.penstock.query.Utf8;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The replacements that a format has for some ASCII bytes of a text. Everything else is copied in runs, as long as it
 * is well-formed UTF-8: databases are not trusted with that, since one stray byte makes a whole document unreadable.
 */
final class Escapes {
    private static final byte[] REPLACEMENT = "\uFFFD".getBytes(StandardCharsets.UTF_8);

    /** Whether the byte is copied without a second look: ASCII without an escape. */
    private final boolean[] clean = new boolean[256];

    private final byte[] @Nullable [] escapes = new byte[128] @Nullable [];
    private final boolean noncharacters;

    /**
     * @param noncharacters whether U+FFFE and U+FFFF may stand in the text
     */
    Escapes(boolean noncharacters) {
        this.noncharacters = noncharacters;
        java.util.Arrays.fill(clean, 0, 128, true);
    }

    /**
     * Those of HTML, for text and quoted attributes alike; control characters, which HTML can't hold, as their
     * pictures.
     */
    static Escapes html() {
        Escapes escapes = new Escapes(true);
        for (int control = 0; control < 0x20; control++) {
            if (control != '\t' && control != '\n') {
                escapes.with(control, Character.toString(0x2400 + control));
            }
        }
        return escapes.with(0x7F, "\u2421")
                .with('\r', "&#13;")
                .with('&', "&amp;")
                .with('<', "&lt;")
                .with('>', "&gt;")
                .with('"', "&quot;")
                .with('\'', "&#39;");
    }

    /** Has an ASCII character replaced. Returns this. */
    Escapes with(int character, String escape) {
        clean[character] = false;
        escapes[character] = escape.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    void write(Utf8 text, ByteOutput out) throws IOException {
        write(text.array(), text.offset(), text.length(), out);
    }

    void write(byte[] text, int offset, int length, ByteOutput out) throws IOException {
        boolean[] clean = this.clean;
        int end = offset + length;
        int run = offset;
        int at = offset;
        while (true) {
            while (at < end && clean[text[at] & 0xFF]) {
                at++;
            }
            if (at == end) {
                break;
            }
            int sequence = text[at] < 0 ? sequence(text, at, end) : 0;
            if (sequence > 0) {
                at += sequence;
                continue;
            }
            out.write(text, run, at - run);
            out.write(escape(text[at]));
            at += sequence == 0 ? 1 : -sequence;
            run = at;
        }
        out.write(text, run, end - run);
    }

    private byte[] escape(byte character) {
        byte[] escape = character < 0 ? null : escapes[character];
        return escape == null ? REPLACEMENT : escape;
    }

    /**
     * The length of the well-formed sequence of two to four bytes at {@code at} (Unicode, table 3-7); 0 if there is
     * none; negative if its character may not stand in the text.
     */
    private int sequence(byte[] text, int at, int end) {
        int first = text[at] & 0xFF;
        int left = end - at;
        if (first < 0xC2 || first > 0xF4) {
            return 0;
        }
        if (first < 0xE0) {
            return left >= 2 && continues(text[at + 1]) ? 2 : 0;
        }
        if (left < 3 || !continues(text[at + 1]) || !continues(text[at + 2])) {
            return 0;
        }
        int second = text[at + 1] & 0xFF;
        if (first < 0xF0) {
            boolean overlong = first == 0xE0 && second < 0xA0;
            boolean surrogate = first == 0xED && second >= 0xA0;
            boolean noncharacter = first == 0xEF && second == 0xBF && (text[at + 2] & 0xFF) >= 0xBE;
            if (overlong || surrogate) {
                return 0;
            }
            return noncharacter && !noncharacters ? -3 : 3;
        }
        boolean outside = (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
        return left < 4 || outside || !continues(text[at + 3]) ? 0 : 4;
    }

    private static boolean continues(byte next) {
        return (next & 0xC0) == 0x80;
    }
}
