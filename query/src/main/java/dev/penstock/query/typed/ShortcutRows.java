package dev.penstock.query.typed;

import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.Simple;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.Step;
import dev.penstock.query.typed.stream.RowRecorder;
import dev.penstock.query.typed.stream.Run;
import java.util.Comparator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All rows of a {@link ShortcutTable}. */
final class ShortcutRows<T> extends RowRecorder<T> {
    private final TypedTable<T> table;
    private final Shortcuts shortcuts;

    ShortcutRows(TypedTable<T> table, Shortcuts shortcuts) {
        super(new Run());
        this.table = table;
        this.shortcuts = shortcuts;
    }

    @Override
    protected Recording<?> recorded() {
        return Recording.of(table.binding());
    }

    @Override
    @SuppressWarnings("unchecked") // a predicate of T that is a condition is one on T
    public Stream<T> filter(Predicate<? super T> predicate) {
        if (!(predicate instanceof Condition<?> said)) {
            return super.filter(predicate);
        }
        Condition<T> condition = (Condition<T>) said;
        Simple<T> simple = condition.simple();
        ShortcutFilteredRows<T, ?> filtered =
                simple == null ? null : ShortcutFilteredRows.of(table, shortcuts, run, simple);
        if (filtered == null) {
            table.binding().check(condition);
            return on(new Step.Filter(condition));
        }
        table.binding().requireSameEntity(condition);
        link();
        return filtered;
    }

    @Override
    public Stream<T> sorted(Comparator<? super T> comparator) {
        FieldOrder<T> order = FieldOrder.of(comparator);
        if (order == null || table.binding().unsortable(order) != null) {
            return super.sorted(comparator);
        }
        FieldOrder.Key<T> key = order.only();
        if (key == null) {
            return on(new Step.Sorted(order));
        }
        link();
        return new ShortcutSortedRows<>(table, shortcuts, run, key, 0, Long.MAX_VALUE);
    }

    private Stream<T> on(Step step) {
        link();
        return new Next<>(table, run, step);
    }

    /**
     * All rows after a step for which there are no shortcuts, which is recorded when it is needed: so there is little of it in the code of those that
     * have some.
     */
    private static final class Next<T> extends RowRecorder<T> {
        private final TypedTable<T> table;
        private final Step step;

        Next(TypedTable<T> table, Run run, Step step) {
            super(run);
            this.table = table;
            this.step = step;
        }

        @Override
        protected Recording<?> recorded() {
            Recording<T> all = Recording.of(table.binding());
            return step instanceof Step.Filter filter
                    ? all.then(filter)
                    : all.then((Step.Sorted) step);
        }
    }
}
