package dev.penstock.query;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * One value made of many rows.
 *
 * @param function how
 * @param argument of what; null for {@code COUNT}, which needs nothing, and only for that
 * @param filter which rows count; null for all
 * @param label its name in the answer
 */
public record Aggregate(
        Function function,
        @Nullable Expression argument,
        @Nullable Predicate filter,
        String label) {
    /**
     * A function that makes one value of many. All but {@code COUNT} leave NULLs out, and give NULL where nothing else
     * is there, the counts 0.
     */
    public enum Function {
        /** How many rows; a {@code LONG}. */
        COUNT,
        /** How many rows whose argument is not NULL; a {@code LONG}. */
        COUNT_VALUES,
        /**
         * The sum: of {@code INT} and {@code LONG} a {@code LONG}, an error where it is beyond that; of {@code DECIMAL}
         * exact; of {@code FLOAT} and {@code DOUBLE} a {@code DOUBLE}, whose last digits depend on the order in which
         * the database adds.
         */
        SUM,
        /** The least: of texts by code point, of doubles by {@link Double#compare}. */
        MIN,
        /** The greatest, as {@code MIN} has it. */
        MAX,
        /** The sum, divided by how many there are; a {@code DOUBLE}. */
        AVERAGE
    }

    public Aggregate {
        requireNonNull(function);
        requireNonNull(label);
        if ((function == Function.COUNT) != (argument == null)) {
            throw new QueryException(
                    QueryException.Kind.INVALID_PLAN,
                    function
                            + (argument == null
                                    ? " needs an argument; COUNT needs none"
                                    : " takes no argument; COUNT_VALUES does"));
        }
    }

    /** Returns the number of rows. */
    public static Aggregate count(String label) {
        return new Aggregate(Function.COUNT, null, null, label);
    }

    /** Returns a function of one column. */
    public static Aggregate of(Function function, String column, String label) {
        return new Aggregate(function, new Expression.ColumnValue(column), null, label);
    }

    /** Returns the same of those rows that pass {@code filter}. */
    public Aggregate where(Predicate filter) {
        Predicate both = this.filter == null ? filter : Predicate.and(this.filter, filter);
        return new Aggregate(function, argument, both, label);
    }

    /**
     * Its column in an answer over rows of {@code source}.
     *
     * @throws QueryException if the function does not take such an argument
     */
    public Column column(Source source) {
        ColumnType type = argument == null ? ColumnType.LONG : argument.type(source);
        return switch (function) {
            case COUNT, COUNT_VALUES -> new Column(label, ColumnType.LONG, "bigint", false, 20);
            case SUM -> sum(type);
            case AVERAGE -> {
                requireNumber(type);
                yield new Column(label, ColumnType.DOUBLE, "double precision", true, 24);
            }
            case MIN, MAX -> least(source, type);
        };
    }

    private Column sum(ColumnType type) {
        requireNumber(type);
        if (type.isFloating()) {
            return new Column(label, ColumnType.DOUBLE, "double precision", true, 24);
        }
        return type == ColumnType.DECIMAL
                ? new Column(label, ColumnType.DECIMAL, "numeric", true, Column.UNBOUNDED)
                : new Column(label, ColumnType.LONG, "bigint", true, 20);
    }

    private Column least(Source source, ColumnType type) {
        if (argument instanceof Expression.ColumnValue(String name)) {
            Column column = source.column(name);
            return new Column(
                    label,
                    type,
                    column.databaseType(),
                    true,
                    column.maxBytes(),
                    column.nativeType());
        }
        return new Column(label, type, type.name(), true, Column.UNBOUNDED);
    }

    private void requireNumber(ColumnType type) {
        if (!type.isNumeric()) {
            throw new QueryException(
                    QueryException.Kind.INVALID_PLAN,
                    "%s, the %s of a %s: it takes numbers".formatted(label, function, type));
        }
    }
}
