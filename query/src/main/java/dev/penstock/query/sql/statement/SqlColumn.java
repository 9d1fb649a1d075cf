package dev.penstock.query.sql.statement;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column with the SQL that its dialect needs to read and to compare it. In parameters, {@code ?} stands for the bound
 * value.
 *
 * @param column what the outside sees
 * @param name the quoted identifier
 * @param value gives the value for the answer
 * @param comparable an expression whose equality and order are exactly those of the canonical value
 * @param parameter a bound value, to be compared with {@code comparable}
 * @param text the canonical text, for patterns; empty where the value is no text
 * @param equality one that an index may serve; null where {@code comparable} is as good
 * @param length an upper bound of the value's bytes that is cheap to get; used where {@link Column#maxBytes} is large
 * @param padded whether the database pads values with spaces that are not part of them
 * @param nativeComparison how a {@link dev.penstock.query.NativeValue} is compared, and what native order there is;
 *     null where neither is known
 * @param collation by which texts compare where {@code comparable} names none, in a database that compares no two
 *     columns of different ones; null for all others
 */
public record SqlColumn(
        Column column,
        String name,
        String value,
        String comparable,
        String parameter,
        String text,
        @Nullable Equality equality,
        String length,
        boolean padded,
        @Nullable NativeComparison nativeComparison,
        @Nullable String collation) {
    /** The {@link BoundComparison.Bound#detail} of a value that is compared as {@link NativeComparison} says. */
    public static final int NATIVE = 2;

    /** The {@link BoundComparison.Bound#detail} of a value that {@link Equality} takes. */
    public static final int TAKEN = 1;

    public SqlColumn {
        requireNonNull(column);
    }

    /**
     * The comparison of the column's own type in the database.
     *
     * @param comparable an expression of the column
     * @param parameter a bound text as a value of the type
     * @param isNone a condition that holds of a bound text which is no value of the type, or fails for it
     * @param nullTested an expression that is NULL where the cell is, and only there, for a column of which the
     *     database says IS NULL elsewhere too; null for others
     */
    public record NativeComparison(
            String comparable, String parameter, String isNone, @Nullable String nullTested) {
        public NativeComparison(String comparable, String parameter, String isNone) {
            this(comparable, parameter, isNone, null);
        }

        /** Returns the same, of which another expression is NULL where the cell is. */
        public NativeComparison withNullTested(String expression) {
            return new NativeComparison(comparable, parameter, isNone, expression);
        }
    }

    /** Returns what is NULL where the cell is, and only there. */
    public String nullTested() {
        String tested = nativeComparison == null ? null : nativeComparison.nullTested();
        return tested == null ? name : tested;
    }

    /**
     * An equality that an index may serve: it holds at least where the exact one does.
     *
     * @param expression of the column
     * @param parameter a bound value, to be compared with it
     * @param exact whether it holds nowhere else
     * @param labels the values that it takes; null for all
     */
    public record Equality(
            String expression, String parameter, boolean exact, @Nullable List<String> labels) {
        boolean takes(Object value) {
            return labels == null || (value instanceof String text && labels.contains(text));
        }
    }

    /** Returns a column that compares as it is. */
    public static SqlColumn plain(Column column, String name, String parameter, String length) {
        return new SqlColumn(
                column, name, name, name, parameter, "", null, length, false, null, null);
    }

    /** Returns the same column, giving its value by another expression. */
    public SqlColumn withValue(String value) {
        return with(value, comparable, parameter, text, equality, padded, nativeComparison);
    }

    /** Returns the same column, compared by another expression. */
    public SqlColumn withComparable(String comparable, String parameter) {
        return with(value, comparable, parameter, text, equality, padded, nativeComparison);
    }

    /** Returns the same column, whose text patterns are matched with. */
    public SqlColumn withText(String text) {
        return with(value, comparable, parameter, text, equality, padded, nativeComparison);
    }

    /** Returns the same column, with an equality that an index may serve. */
    public SqlColumn withEquality(Equality equality) {
        return with(value, comparable, parameter, text, equality, padded, nativeComparison);
    }

    /** Returns the same column, whose values come with spaces that are not part of them. */
    public SqlColumn withPadding() {
        return with(value, comparable, parameter, text, equality, true, nativeComparison);
    }

    /** Returns the same column, which compares as its own type does as well. */
    public SqlColumn withNativeComparison(NativeComparison nativeComparison) {
        return with(value, comparable, parameter, text, equality, padded, nativeComparison);
    }

    /** Returns the same column, whose texts compare by a collation that {@code comparable} does not name. */
    public SqlColumn withCollation(String collation) {
        return new SqlColumn(
                column,
                name,
                value,
                comparable,
                parameter,
                text,
                equality,
                length,
                padded,
                nativeComparison,
                collation);
    }

    private SqlColumn with(
            String value,
            String comparable,
            String parameter,
            String text,
            @Nullable Equality equality,
            boolean padded,
            @Nullable NativeComparison nativeComparison) {
        return new SqlColumn(
                column,
                name,
                value,
                comparable,
                parameter,
                text,
                equality,
                length,
                padded,
                nativeComparison,
                collation);
    }

    /** Returns what this is under another name, which no index serves. */
    public SqlColumn renamed(Column column, String name) {
        return new SqlColumn(
                column,
                name,
                value.replace(this.name, name),
                comparable.replace(this.name, name),
                parameter,
                text.replace(this.name, name),
                null,
                length.replace(this.name, name),
                padded,
                nativeComparison == null
                        ? null
                        : new NativeComparison(
                                nativeComparison.comparable().replace(this.name, name),
                                nativeComparison.parameter(),
                                nativeComparison.isNone(),
                                nativeComparison.nullTested() == null
                                        ? null
                                        : nativeComparison.nullTested().replace(this.name, name)),
                collation);
    }

    /** Returns what the database itself does with the column's values. */
    public NativeComparison requireNativeComparison(String database) {
        if (nativeComparison == null) {
            throw new UnsupportedPlanException(
                    "column %s is %s (%s), and is to be compared as %s compares that type, which is not known"
                            .formatted(
                                    column.name(), column.type(), column.databaseType(), database));
        }
        return nativeComparison;
    }

    /** Returns the same column, sorted as its own type is. */
    public SqlColumn inNativeOrder(String database) {
        return withComparable(requireNativeComparison(database).comparable(), parameter);
    }

    /**
     * Returns an expression whose equality is exactly that of the canonical value; what an index may serve, if there is
     * that.
     */
    public String equatable() {
        return equality != null && equality.exact() ? equality.expression() : comparable;
    }

    /**
     * Returns whether values may be equal in order without being the same: as decimals are whose type declares no
     * scale.
     */
    public static boolean isOfAnyScale(Column column) {
        return column.type() == ColumnType.DECIMAL && column.databaseType().indexOf('(') < 0;
    }
}
