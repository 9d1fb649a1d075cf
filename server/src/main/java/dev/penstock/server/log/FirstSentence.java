package dev.penstock.server.log;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The first sentence of a message of a driver or library, to be quoted within a message of the server. */
public final class FirstSentence {
    private static final int MAX_LENGTH = 600;
    private static final Pattern END = Pattern.compile("\\. (?=\\p{Lu})");

    private FirstSentence() {}

    /** Returns the first sentence of the first line, without its full stop, and at most 600 characters of it. */
    public static String one(@Nullable String text) {
        String line = text == null ? "" : text.strip().lines().findFirst().orElse("").strip();
        line = END.split(line, 2)[0];
        if (line.endsWith(".")) {
            line = line.substring(0, line.length() - 1);
        }
        return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "…";
    }
}
