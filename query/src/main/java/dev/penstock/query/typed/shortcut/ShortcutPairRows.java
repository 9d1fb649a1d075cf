package dev.penstock.query.typed.shortcut;

import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldCondition;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.ValueField;
import dev.penstock.query.typed.mapping.EntityMapping;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.stream.RowRecorder;
import dev.penstock.query.typed.stream.StreamContext;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A stream of the rows of a table that has {@link Shortcuts} which pass two conditions, each on a field of its own.
 */
final class ShortcutPairRows<T> extends RowRecorder<T> {
    private final EntityMapping<T> table;
    private final Shortcuts shortcuts;
    private final FieldCondition<T> one;
    private final FieldCondition<T> other;

    /** The filters as they were called: one for both conditions, or one for each. */
    private final List<Condition<T>> filters;

    private ShortcutPairRows(
            EntityMapping<T> table,
            Shortcuts shortcuts,
            StreamContext context,
            FieldCondition<T> one,
            FieldCondition<T> other,
            List<Condition<T>> filters) {
        super(context);
        this.table = table;
        this.shortcuts = shortcuts;
        this.one = one;
        this.other = other;
        this.filters = filters;
    }

    /** Returns the stream after a filter by two conditions that are joined by AND; null where nothing counts them. */
    static <T> @Nullable ShortcutPairRows<T> of(
            EntityMapping<T> table,
            Shortcuts shortcuts,
            StreamContext context,
            Condition<T> joined) {
        List<Condition<T>> parts = joined.parts();
        if (parts.size() != 2) {
            return null;
        }
        FieldCondition<T> one = parts.get(0).fieldCondition();
        FieldCondition<T> other = parts.get(1).fieldCondition();
        if (one == null || other == null || !isCounted(one) || !isCounted(other)) {
            return null;
        }
        table.check(joined);
        return new ShortcutPairRows<>(table, shortcuts, context, one, other, List.of(joined));
    }

    /** Returns the stream after a filter by one condition and another filter; null where nothing counts them. */
    @SuppressWarnings("unchecked") // a predicate of T that is a condition is one on T
    static <T> @Nullable ShortcutPairRows<T> of(
            EntityMapping<T> table,
            Shortcuts shortcuts,
            StreamContext context,
            FieldCondition<T> one,
            Predicate<? super T> next) {
        if (!(next instanceof Condition<?> said) || !isCounted(one)) {
            return null;
        }
        Condition<T> condition = (Condition<T>) said;
        FieldCondition<T> other = condition.fieldCondition();
        if (other == null || !isCounted(other)) {
            return null;
        }
        table.requireSameEntity(condition);
        return new ShortcutPairRows<>(
                table, shortcuts, context, one, other, List.of(Condition.of(one), condition));
    }

    /**
     * Returns whether rows are counted by such a condition together with another one: by a range of values, whose order
     * is that of every engine.
     */
    static boolean isCounted(FieldCondition<?> condition) {
        return switch (condition) {
            case FieldCondition.Comparison<?, ?> compared ->
                    compared.field() instanceof EnumField<?, ?>
                            ? compared.comparator() == Comparator.EQUAL
                            : compared.comparator() != Comparator.NOT_EQUAL
                                    && isOrdered(compared.field());
            case FieldCondition.Range<?, ?> range -> isOrdered(range.field());
            case FieldCondition.Present<?> _,
                    FieldCondition.Prefix<?> _,
                    FieldCondition.Among<?, ?> _ ->
                    false;
        };
    }

    /** Returns whether every engine sorts the values of a field, and tells them apart, as the JVM does. */
    static boolean isOrdered(Field<?, ?> field) {
        return field instanceof IntField<?>
                || field instanceof LongField<?>
                || (field instanceof ValueField<?, ?> values && values.type() != UUID.class);
    }

    @Override
    protected Recording<?> recorded() {
        Recording<T> rows = Recording.of(table);
        for (Condition<T> filter : filters) {
            rows = rows.then(new StreamOperation.Filter(filter));
        }
        return rows;
    }

    @Override
    public long count() {
        long count = shortcuts.count(one, other);
        if (count == Shortcuts.UNKNOWN) {
            return super.count();
        }
        link();
        return count;
    }
}
