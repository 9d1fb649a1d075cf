package dev.penstock.format;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Utf8;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A reader of PostgreSQL's text of arrays, such as {@code {1,NULL,"a \"b\""}} or {@code [0:1]={{1},{2}}}, that writes
 * them as JSON. What is no such text is found out before anything is written. Elements are copied in runs; only
 * documents and timestamps, which are looked at as a whole, are held. Not thread-safe.
 */
final class ArrayText {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

    /** The position at which the date of a timestamp ends. */
    private static final int DATE_LENGTH = 10;

    private final Escapes escapes;
    private final JsonSyntax syntax;
    private final Utf8 view = new Utf8();
    private byte[] text = new byte[0];
    private byte[] element = new byte[64];
    private int at;
    private int end;

    /**
     * @param escapes what a JSON text needs
     * @param syntax of elements that are JSON
     */
    ArrayText(Escapes escapes, JsonSyntax syntax) {
        this.escapes = escapes;
        this.syntax = syntax;
    }

    /**
     * Writes the array.
     *
     * @param type what its elements are
     * @return false if the text is no array; nothing is written then
     */
    boolean write(Utf8 array, ColumnType type, ByteOutput out) throws IOException {
        begin(array);
        if (!isArray()) {
            return false;
        }
        begin(array);
        while (at < end) {
            switch (text[at]) {
                case '{' -> {
                    out.write('[');
                    at++;
                }
                case '}' -> {
                    out.write(']');
                    at++;
                }
                case ',' -> {
                    out.write(',');
                    at++;
                }
                default -> element(type, out);
            }
        }
        return true;
    }

    /** Comes to where the first brace is, behind the bounds of the dimensions, where these are told. */
    private void begin(Utf8 array) {
        text = array.array();
        at = array.offset();
        end = at + array.length();
        if (at < end && text[at] == '[') {
            while (at < end && text[at] != '=') {
                at++;
            }
            at++;
        }
    }

    private boolean isArray() {
        int depth = 0;
        boolean wantsValue = true;
        do {
            if (at >= end) {
                return false;
            }
            byte next = text[at];
            if (next == '{' && wantsValue) {
                depth++;
                at++;
                if (at < end && text[at] == '}') {
                    wantsValue = false;
                }
            } else if (next == '}' && !wantsValue) {
                depth--;
                at++;
            } else if (next == ',' && !wantsValue) {
                wantsValue = true;
                at++;
            } else if (wantsValue && depth > 0 && skip()) {
                wantsValue = false;
            } else {
                return false;
            }
        } while (depth > 0);
        return at == end;
    }

    /** Comes to the end of an element; false if there is none. */
    private boolean skip() {
        int from = at;
        if (text[at] == '"') {
            at++;
            while (at < end && text[at] != '"') {
                at += text[at] == '\\' ? 2 : 1;
            }
            return at++ < end;
        }
        while (at < end && text[at] != ',' && text[at] != '}' && text[at] != '{') {
            at++;
        }
        return at > from;
    }

    private void element(ColumnType type, ByteOutput out) throws IOException {
        int from = at;
        boolean isQuoted = text[at] == '"';
        skip();
        int offset = isQuoted ? from + 1 : from;
        int length = (isQuoted ? at - 1 : at) - offset;
        if (!isQuoted && isNull(offset, length)) {
            out.write(NULL);
            return;
        }
        switch (type) {
            case BOOLEAN -> out.write(text[offset] == 't' ? TRUE : FALSE);
            case INT, LONG, DECIMAL, FLOAT, DOUBLE -> {
                if (JsonRow.isNumber(text, offset, length)) {
                    out.write(text, offset, length);
                } else {
                    string(offset, length, out);
                }
            }
            case JSON -> document(offset, length, out);
            case TIMESTAMP, TIMESTAMP_UTC ->
                    timestamp(offset, length, type == ColumnType.TIMESTAMP_UTC, out);
            case TEXT, DATE, TIME, BINARY, UUID, OTHER -> string(offset, length, out);
        }
    }

    private boolean isNull(int offset, int length) {
        return length == NULL.length
                && (text[offset] | 0x20) == 'n'
                && (text[offset + 1] | 0x20) == 'u'
                && (text[offset + 2] | 0x20) == 'l'
                && (text[offset + 3] | 0x20) == 'l';
    }

    private void string(int offset, int length, ByteOutput out) throws IOException {
        out.write('"');
        int run = offset;
        int last = offset + length;
        for (int i = offset; i < last; i++) {
            if (text[i] == '\\') {
                escapes.write(text, run, i - run, out);
                run = i + 1;
                i++;
            }
        }
        escapes.write(text, run, last - run, out);
        out.write('"');
    }

    private void document(int offset, int length, ByteOutput out) throws IOException {
        int copied = copy(offset, length);
        if (syntax.isDocument(view.set(element, 0, copied))) {
            JsonRow.DOCUMENT.write(view, out);
        } else {
            string(offset, length, out);
        }
    }

    /** As ISO 8601 and the canonical text have it. */
    private void timestamp(int offset, int length, boolean utc, ByteOutput out) throws IOException {
        int copied = copy(offset, length);
        boolean isUsual =
                copied > DATE_LENGTH && element[DATE_LENGTH] == ' ' && element[copied - 1] <= '9';
        if (isUsual) {
            element[DATE_LENGTH] = 'T';
            if (utc && copied > 3 && element[copied - 3] == '+') {
                element[copied - 3] = 'Z';
                copied -= 2;
            }
        }
        out.write('"');
        escapes.write(element, 0, copied, out);
        out.write('"');
    }

    /** Copies an element without its backslashes; gives the length. */
    private int copy(int offset, int length) {
        if (element.length < length) {
            element = Arrays.copyOf(element, length);
        }
        int copied = 0;
        int last = offset + length;
        for (int i = offset; i < last; i++) {
            i += text[i] == '\\' ? 1 : 0;
            element[copied++] = text[i];
        }
        return copied;
    }
}
