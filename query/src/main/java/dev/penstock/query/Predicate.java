package dev.penstock.query;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A condition on a row. A row passes or it doesn't: a comparison with a NULL cell is not passed, except {@link IsNull}
 * and {@link Comparison} with {@code NOT_EQUAL}, which is; and {@link Not} is the true complement.
 *
 * <p>{@link SqlNot} is the other negation, SQL's, of three values. To it, a condition on a cell that is NULL is
 * unknown, but for {@link IsNull} and {@code NOT_EQUAL} (SQL's {@code IS DISTINCT FROM}); {@link And} and {@link Or} of
 * unknown parts are unknown where the other parts don't decide; and {@link Not} is true of what is unknown. An unknown
 * condition is not passed, and neither is its negation.
 *
 * <p>Values are of the Java type of the column: {@code Boolean}, {@code Integer} or {@code Long}, {@code BigDecimal},
 * {@code Float}, {@code Double}, {@code String}, {@code LocalDate}, {@code LocalTime}, {@code LocalDateTime}, {@code
 * Instant}, {@code byte[]}, {@code java.util.UUID}. {@code JSON} and {@code OTHER} columns compare as text. A {@link
 * NativeValue} is compared by the database itself, as it has the column's own type.
 */
public sealed interface Predicate {
    /** True of every row. */
    Predicate ALL = new And(List.of());

    /** A comparison of a cell with a value. */
    enum Comparator {
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL;

        /**
         * Returns whether this holds of two values.
         *
         * @param order how the first compares with the second, as {@link java.util.Comparator#compare} has it
         */
        public boolean holds(int order) {
            return switch (this) {
                case EQUAL -> order == 0;
                case NOT_EQUAL -> order != 0;
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
                case GREATER -> order > 0;
                case GREATER_OR_EQUAL -> order >= 0;
            };
        }
    }

    /** A condition that compares a cell with a value. */
    record Comparison(String column, Comparator comparator, Object value) implements Predicate {
        public Comparison {
            requireNonNull(column);
            requireNonNull(comparator);
            requireNonNull(value);
        }
    }

    /** A condition that a cell equals one of several values; false for NULL and for no values. */
    record In(String column, List<Object> values) implements Predicate {
        public In {
            requireNonNull(column);
            values = List.copyOf(values);
        }
    }

    /**
     * A condition that a cell equals one of the values of a subquery, a plan of one column; false for NULL and for no
     * values. NULLs among the values are no values. To {@link SqlNot} it is unknown of a cell that is NULL, whatever
     * the values are.
     */
    record InSubquery(String column, Subquery subquery) implements Predicate {
        public InSubquery {
            requireNonNull(column);
            requireNonNull(subquery);
        }
    }

    /** A condition that a cell is NULL. */
    record IsNull(String column) implements Predicate {
        public IsNull {
            requireNonNull(column);
        }
    }

    /** A condition that all of several hold; true where there are none. */
    record And(List<Predicate> all) implements Predicate {
        public And {
            all = List.copyOf(all);
        }
    }

    /** A condition that any of several holds; false where there are none. */
    record Or(List<Predicate> any) implements Predicate {
        public Or {
            any = List.copyOf(any);
        }
    }

    /** The true complement. */
    record Not(Predicate predicate) implements Predicate {
        public Not {
            requireNonNull(predicate);
        }
    }

    /**
     * The negation of SQL: true where the condition is false, and unknown, which no row passes, where it is unknown.
     */
    record SqlNot(Predicate predicate) implements Predicate {
        public SqlNot {
            requireNonNull(predicate);
        }
    }

    /** A relation of two texts. */
    enum TextOperation {
        STARTS_WITH,
        ENDS_WITH,
        CONTAINS,
        EQUAL
    }

    /**
     * A cell of text against a text, code point by code point. Ignoring case, two code points are the same where {@link
     * String#equalsIgnoreCase} takes them for the same: by simple mappings, never one to many.
     */
    record Text(String column, TextOperation operation, String value, boolean ignoringCase)
            implements Predicate {
        public Text {
            requireNonNull(column);
            requireNonNull(operation);
            requireNonNull(value);
        }
    }

    /**
     * A condition that a cell of text as a whole matches a regular expression, as by {@link
     * java.util.regex.Matcher#matches}.
     *
     * @param column the cell
     * @param pattern the expression
     * @param flags those of {@link java.util.regex.Pattern#compile(String, int)}
     */
    record Matches(String column, String pattern, int flags) implements Predicate {
        public Matches {
            requireNonNull(column);
            requireNonNull(pattern);
        }
    }

    /**
     * A comparison of two expressions: whole numbers and decimals with each other by value, texts by code point, else
     * only what is of one type. Where a side is NULL it is false, except with {@code NOT_EQUAL}, which is SQL's {@code
     * IS DISTINCT FROM}: true if just one is.
     */
    record Relation(Expression left, Comparator comparator, Expression right) implements Predicate {
        public Relation {
            requireNonNull(left);
            requireNonNull(comparator);
            requireNonNull(right);
        }
    }

    /** Returns a condition that holds where both do. */
    static Predicate and(Predicate one, Predicate other) {
        if (one.equals(ALL)) {
            return other;
        }
        return other.equals(ALL) ? one : new And(List.of(one, other));
    }
}
