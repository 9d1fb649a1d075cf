package dev.penstock.documents.store;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A condition on a stored document that every store can translate. A path is a list of keys as they are stored, from
 * the document's root element on; arrays on the way are transparent: a path reaches every value that any choice of
 * their elements leads to. Each condition on a path asks whether <em>some</em> value that the path reaches fulfils it.
 *
 * <p>The text of a value: a JSON string is itself, {@code null} is the empty text, an object is its member
 * {@code #text} where that is a string, or the empty text where it has no member {@code #text}; other values have none.
 */
public sealed interface StoreFilter {
    /** Every document. */
    record Everything() implements StoreFilter {}

    /** No document. */
    record Nothing() implements StoreFilter {}

    /** All of several conditions. */
    record And(List<StoreFilter> all) implements StoreFilter {
        public And {
            all = List.copyOf(all);
        }
    }

    /** Any of several conditions. */
    record Or(List<StoreFilter> any) implements StoreFilter {
        public Or {
            any = List.copyOf(any);
        }
    }

    /** The opposite of a condition. It is never null or unknown. */
    record Not(StoreFilter condition) implements StoreFilter {}

    /** A condition that the path reaches anything; {@code null} counts. */
    record Exists(List<String> path) implements StoreFilter {
        public Exists {
            path = List.copyOf(path);
        }
    }

    /** A condition that the path reaches a value with this text, compared by code points. */
    record Equal(List<String> path, String text) implements StoreFilter {
        public Equal {
            path = List.copyOf(path);
        }
    }

    /** A condition that the path reaches a value with a text that starts with this, compared by code points. */
    record StartsWith(List<String> path, String prefix) implements StoreFilter {
        public StartsWith {
            path = List.copyOf(path);
        }
    }

    /** A condition that the path reaches a value with a text that contains this, compared by code points. */
    record Contains(List<String> path, String part) implements StoreFilter {
        public Contains {
            path = List.copyOf(path);
        }
    }

    /** Returns whether a document can hold a text: XML has neither U+0000 nor halves of characters. */
    static boolean isStorable(String text) {
        return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }
}
