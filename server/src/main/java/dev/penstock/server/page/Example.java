package dev.penstock.server.page;

import java.nio.charset.StandardCharsets;

/**
 * Something to try, as the home page shows it.
 *
 * @param title a few words
 * @param text one sentence
 * @param path path and query, as they are sent
 * @param curl what {@code curl} is called with before the URL, such as {@code -N}; may be empty
 */
public record Example(String title, String text, String path, String curl) {
    /** The command line to type. */
    String command(String base) {
        return "curl " + (curl.isEmpty() ? "" : curl + " ") + "'" + base + path + "'";
    }

    /** A name, fit to be a segment of a path or a parameter's name or value. */
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
