package dev.penstock.format;

import dev.penstock.query.Utf8;

/**
 * A check whether a text is one JSON document (RFC 8259), nested at most {@value #DEPTH} deep. A database column that
 * is declared as JSON can still hold something else, and embedded as it is that would break the whole answer; it
 * travels as a string instead. So does JSON that is nested deeper, which few parsers would take. Not thread-safe.
 */
final class JsonSyntax {
    static final int DEPTH = 1024;

    /** For each level, whether it is an object. */
    private final boolean[] objects = new boolean[DEPTH];

    private byte[] text = new byte[0];
    private int at;
    private int end;

    boolean isDocument(Utf8 document) {
        text = document.array();
        at = document.offset();
        end = at + document.length();
        return document() && at == end;
    }

    /** Reads values, and what is open around them, without recursion. */
    private boolean document() {
        int depth = 0;
        while (true) {
            space();
            int opened = open();
            if (opened != 0) {
                if (depth == DEPTH) {
                    return false;
                }
                objects[depth++] = opened == '{';
                space();
                if (!take(opened == '{' ? '}' : ']')) {
                    if (opened == '{' && !key()) {
                        return false;
                    }
                    continue;
                }
                depth--;
            } else if (!scalar()) {
                return false;
            }
            depth = close(depth);
            if (depth <= 0) {
                return depth == 0;
            }
        }
    }

    /**
     * After a value: closes what ends here. Returns the depth that is left before the next value; negative for an
     * error.
     */
    private int close(int from) {
        int depth = from;
        space();
        while (depth > 0) {
            boolean object = objects[depth - 1];
            if (take(',')) {
                return object && !key() ? -1 : depth;
            }
            if (!take(object ? '}' : ']')) {
                return -1;
            }
            depth--;
            space();
        }
        return depth;
    }

    private int open() {
        if (at < end && (text[at] == '{' || text[at] == '[')) {
            return text[at++];
        }
        return 0;
    }

    private boolean key() {
        space();
        if (!string()) {
            return false;
        }
        space();
        return take(':');
    }

    private boolean scalar() {
        if (at == end) {
            return false;
        }
        return switch (text[at]) {
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        };
    }

    private boolean string() {
        if (!take('"')) {
            return false;
        }
        while (at < end) {
            int next = text[at++];
            if (next == '"') {
                return true;
            }
            if ((next >= 0 && next < 0x20) || (next == '\\' && !escape())) {
                return false;
            }
        }
        return false;
    }

    private boolean escape() {
        if (at == end) {
            return false;
        }
        int next = text[at++];
        if (next != 'u') {
            return "\"\\/bfnrt".indexOf(next) >= 0;
        }
        for (int digits = 0; digits < 4; digits++) {
            if (at == end || Character.digit(text[at++], 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private boolean number() {
        take('-');
        if (!take('0') && !digits()) {
            return false;
        }
        if (take('.') && !digits()) {
            return false;
        }
        if (take('e') || take('E')) {
            if (!take('+')) {
                take('-');
            }
            return digits();
        }
        return true;
    }

    private boolean digits() {
        int from = at;
        while (at < end && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        return at > from;
    }

    private boolean word(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (!take(word.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean take(int character) {
        if (at < end && text[at] == character) {
            at++;
            return true;
        }
        return false;
    }

    private void space() {
        while (at < end
                && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
    }
}
