package dev.penstock.documents.json;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tokens of a stored order, read one by one. */
final class StoredOrder {
    private static final int LONGEST = 100_000;

    /** The longest token of white space, which is as long as a text may be. */
    private static final int LONGEST_SPACE = 16_000_001;

    private final TokenSource tokens;
    private final Supplier<String> path;
    private String key = "";
    private long left;

    /** A source of tokens, one after the other, and null at the end. */
    interface TokenSource {
        @Nullable String next();
    }

    StoredOrder(TokenSource tokens, Supplier<String> path) {
        this.tokens = tokens;
        this.path = path;
    }

    /** Returns the next key or white space (which begins with {@code ~}), or null at the end. */
    @Nullable String next() {
        if (left > 0) {
            left--;
            return key;
        }
        String token = tokens.next();
        if (token == null || token.startsWith("~")) {
            return token;
        }
        int star = token.indexOf('*');
        if (star < 0) {
            return token;
        }
        key = token.substring(0, star);
        left = count(token, star + 1) - 1;
        return key;
    }

    private long count(String token, int from) {
        boolean isNumber = token.length() > from && token.length() - from <= 18;
        for (int i = from; i < token.length(); i++) {
            isNumber &= token.charAt(i) >= '0' && token.charAt(i) <= '9';
        }
        long count = isNumber ? Long.parseLong(token, from, token.length(), 10) : 0;
        if (count < 1) {
            throw JsonInput.problem(
                    path.get(), "the order has the token \"%s\", which is none".formatted(token));
        }
        return count;
    }

    /** The tokens of a string in memory. */
    static TokenSource of(String tokens) {
        int[] at = {0};
        return () -> {
            int start = at[0];
            while (start < tokens.length() && tokens.charAt(start) == ' ') {
                start++;
            }
            if (start == tokens.length()) {
                return null;
            }
            int end = tokens.indexOf(' ', start);
            end = end < 0 ? tokens.length() : end;
            at[0] = end;
            return tokens.substring(start, end);
        };
    }

    /** The tokens of a JSON string in a source, of which little is in memory. */
    static final class InSource implements TokenSource {
        private final JsonSource source;
        private final Supplier<String> path;
        private final byte[] buffer = new byte[4_096];
        private long position;
        private int at;
        private int end;
        private boolean isDone;
        private byte[] escaped = {};
        private int escapedAt;

        /** Begins behind the quote that opens the string. */
        InSource(JsonSource source, long position, Supplier<String> path) {
            this.source = source;
            this.position = position;
            this.path = path;
        }

        @Override
        public @Nullable String next() {
            byte[] token = new byte[32];
            int length = 0;
            while (!isDone) {
                int c = next8();
                if (c < 0) {
                    isDone = true;
                } else if (c == ' ') {
                    if (length > 0) {
                        break;
                    }
                } else {
                    if (length == (token[0] == '~' ? LONGEST_SPACE : LONGEST)) {
                        throw JsonInput.problem(path.get(), "the order has a token that is none");
                    }
                    if (length == token.length) {
                        token = java.util.Arrays.copyOf(token, length * 2);
                    }
                    token[length++] = (byte) c;
                }
            }
            return length == 0 ? null : new String(token, 0, length, StandardCharsets.UTF_8);
        }

        /** Returns the next byte of the string in UTF-8, or -1 at its end. */
        private int next8() {
            if (escapedAt == escaped.length) {
                int c = read();
                if (c == '"') {
                    return -1;
                }
                if (c != '\\') {
                    return c;
                }
                char first = unit();
                String text =
                        Character.isHighSurrogate(first) && read() == '\\'
                                ? new String(new char[] {first, unit()})
                                : String.valueOf(first);
                escaped = text.getBytes(StandardCharsets.UTF_8);
                escapedAt = 0;
            }
            return escaped[escapedAt++] & 0xff;
        }

        /** Reads what follows a backslash; no name of XML has a character that has a letter there. */
        private char unit() {
            if (read() != 'u') {
                throw JsonInput.problem(path.get(), "the order has a character that is none");
            }
            int unit = 0;
            for (int i = 0; i < 4; i++) {
                unit = unit << 4 | Character.digit(read(), 16);
            }
            return (char) unit;
        }

        private int read() {
            if (at == end) {
                end = source.read(position, buffer, 0, buffer.length);
                at = 0;
                if (end <= 0) {
                    throw JsonInput.problem(path.get(), "the order has no end");
                }
                position += end;
            }
            return buffer[at++] & 0xff;
        }
    }
}
