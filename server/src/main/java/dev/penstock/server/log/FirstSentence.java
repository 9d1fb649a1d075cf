package dev.penstock.server.log;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Text of others, made fit to be part of one sentence of ours. */
public final class FirstSentence {
    private static final int MAX_LENGTH = 600;
    private static final Pattern END = Pattern.compile("\\. (?=\\p{Lu})");

    private FirstSentence() {}

    /** The first sentence of the first line of some text, without its full stop, and not too long. */
    public static String one(@Nullable String text) {
        String line = text == null ? "" : text.strip().lines().findFirst().orElse("").strip();
        line = END.split(line, 2)[0];
        if (line.endsWith(".")) {
            line = line.substring(0, line.length() - 1);
        }
        return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "…";
    }
}
