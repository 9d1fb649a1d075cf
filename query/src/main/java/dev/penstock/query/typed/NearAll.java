package dev.penstock.query.typed;

import java.util.Comparator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All rows of a {@link NearTable}. */
final class NearAll<T> extends RowRecorder<T> {
    private final Shortcuts shortcuts;

    NearAll(TypedTable<T> table, Shortcuts shortcuts) {
        super(new Run(), Recording.of(table));
        this.shortcuts = shortcuts;
    }

    @Override
    public Stream<T> filter(Predicate<? super T> predicate) {
        Simple<?> simple = predicate instanceof Condition<?> said ? said.simple() : null;
        if (simple != null && predicate instanceof Condition<?> condition) {
            recording().table().binding().check(condition);
            link();
            Recording<?> filtered = recording().then(new Step.Filter(condition));
            return new NearFiltered<>(shortcuts, run, filtered, simple);
        }
        return super.filter(predicate);
    }

    @Override
    public Stream<T> sorted(Comparator<? super T> comparator) {
        FieldOrder<T> order = FieldOrder.of(comparator);
        FieldOrder.Key<T> key = order == null ? null : order.only();
        if (order == null
                || key == null
                || recording().table().binding().unsortable(key.field()) != null) {
            return super.sorted(comparator);
        }
        link();
        Recording<?> sorted = recording().then(new Step.Sorted(order));
        return new NearSorted<>(shortcuts, run, sorted, key, 0, Long.MAX_VALUE);
    }
}
