package dev.penstock.transfer.client.rows;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One line of CSV: an empty cell without quotes is NULL, {@code ""} is the empty text. */
final class CsvLine {
    private CsvLine() {}

    /** The length of the first line, with its end. */
    static int end(byte[] text) {
        boolean isQuoted = false;
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '"') {
                isQuoted = !isQuoted;
            } else if (text[i] == '\n' && !isQuoted) {
                return i + 1;
            }
        }
        return text.length;
    }

    /** The cells. */
    static List<Optional<String>> cells(byte[] line) {
        int length = line.length;
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) {
            length--;
        }
        List<Optional<String>> cells = new ArrayList<>();
        int at = 0;
        while (at <= length) {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            boolean isQuoted = at < length && line[at] == '"';
            at = isQuoted ? quoted(line, at + 1, length, text) : plain(line, at, length, text);
            cells.add(
                    isQuoted || text.size() > 0
                            ? Optional.of(text.toString(StandardCharsets.UTF_8))
                            : Optional.empty());
            at++;
        }
        return cells;
    }

    /** Reads up to the comma or the end. */
    private static int plain(byte[] line, int from, int length, ByteArrayOutputStream text) {
        int at = from;
        while (at < length && line[at] != ',') {
            text.write(line[at++]);
        }
        return at;
    }

    /** Reads up to the closing quote, and gives the position behind it. */
    private static int quoted(byte[] line, int from, int length, ByteArrayOutputStream text) {
        int at = from;
        while (at < length) {
            if (line[at] == '"') {
                if (at + 1 >= length || line[at + 1] != '"') {
                    return plain(line, at + 1, length, text);
                }
                at++;
            }
            text.write(line[at++]);
        }
        return at;
    }
}
