package dev.penstock.format;

import java.util.Locale;

/**
 * Column names as names of XML elements, by the rules of SQL/XML (ISO 9075-14, fully escaped): what a name can't hold
 * becomes {@code _xHHHH_}, and so does the underscore of a {@code _x} that stands in the name itself, so that every
 * name has its own and can be read back.
 */
final class XmlName {
    /** Letters beyond ASCII, from and to, that every edition of XML 1.0 allows anywhere in a name. */
    private static final int[] LETTERS = {
        0x00C0, 0x00D6, 0x00D8, 0x00F6, 0x00F8, 0x0131, 0x038E, 0x03A1, 0x03A3, 0x03CE, 0x0401,
                0x040C, 0x040E,
        0x044F, 0x0451, 0x045C, 0x05D0, 0x05EA, 0x0621, 0x063A, 0x3041, 0x3094, 0x30A1, 0x30FA,
                0x4E00, 0x9FA5,
        0xAC00, 0xD7A3
    };

    private XmlName() {}

    static String of(String column) {
        StringBuilder name = new StringBuilder();
        boolean reserved = column.toLowerCase(Locale.ROOT).startsWith("xml");
        for (int i = 0; i < column.length(); ) {
            int character = column.codePointAt(i);
            boolean allowed = i == 0 ? starts(character) && !reserved : continues(character);
            if (allowed && !column.startsWith("_x", i)) {
                name.appendCodePoint(character);
            } else {
                name.append(String.format(character > 0xFFFF ? "_x%06X_" : "_x%04X_", character));
            }
            i += Character.charCount(character);
        }
        return name.toString();
    }

    private static boolean starts(int character) {
        if (character < 0x80) {
            return (character >= 'a' && character <= 'z')
                    || (character >= 'A' && character <= 'Z')
                    || character == '_';
        }
        for (int i = 0; i < LETTERS.length; i += 2) {
            if (character >= LETTERS[i] && character <= LETTERS[i + 1]) {
                return true;
            }
        }
        return false;
    }

    private static boolean continues(int character) {
        return starts(character)
                || (character >= '0' && character <= '9')
                || character == '-'
                || character == '.';
    }
}
