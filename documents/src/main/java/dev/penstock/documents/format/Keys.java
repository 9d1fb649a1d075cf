package dev.penstock.documents.format;

import dev.penstock.documents.DocumentLimits;
import dev.penstock.documents.buffer.ForbiddenText;
import dev.penstock.documents.buffer.Problems;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The keys of one document by prefix and local name. */
final class Keys {
    private final DocumentLimits limits;
    private @Nullable Entry[] table = new Entry[256];
    private int size;

    private record Entry(String prefix, String name, Key key, @Nullable Entry next) {}

    Keys(DocumentLimits limits) {
        this.limits = limits;
    }

    /** Returns the one key of a name. The prefix is empty where there is none. */
    Key key(String prefix, String name) {
        int index = index(prefix, name, table.length);
        for (Entry entry = table[index]; entry != null; entry = entry.next) {
            if (entry.name.equals(name) && entry.prefix.equals(prefix)) {
                return entry.key;
            }
        }
        return add(prefix, name);
    }

    private static int index(String prefix, String name, int capacity) {
        int hash = name.hashCode() * 31 + prefix.hashCode();
        return (hash ^ (hash >>> 15)) & (capacity - 1);
    }

    private Key add(String prefix, String name) {
        int length = prefix.isEmpty() ? name.length() : prefix.length() + 1 + name.length();
        if (length > limits.nameLength()) {
            throw Problems.limit(
                    "read the XML document",
                    "nameLength",
                    limits.nameLength(),
                    "raise it or use shorter names");
        }
        if (++size > limits.distinctNames()) {
            throw Problems.limit(
                    "read the XML document",
                    "distinctNames",
                    limits.distinctNames(),
                    "raise it or use fewer names");
        }
        if (size > table.length) {
            grow();
        }
        String qualified = prefix.isEmpty() ? name : prefix + ":" + name;
        if (!Names.isQualified(qualified)) {
            throw new ForbiddenText("\"%s\" is no name of XML".formatted(qualified));
        }
        Key key = Key.ofName(qualified);
        int index = index(prefix, name, table.length);
        table[index] = new Entry(prefix, name, key, table[index]);
        return key;
    }

    private void grow() {
        @Nullable Entry[] old = table;
        table = Arrays.copyOf(new Entry[0], old.length * 2);
        for (Entry first : old) {
            for (Entry entry = first; entry != null; entry = entry.next) {
                int index = index(entry.prefix, entry.name, table.length);
                table[index] = new Entry(entry.prefix, entry.name, entry.key, table[index]);
            }
        }
    }
}
