package dev.penstock.documents.store;

/** Texts as JSON strings, for the paths that databases take. */
public final class JsonText {
    private JsonText() {}

    /** A text in quotes, with what JSON wants escaped. */
    public static String quoted(String text) {
        var quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
