package dev.penstock.query.typed.stream;

import dev.penstock.query.Evaluation;
import dev.penstock.query.QueryException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The different values of a stream that a condition keeps, without null. Arrays of bytes are the same by what is in
 * them. Both the number of values and what they take of the heap have a bound. Used by one thread.
 */
final class ReadValues {
    /** The most values. */
    static final int MOST_VALUES = 1_000_000;

    /** The most bytes of heap that the values of one condition take. */
    private static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 4;

    /**
     * About what a small value takes, and its places in this set, in the sorted one that tests by it, and in the list
     * that is bound.
     */
    private static final int VALUE_BYTES = 120;

    private final String entity;
    private final long mostBytes;
    private final Set<Object> values = new HashSet<>();
    private final Set<Object> arrays = new TreeSet<>(Evaluation::compare);
    private long bytes;

    /**
     * @param entity what the stream is of, for messages
     */
    ReadValues(String entity) {
        this(entity, MOST_BYTES);
    }

    ReadValues(String entity, long mostBytes) {
        this.entity = entity;
        this.mostBytes = mostBytes;
    }

    /**
     * Adds a value; null is none.
     *
     * @throws QueryException of kind {@code MEMORY_LIMIT} if there are too many
     */
    void add(@Nullable Object value) {
        boolean isNew =
                switch (value) {
                    case null -> false;
                    case byte[] array -> arrays.add(array);
                    default -> values.add(value);
                };
        if (value == null || !isNew) {
            return;
        }
        bytes += bytes(value);
        if (values.size() + arrays.size() > MOST_VALUES) {
            throw tooMany("there are more than %,d different ones".formatted(MOST_VALUES));
        }
        if (bytes > mostBytes) {
            throw tooMany(
                    "they take more than %,d bytes, a quarter of the heap".formatted(mostBytes));
        }
    }

    private static long bytes(Object value) {
        return VALUE_BYTES
                + switch (value) {
                    case String text -> (long) text.length() * Character.BYTES;
                    case byte[] array -> array.length;
                    case BigDecimal number -> number.precision();
                    case BigInteger number -> number.bitLength() / Byte.SIZE;
                    default -> 0;
                };
    }

    private QueryException tooMany(String why) {
        return new QueryException(
                QueryException.Kind.MEMORY_LIMIT,
                ("reading the values of a stream of %s for in(…) failed: %s. Filter them, or ask both streams of"
                                + " one engine without code in the inner one, so that one query does both"
                                + " (explain tells)")
                        .formatted(entity, why));
    }

    /** Returns the values, which are all arrays or none. */
    Set<Object> values() {
        return arrays.isEmpty() ? values : arrays;
    }
}
