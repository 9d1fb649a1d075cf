package dev.penstock.documents.format;

import dev.penstock.documents.buffer.Rope;
import dev.penstock.documents.buffer.Scratch;

/** The values of one key of an open element. */
final class Slot {
    Key key;
    final Rope values;

    /** The nodes that have begun under this key. */
    long count;

    /**
     * The values that have been written to {@link #values} or, where the element is written directly, to the output.
     */
    long written;

    boolean forced;

    Slot(Key key, Scratch scratch) {
        this.key = key;
        this.values = new Rope(scratch);
    }

    void reset(Key next, boolean isForced) {
        key = next;
        count = 0;
        written = 0;
        forced = isForced;
    }

    boolean isArray() {
        return forced || count > 1;
    }
}
