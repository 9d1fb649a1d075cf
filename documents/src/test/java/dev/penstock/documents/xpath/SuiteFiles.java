package dev.penstock.documents.xpath;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The files of the suite: documents, expressions, and the answers where the oracles are wrong. */
final class SuiteFiles {
    static final List<String> DOCUMENTS =
            List.of("library", "namespaces", "mixed", "numbers", "language", "deep");
    static final Map<String, String> NAMESPACES = Map.of("p", "urn:p", "q", "urn:q", "d", "urn:d");
    static final Map<String, Object> VARIABLES =
            Map.of("text", "b", "number", 2.0, "flag", true, "quote", "it's \"x\"");

    private SuiteFiles() {}

    static String document(String name) {
        return read(name + ".xml");
    }

    static List<String> expressions() {
        return read("expressions.txt")
                .lines()
                .filter(line ->
                        !line.isBlank() && !line.startsWith("# ") && !line.startsWith("== "))
                .toList();
    }

    /** The differences, one a line: expression, document, expected answer and reason, separated by three bars. */
    static List<Difference> differences() {
        return read("differences.txt")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("# "))
                .map(Difference::parse)
                .toList();
    }

    private static String read(String file) {
        try (InputStream in = SuiteFiles.class.getResourceAsStream(file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An expression on which an oracle is wrong by the recommendation, on one document. */
    record Difference(String expression, String document, String expected, String reason) {
        private static Difference parse(String line) {
            List<String> fields = List.of(line.split(" \\|\\|\\| ", -1));
            return new Difference(fields.get(0), fields.get(1), fields.get(2), fields.get(3));
        }
    }
}
