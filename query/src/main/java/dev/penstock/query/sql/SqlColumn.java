package dev.penstock.query.sql;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.Predicate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column with the SQL that its dialect needs to read and to compare it. In parameters, {@code ?} stands for the bound value.
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
 */
record SqlColumn(
        Column column,
        String name,
        String value,
        String comparable,
        String parameter,
        String text,
        @Nullable Equality equality,
        String length,
        boolean padded) {
    /** The {@link Fitted.Bound#detail} of a value that {@link Equality} takes. */
    static final int TAKEN = 1;

    SqlColumn {
        requireNonNull(column);
    }

    /**
     * An equality that an index may serve: it holds at least where the exact one does.
     *
     * @param expression of the column
     * @param parameter a bound value, to be compared with it
     * @param exact whether it holds nowhere else
     * @param labels the values that it takes; null for all
     */
    record Equality(
            String expression, String parameter, boolean exact, @Nullable List<String> labels) {
        boolean takes(Object value) {
            return labels == null || (value instanceof String text && labels.contains(text));
        }
    }

    /** A column that compares as it is. */
    static SqlColumn plain(Column column, String name, String parameter, String length) {
        return new SqlColumn(column, name, name, name, parameter, "", null, length, false);
    }

    /** The same column, giving its value by another expression. */
    SqlColumn withValue(String value) {
        return with(value, comparable, parameter, text, equality, padded);
    }

    /** The same column, compared by another expression. */
    SqlColumn withComparable(String comparable, String parameter) {
        return with(value, comparable, parameter, text, equality, padded);
    }

    /** The same column, whose text patterns are matched with. */
    SqlColumn withText(String text) {
        return with(value, comparable, parameter, text, equality, padded);
    }

    /** The same column, with an equality that an index may serve. */
    SqlColumn withEquality(Equality equality) {
        return with(value, comparable, parameter, text, equality, padded);
    }

    /** The same column, whose values come with spaces that are not part of them. */
    SqlColumn withPadding() {
        return with(value, comparable, parameter, text, equality, true);
    }

    private SqlColumn with(
            String value,
            String comparable,
            String parameter,
            String text,
            @Nullable Equality equality,
            boolean padded) {
        return new SqlColumn(
                column, name, value, comparable, parameter, text, equality, length, padded);
    }

    /** What this is under another name, which no index serves. */
    SqlColumn renamed(Column column, String name) {
        return new SqlColumn(
                column,
                name,
                value.replace(this.name, name),
                comparable.replace(this.name, name),
                parameter,
                text.replace(this.name, name),
                null,
                length.replace(this.name, name),
                padded);
    }

    /** An expression whose equality is exactly that of the canonical value; what an index may serve, if there is that. */
    String equatable() {
        return equality != null && equality.exact() ? equality.expression() : comparable;
    }

    /** A comparison with this column, as the database can say it. */
    Fitted fit(Predicate.Comparator comparator, Object value, Dialect dialect) {
        Fitted fitted = Fitted.of(column, comparator, value, dialect);
        return equality != null
                        && fitted instanceof Fitted.Bound(var by, var bound, _)
                        && equality.takes(bound)
                ? new Fitted.Bound(by, bound, TAKEN)
                : fitted;
    }
}
