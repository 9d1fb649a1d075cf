package dev.penstock.http.files;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Values of the {@code Content-Disposition} header (RFC 6266), with file names of any language (RFC 8187).
 *
 * <p>A name loses what could lead a client astray: slashes, backslashes, control characters and marks that turn the
 * direction of writing become {@code _}. Names that are not plain ASCII are given twice: exactly, as {@code filename*},
 * and for old clients with {@code _} for every other character.
 */
public final class ContentDisposition {
    /** What no file system takes is cut, at its beginning, so that its extension stays. */
    private static final int MOST_CHARACTERS = 255;

    /** Besides letters and digits, what stands for itself in {@code filename*} (RFC 8187, section 3.2.1). */
    private static final String PLAIN = "!#$&+-.^_`|~";

    private ContentDisposition() {}

    /**
     * A response that browsers save.
     *
     * @param fileName of which the last 255 characters are used
     * @return the header's value
     */
    public static String attachment(String fileName) {
        return of("attachment", fileName);
    }

    /**
     * A response that browsers show, and save by this name when they are told to.
     *
     * @param fileName of which the last 255 characters are used
     * @return the header's value
     */
    public static String inline(String fileName) {
        return of("inline", fileName);
    }

    private static String of(String disposition, String fileName) {
        String name = harmless(fileName);
        StringBuilder value = new StringBuilder(disposition).append("; filename=\"");
        boolean exact = true;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            // Some clients take a percent sign for an escape.
            boolean same = c >= 0x20 && c < 0x7f && c != '"' && c != '%';
            boolean isSecondHalf = Character.isLowSurrogate(c);
            exact &= same;
            if (!isSecondHalf) {
                value.append(same ? c : '_');
            }
        }
        value.append('"');
        return exact ? value.toString() : encode(value.append("; filename*=UTF-8''"), name);
    }

    private static String encode(StringBuilder value, String name) {
        HexFormat hex = HexFormat.of().withUpperCase();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean isPlain =
                    (c >= '0' && c <= '9')
                            || (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || PLAIN.indexOf(c) >= 0;
            if (isPlain) {
                value.append(c);
            } else {
                value.append('%').append(hex.toHexDigits(b));
            }
        }
        return value.toString();
    }

    private static String harmless(String fileName) {
        int from = Math.max(0, fileName.length() - MOST_CHARACTERS);
        StringBuilder name = new StringBuilder();
        fileName.substring(from)
                .codePoints()
                .forEach(c -> name.appendCodePoint(isHarmful(c) ? '_' : c));
        return name.toString();
    }

    private static boolean isHarmful(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    true;
            default -> c == '/' || c == '\\' || isDirection(c);
        };
    }

    /**
     * Returns whether a character changes the direction of those around it: {@code gpj.exe} would look like another
     * name.
     */
    private static boolean isDirection(int c) {
        return c == 0x061c
                || (c >= 0x200e && c <= 0x200f)
                || (c >= 0x202a && c <= 0x202e)
                || (c >= 0x2066 && c <= 0x2069);
    }
}
