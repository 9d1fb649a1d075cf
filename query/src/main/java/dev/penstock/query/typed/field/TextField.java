package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.TextOperation;
import java.util.Arrays;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column of texts. Texts are equal where every character is: no case, accent or trailing space is ignored. The
 * conditions that ignore case do so as {@link String#equalsIgnoreCase} does; databases do it otherwise, so that the JVM
 * may have to filter again. Immutable.
 *
 * @param entity the class of the entity
 * @param column the column's name in the database
 * @param isNullable whether the value may be null
 * @param getter the value in an entity
 * @param <R> the entity
 */
public record TextField<R>(
        Class<R> entity, String column, boolean isNullable, Function<R, @Nullable String> getter)
        implements Field<R, String> {
    public TextField {
        requireNonNull(entity);
        requireNonNull(column);
        requireNonNull(getter);
    }

    /** Returns a column that is never null. */
    public static <R> TextField<R> of(
            Class<R> entity, String column, Function<R, @Nullable String> getter) {
        return new TextField<>(entity, column, false, getter);
    }

    /** Returns a column that may be null. */
    public static <R> TextField<R> nullable(
            Class<R> entity, String column, Function<R, @Nullable String> getter) {
        return new TextField<>(entity, column, true, getter);
    }

    @Override
    public @Nullable String apply(R row) {
        return getter.apply(row);
    }

    /** Returns the condition that the value is the empty text. */
    public Condition<R> isEmpty() {
        return Conditions.text(this, TextOperation.EQUAL, "", false);
    }

    /** Returns the condition that the value is neither null nor the empty text. */
    public Condition<R> isNotEmpty() {
        return Conditions.complement(this, isEmpty());
    }

    /** Returns the condition that the value is this one, but for upper and lower case. */
    public Condition<R> equalIgnoreCase(String text) {
        return Conditions.text(this, TextOperation.EQUAL, text, true);
    }

    /** Returns the condition that the value is not null and differs from this one by more than upper and lower case. */
    public Condition<R> notEqualIgnoreCase(String text) {
        return Conditions.complement(this, equalIgnoreCase(text));
    }

    /** Returns the condition that the value starts with this text. */
    public Condition<R> startsWith(String text) {
        return Conditions.text(this, TextOperation.STARTS_WITH, text, false);
    }

    /** Returns the condition that the value is not null and does not start with this text. */
    public Condition<R> notStartsWith(String text) {
        return Conditions.complement(this, startsWith(text));
    }

    /** Returns the condition that the value starts with this text, but for upper and lower case. */
    public Condition<R> startsWithIgnoreCase(String text) {
        return Conditions.text(this, TextOperation.STARTS_WITH, text, true);
    }

    /** Returns the condition that the value is not null and does not start with this text, whatever the case. */
    public Condition<R> notStartsWithIgnoreCase(String text) {
        return Conditions.complement(this, startsWithIgnoreCase(text));
    }

    /** Returns the condition that the value ends with this text. */
    public Condition<R> endsWith(String text) {
        return Conditions.text(this, TextOperation.ENDS_WITH, text, false);
    }

    /** Returns the condition that the value is not null and does not end with this text. */
    public Condition<R> notEndsWith(String text) {
        return Conditions.complement(this, endsWith(text));
    }

    /** Returns the condition that the value ends with this text, but for upper and lower case. */
    public Condition<R> endsWithIgnoreCase(String text) {
        return Conditions.text(this, TextOperation.ENDS_WITH, text, true);
    }

    /** Returns the condition that the value is not null and does not end with this text, whatever the case. */
    public Condition<R> notEndsWithIgnoreCase(String text) {
        return Conditions.complement(this, endsWithIgnoreCase(text));
    }

    /** Returns the condition that the value contains this text. */
    public Condition<R> contains(String text) {
        return Conditions.text(this, TextOperation.CONTAINS, text, false);
    }

    /** Returns the condition that the value is not null and does not contain this text. */
    public Condition<R> notContains(String text) {
        return Conditions.complement(this, contains(text));
    }

    /** Returns the condition that the value contains this text, but for upper and lower case. */
    public Condition<R> containsIgnoreCase(String text) {
        return Conditions.text(this, TextOperation.CONTAINS, text, true);
    }

    /** Returns the condition that the value is not null and does not contain this text, whatever the case. */
    public Condition<R> notContainsIgnoreCase(String text) {
        return Conditions.complement(this, containsIgnoreCase(text));
    }

    /** Returns the condition that the whole value matches the pattern. */
    public Condition<R> matches(Pattern pattern) {
        return Conditions.matches(this, pattern);
    }

    /** Returns the condition that the whole value matches the regular expression. */
    public Condition<R> matches(String regex) {
        return matches(Pattern.compile(Conditions.given(this, Comparator.EQUAL, regex)));
    }

    /** Returns the condition that the value is not null and does not match the pattern as a whole. */
    public Condition<R> notMatches(Pattern pattern) {
        return Conditions.complement(this, matches(pattern));
    }

    /** Returns the condition that the value is not null and does not match the regular expression as a whole. */
    public Condition<R> notMatches(String regex) {
        return Conditions.complement(this, matches(regex));
    }

    /** Returns the condition that the value is one of these; never of none. */
    public Condition<R> in(String... values) {
        return in(Arrays.asList(values));
    }

    /** Returns the condition that the value is not null and none of these. */
    public Condition<R> notIn(String... values) {
        return notIn(Arrays.asList(values));
    }

    /** Returns the entity's and the column's name. */
    @Override
    public String toString() {
        return entity.getSimpleName() + "." + column;
    }
}
