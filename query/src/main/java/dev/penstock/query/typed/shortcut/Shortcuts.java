package dev.penstock.query.typed.shortcut;

import dev.penstock.query.Cursor;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldCondition;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.TextField;
import java.util.IntSummaryStatistics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answers of an engine that has the rows of a table at hand, given in so short a time that making a plan would take
 * longer. What it gives is what the plan would give. Thread-safe; no call waits or allocates more than its answer, but
 * where it says so.
 */
public interface Shortcuts {
    /** What counts give where they can't tell: a plan is to be asked. */
    long UNKNOWN = -1;

    /**
     * Returns how many rows have a constant that compares so; {@link #UNKNOWN} where this can't tell.
     *
     * @param ordinal that of the constant
     */
    long count(EnumField<?, ?> field, Comparator comparator, int ordinal);

    /**
     * Returns how many rows have a number that compares so; {@link #UNKNOWN} where this can't tell.
     *
     * @param field an {@link IntField} or a {@link LongField}
     */
    long count(Field<?, ?> field, Comparator comparator, long number);

    /**
     * Returns how many rows have a number of a range; {@link #UNKNOWN} where this can't tell.
     *
     * @param field an {@link IntField} or a {@link LongField}
     */
    long count(Field<?, ?> field, long least, long greatest);

    /** Returns how many rows have a text that starts with this one; {@link #UNKNOWN} where this can't tell. */
    long count(TextField<?> field, String start);

    /**
     * Returns how many rows pass two conditions on different fields; {@link #UNKNOWN} where this can't tell.
     *
     * @param one a comparison or a range that {@link ShortcutPairRows#isCounted counts}
     * @param other likewise
     */
    long count(FieldCondition<?> one, FieldCondition<?> other);

    /**
     * Returns the different values of a field that is never null, in their order, as a list that can't be changed; null
     * where this can't tell. The first call makes the list, and may count the values for it.
     */
    <V> @Nullable List<V> distinct(Field<?, V> field);

    /** The extreme of no rows. */
    long NO_NUMBER = Long.MAX_VALUE;

    /** The extreme where only a plan can tell. */
    long UNKNOWN_NUMBER = Long.MIN_VALUE;

    /**
     * Returns a cursor before the first row in the order of the key that has a number, and none but that, with the
     * columns of an entity's fields; whoever asked closes it at once.
     *
     * @param field an {@link IntField} or a {@link LongField}
     * @return null where this can't tell
     */
    @Nullable Cursor first(Field<?, ?> field, long number, Entity<?> entity);

    /**
     * Returns a cursor before the rows that have one of some numbers, with the columns of an entity's fields; whoever
     * asked closes it at once.
     *
     * @param field an {@link IntField} or a {@link LongField}
     * @param numbers in ascending order
     * @param inOrder whether the rows come in the order of their numbers; else in that of the key
     * @return null where this can't tell, as where a number has several rows
     */
    @Nullable Cursor rows(Field<?, ?> field, long[] numbers, boolean inOrder, Entity<?> entity);

    /**
     * Returns the least number of a field that is not null, or the greatest; {@link #NO_NUMBER} where there is none,
     * {@link #UNKNOWN_NUMBER} where this can't tell.
     */
    long extreme(IntField<?> field, boolean greatest);

    /**
     * Statistics of a field that is never null, over those rows that are left when rows sorted by another field, which
     * has no null, and by the key where that leaves them equal, are skipped and limited.
     *
     * @return null where this can't tell
     */
    @Nullable IntSummaryStatistics statistics(
            IntField<?> of, Field<?, ?> order, boolean descending, long skip, long limit);
}
