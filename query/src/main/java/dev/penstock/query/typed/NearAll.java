package dev.penstock.query.typed;

import java.util.Comparator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All rows of a {@link NearTable}. */
final class NearAll<T> extends RowRecorder<T> {
    private final TypedTable<T> table;
    private final Shortcuts shortcuts;

    NearAll(TypedTable<T> table, Shortcuts shortcuts) {
        super(new Run(), null);
        this.table = table;
        this.shortcuts = shortcuts;
    }

    @Override
    Recording<?> recorded() {
        return Recording.of(table);
    }

    @Override
    @SuppressWarnings("unchecked") // a predicate of T that is a condition is one on T
    public Stream<T> filter(Predicate<? super T> predicate) {
        Simple<T> simple =
                predicate instanceof Condition<?> condition
                        ? ((Condition<T>) condition).simple()
                        : null;
        NearFiltered<T> filtered =
                simple == null ? null : NearFiltered.of(table, shortcuts, run, simple);
        if (filtered == null) {
            return super.filter(predicate);
        }
        table.binding().requireSameEntity((Condition<?>) predicate);
        link();
        return filtered;
    }

    @Override
    public Stream<T> sorted(Comparator<? super T> comparator) {
        FieldOrder<T> order = FieldOrder.of(comparator);
        FieldOrder.Key<T> key = order == null ? null : order.only();
        if (key == null || table.binding().unsortable(key.field()) != null) {
            return super.sorted(comparator);
        }
        link();
        return new NearSorted<>(table, shortcuts, run, key, 0, Long.MAX_VALUE);
    }
}
