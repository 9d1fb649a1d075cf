package dev.penstock.documents.json;

import dev.penstock.documents.DocumentLimits;
import dev.penstock.documents.buffer.Problems;
import dev.penstock.documents.format.Key;
import dev.penstock.documents.format.Names;
import dev.penstock.documents.json.JsonValue.Text;
import java.util.ArrayList;

/** The place in a document that is being read, and the checks whose messages name it. Not thread-safe. */
final class Place {
    /** The elements that are open, the document first. */
    final ArrayList<Level> levels = new ArrayList<>();

    /** The key that is read in the last of them; empty for none. */
    private String child = "";

    /** The place in the array of that key, or -1. */
    private long index = -1;

    /** Moves to a key of the last element; to the element itself if it is empty. */
    void at(String key) {
        at(key, -1);
    }

    /** Moves to a place in the array of a key, or to its only value if that is negative. */
    void at(String key, long place) {
        child = key;
        index = place;
    }

    /** The only string of a key. */
    String single(Values values) {
        if (values.isArray()) {
            throw problem("there must be one string, and there is an array");
        }
        return string(values.next());
    }

    String string(JsonValue value) {
        if (value instanceof Text(String text)) {
            return text;
        }
        throw problem("there must be a string");
    }

    void requireCharacters(String value) {
        int at = Names.firstForbidden(value);
        if (at >= 0) {
            throw problem("XML has no character U+%04X".formatted((int) value.charAt(at)));
        }
    }

    void requireLength(int length, DocumentLimits limits) {
        if (length > limits.textLength()) {
            throw Problems.limit(
                    "read the JSON document at " + path(),
                    "textLength",
                    limits.textLength(),
                    "raise it or use shorter texts");
        }
    }

    RuntimeException problem(String message) {
        return JsonInput.problem(path(), message);
    }

    /** Returns the path of what is being read: keys with dots between them, and places in arrays. */
    String path() {
        StringBuilder path = new StringBuilder();
        for (Level level : levels.subList(1, levels.size())) {
            step(path, level.key, level.index);
        }
        if (!child.isEmpty()) {
            step(path, child, index);
        }
        return path.isEmpty() ? JsonInput.TOP : path.toString();
    }

    private static void step(StringBuilder path, String key, long index) {
        path.append(path.isEmpty() ? "" : ".").append(key);
        if (index >= 0) {
            path.append('[').append(index).append(']');
        }
    }

    String orderPath() {
        at(Key.ORDER);
        return path();
    }
}
