package dev.penstock.transfer.client.rows;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/**
 * Rows of a test, in each format, from any row on; each has a title with all that is difficult, NULLs among them, and
 * an id.
 */
public final class Export {
    private static final List<Optional<String>> TITLES =
            List.of(
                    Optional.of("plain"),
                    Optional.of("with, comma"),
                    Optional.of("with \"quotes\""),
                    Optional.of("two\nlines\r\nand three"),
                    Optional.empty(),
                    Optional.of(""),
                    Optional.of("null"),
                    Optional.of("{[}],\\ \u00e4\u20ac\ud83d\ude00 (a)"));

    private Export() {}

    /** The title of a row. */
    public static Optional<String> title(int row) {
        return TITLES.get(row % TITLES.size());
    }

    /** The response for the rows from one on. */
    public static byte[] response(String mediaType, int from, int rows) {
        String text =
                switch (mediaType) {
                    case "text/csv" -> csv(from, rows);
                    case "application/x-ndjson" ->
                            json(from, rows, "", "\n", rows > from ? "\n" : "");
                    default -> json(from, rows, "[", ",\n", "]\n");
                };
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String csv(int from, int rows) {
        StringBuilder text = new StringBuilder("the title,id\r\n");
        for (int i = from; i < rows; i++) {
            text.append(title(i).map(Export::cell).orElse("")).append(',').append(i).append("\r\n");
        }
        return text.toString();
    }

    private static String cell(String title) {
        boolean isPlain =
                !title.isEmpty() && title.chars().noneMatch(c -> ",\"\r\n".indexOf(c) >= 0);
        return isPlain ? title : "\"" + title.replace("\"", "\"\"") + "\"";
    }

    private static String json(int from, int rows, String head, String between, String tail) {
        StringJoiner text = new StringJoiner(between, head, tail);
        IntStream.range(from, rows)
                .forEach(i ->
                        text.add(
                                "{\"the title\":%s,\"more\":{\"a\":[\"}\"]},\"id\":%d}"
                                        .formatted(
                                                title(i).map(Export::quoted).orElse("null"), i)));
        return text.toString();
    }

    private static String quoted(String title) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < title.length(); i++) {
            char c = title.charAt(i);
            text.append(
                    switch (c) {
                        case '"' -> "\\\"";
                        case '\\' -> "\\\\";
                        case '\n' -> "\\n";
                        case '\r' -> "\\r";
                        case '\u00e4' -> "\\u00e4";
                        default -> String.valueOf(c);
                    });
        }
        return text.append('"').toString();
    }
}
