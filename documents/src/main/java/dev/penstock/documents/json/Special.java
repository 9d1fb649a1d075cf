package dev.penstock.documents.json;

import dev.penstock.documents.format.Names;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of XML for declarations, comments and processing instructions that come from JSON. */
final class Special {
    private static final Set<String> DECLARED = Set.of("version", "encoding", "standalone");

    private Special() {}

    /** Returns what is wrong with a declaration, or null. */
    static @Nullable String declarationProblem(Map<String, String> parts) {
        if (!DECLARED.containsAll(parts.keySet())) {
            return "a declaration has version, encoding and standalone";
        }
        boolean isRight =
                "1.0".equals(parts.get("version"))
                        && matches(parts.get("encoding"), "[A-Za-z][A-Za-z0-9._-]{0,99}")
                        && matches(parts.get("standalone"), "yes|no");
        return isRight
                ? null
                : "the declaration must have version 1.0, and what XML allows beside it";
    }

    private static boolean matches(@Nullable String text, String pattern) {
        return text == null || text.matches(pattern);
    }

    /** Returns what is wrong with a comment, or null. */
    static @Nullable String commentProblem(String value) {
        return value.contains("--") || value.endsWith("-") || value.indexOf('\r') >= 0
                ? "a comment can't hold \"--\" or a carriage return, or end with \"-\""
                : null;
    }

    /** Returns the target of a processing instruction: what comes before the first space. */
    static String target(String value) {
        int space = value.indexOf(' ');
        return space < 0 ? value : value.substring(0, space);
    }

    static String data(String value) {
        int space = value.indexOf(' ');
        return space < 0 ? "" : value.substring(space + 1);
    }

    /** Returns what is wrong with a processing instruction, or null. */
    static @Nullable String instructionProblem(String target, String data) {
        if (!Names.isLocal(target, 0, target.length()) || target.equalsIgnoreCase("xml")) {
            return "a processing instruction can't have the target \"%s\"".formatted(target);
        }
        return data.contains("?>") || data.indexOf('\r') >= 0
                ? "a processing instruction can't hold \"?>\" or a carriage return"
                : null;
    }
}
