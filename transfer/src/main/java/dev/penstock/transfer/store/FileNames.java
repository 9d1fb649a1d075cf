package dev.penstock.transfer.store;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The rules for names of files that clients choose. */
final class FileNames {
    private static final int MOST_BYTES = 255;

    private FileNames() {}

    /**
     * Checks a name.
     *
     * @throws TransferException {@code INVALID}, which says what is wrong with it
     */
    static void check(Path directory, String name) {
        if (name.isEmpty()) {
            throw invalid("is empty");
        }
        if (name.startsWith(".")) {
            throw invalid("begins with a dot; files that are hidden, and . and .., are not taken");
        }
        if (name.indexOf('/') >= 0 || name.indexOf('\\') >= 0) {
            throw invalid("has a separator of folders; send the name alone");
        }
        if (name.codePoints().anyMatch(FileNames::isControl)) {
            throw invalid("has a control character, or one that changes the direction of text");
        }
        if (name.codePoints().anyMatch(point -> Character.getType(point) == Character.SURROGATE)) {
            throw invalid("has half a character (an unpaired surrogate)");
        }
        int bytes = bytes(name);
        if (bytes > MOST_BYTES) {
            throw invalid("has %d bytes of UTF-8; %d are allowed".formatted(bytes, MOST_BYTES));
        }
        try {
            if (!directory.equals(directory.resolve(name).getParent())) {
                throw invalid("leads to another folder");
            }
        } catch (InvalidPathException e) {
            throw new TransferException(
                    Kind.INVALID,
                    "The name of the file can't be spelled in the server's file system: %s. Use other characters, or"
                                    .formatted(e.getReason())
                            + " start the server in a locale of UTF-8, such as LC_ALL=C.UTF-8",
                    e);
        }
    }

    private static boolean isControl(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            // Directions of text, with which a name can pretend another ending.
            case Character.FORMAT ->
                    (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
            default -> false;
        };
    }

    private static TransferException invalid(String what) {
        return new TransferException(Kind.INVALID, "The name of the file " + what);
    }

    /** Makes the name for the n-th file of a name: {@code report.pdf}, {@code report (2).pdf}; never too long. */
    static String numbered(String name, int number) {
        if (number == 1) {
            return name;
        }
        int dot = name.lastIndexOf('.');
        String ending =
                dot > 0 && bytes(name.substring(dot)) < MOST_BYTES / 2 ? name.substring(dot) : "";
        String base = name.substring(0, name.length() - ending.length());
        String suffix = " (" + number + ")" + ending;
        while (bytes(base) + bytes(suffix) > MOST_BYTES) {
            base = base.substring(0, base.offsetByCodePoints(base.length(), -1));
        }
        return base + suffix;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
