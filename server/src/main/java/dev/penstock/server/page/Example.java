package dev.penstock.server.page;

import java.nio.charset.StandardCharsets;

/**
 * A request to try, as the first page shows it.
 *
 * @param title a few words
 * @param text one sentence
 * @param path path and query, as they are sent
 * @param program that is called with the URL behind its options
 * @param options of the program, such as {@code -N}; may be empty
 */
public record Example(String title, String text, String path, String program, String options) {
    /** A request by {@code curl}. */
    public Example(String title, String text, String path, String options) {
        this(title, text, path, "curl", options);
    }

    /** Returns the command line. */
    String command(String base) {
        return program + " " + (options.isEmpty() ? "" : options + " ") + "'" + base + path + "'";
    }

    /** Returns a name as a segment of a path, or as the name or value of a parameter. */
    static String encoded(String name) {
        StringBuilder path = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            int octet = each & 0xFF;
            if (octet < 0x80 && (Character.isLetterOrDigit(octet) || "-._~".indexOf(octet) >= 0)) {
                path.append((char) octet);
            } else {
                path.append('%').append(hex(octet >> 4)).append(hex(octet & 15));
            }
        }
        return path.toString();
    }

    private static char hex(int digit) {
        return Character.toUpperCase(Character.forDigit(digit, 16));
    }
}
