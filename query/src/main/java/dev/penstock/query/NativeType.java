package dev.penstock.query;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The type that a database itself gives to a column, where a {@link ColumnType} does not tell all of it: how the
 * database compares its values, and what they are made of.
 *
 * @param comparison how the database compares values
 * @param labels the values of an enum, in the order of its declaration; empty for any other type
 * @param element what the elements of an array are; null for what is no array
 */
public record NativeType(Comparison comparison, List<String> labels, @Nullable ColumnType element) {
    /** A type that compares as its {@link ColumnType} says. */
    public static final NativeType CANONICAL = of(Comparison.CANONICAL);

    /** A way in which a database compares values of a type, and who else knows it. */
    public enum Comparison {
        /** As the {@link ColumnType} says: every engine compares alike. */
        CANONICAL,
        /**
         * By an equality and an order that only the database knows: see {@link NativeValue} and {@link
         * Plan.Order#nativeOrder}.
         */
        ORDERED,
        /** By an equality that only the database knows; there is no order. */
        EQUALITY,
        /** Not at all: a value is NULL or not. */
        NONE;

        /** Returns whether two values may be asked for equality. */
        public boolean hasEquality() {
            return this != NONE;
        }

        /** Returns whether of two values one is the greater. */
        public boolean hasOrder() {
            return this == CANONICAL || this == ORDERED;
        }
    }

    public NativeType {
        requireNonNull(comparison);
        labels = List.copyOf(labels);
    }

    /** Returns a type that is neither an enum nor an array. */
    public static NativeType of(Comparison comparison) {
        return new NativeType(comparison, List.of(), null);
    }

    /** Returns an enum. */
    public static NativeType ofLabels(List<String> labels) {
        return new NativeType(Comparison.ORDERED, labels, null);
    }

    /** Returns an array. */
    public static NativeType ofArray(Comparison comparison, ColumnType element) {
        return new NativeType(comparison, List.of(), element);
    }
}
