package dev.penstock.query.typed.shortcut;

import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldCondition;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.mapping.EntityMapping;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.stream.RowRecorder;
import dev.penstock.query.typed.stream.StreamContext;
import java.util.Comparator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A stream of all rows of a table that has {@link Shortcuts}. */
public final class ShortcutRows<T> extends RowRecorder<T> {
    private final EntityMapping<T> table;
    private final Shortcuts shortcuts;

    public ShortcutRows(EntityMapping<T> table, Shortcuts shortcuts) {
        super(new StreamContext());
        this.table = table;
        this.shortcuts = shortcuts;
    }

    @Override
    protected Recording<?> recorded() {
        return Recording.of(table);
    }

    @Override
    @SuppressWarnings("unchecked") // a predicate of T that is a condition is one on T
    public Stream<T> filter(Predicate<? super T> predicate) {
        if (!(predicate instanceof Condition<?> said)) {
            return super.filter(predicate);
        }
        Condition<T> condition = (Condition<T>) said;
        FieldCondition<T> simple = condition.fieldCondition();
        RowRecorder<T> filtered =
                simple == null
                        ? ShortcutPairRows.of(table, shortcuts, context, condition)
                        : ShortcutFilteredRows.of(table, shortcuts, context, simple);
        if (filtered == null) {
            table.check(condition);
            Stream<T> next = on(new StreamOperation.Filter(condition));
            context.closeWith(condition);
            return next;
        }
        table.requireSameEntity(condition);
        link();
        return filtered;
    }

    @Override
    public Stream<T> sorted(Comparator<? super T> comparator) {
        FieldOrder<T> order = FieldOrder.of(comparator);
        if (order == null || table.unsortable(order) != null) {
            return super.sorted(comparator);
        }
        FieldOrder.Key<T> key = order.only();
        if (key == null) {
            return on(new StreamOperation.Sorted(order));
        }
        link();
        return new ShortcutSortedRows<>(table, shortcuts, context, key, 0, Long.MAX_VALUE);
    }

    @Override
    @SuppressWarnings("unchecked") // a function of T that is a field gives its values
    public <U> Stream<U> map(Function<? super T, ? extends U> mapper) {
        if (!(mapper instanceof Field<?, ?> field)
                || !ShortcutValues.isAlikeEverywhere((Field<?, U>) field)) {
            return super.map(mapper);
        }
        table.check(field);
        link();
        return new ShortcutValues<>(table, shortcuts, context, (Field<T, U>) field);
    }

    @Override
    public IntStream mapToInt(ToIntFunction<? super T> mapper) {
        if (!(mapper instanceof IntField<?> field) || field.isNullable()) {
            return super.mapToInt(mapper);
        }
        table.check(field);
        link();
        return new ShortcutExtremes<>(context, this, shortcuts, field);
    }

    private Stream<T> on(StreamOperation step) {
        link();
        return new Next<>(table, context, step);
    }

    /**
     * A stream of all rows after a step for which there are no shortcuts, which is recorded when it is needed: so there
     * is little of it in the code of those that have some.
     */
    private static final class Next<T> extends RowRecorder<T> {
        private final EntityMapping<T> table;
        private final StreamOperation step;

        Next(EntityMapping<T> table, StreamContext context, StreamOperation step) {
            super(context);
            this.table = table;
            this.step = step;
        }

        @Override
        protected Recording<?> recorded() {
            Recording<T> all = Recording.of(table);
            return step instanceof StreamOperation.Filter filter
                    ? all.then(filter)
                    : all.then((StreamOperation.Sorted) step);
        }
    }
}
