package dev.penstock.query.sql;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
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
 * @param indexed an expression whose equality holds at least where the exact one does and that an index may serve; null where {@code
 *     comparable} is as good
 * @param indexedParameter a bound value, to be compared with {@code indexed}
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
        @Nullable String indexed,
        String indexedParameter,
        String length,
        boolean padded) {
    SqlColumn {
        requireNonNull(column);
    }

    /** A column that compares as it is. */
    static SqlColumn plain(Column column, String name, String parameter, String length) {
        return new SqlColumn(column, name, name, name, parameter, "", null, "?", length, false);
    }

    /** The same column, giving its value by another expression. */
    SqlColumn withValue(String value) {
        return with(value, comparable, parameter, text, indexed, indexedParameter, padded);
    }

    /** The same column, compared by another expression. */
    SqlColumn withComparable(String comparable, String parameter) {
        return with(value, comparable, parameter, text, indexed, indexedParameter, padded);
    }

    /** The same column, whose text patterns are matched with. */
    SqlColumn withText(String text) {
        return with(value, comparable, parameter, text, indexed, indexedParameter, padded);
    }

    /** The same column, with an expression that an index may serve. */
    SqlColumn withIndexed(String indexed, String indexedParameter) {
        return with(value, comparable, parameter, text, indexed, indexedParameter, padded);
    }

    /** The same column, whose values come with spaces that are not part of them. */
    SqlColumn withPadding() {
        return with(value, comparable, parameter, text, indexed, indexedParameter, true);
    }

    private SqlColumn with(
            String value,
            String comparable,
            String parameter,
            String text,
            @Nullable String indexed,
            String indexedParameter,
            boolean padded) {
        return new SqlColumn(
                column,
                name,
                value,
                comparable,
                parameter,
                text,
                indexed,
                indexedParameter,
                length,
                padded);
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
                "?",
                length.replace(this.name, name),
                padded);
    }
}
