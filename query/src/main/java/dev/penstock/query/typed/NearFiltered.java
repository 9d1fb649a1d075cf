package dev.penstock.query.typed;

import dev.penstock.query.Predicate.Comparator;

/** Rows of a {@link NearTable} that pass a condition on one field. */
final class NearFiltered<T> extends RowRecorder<T> {
    private final Shortcuts shortcuts;
    private final Simple<?> simple;

    NearFiltered(Shortcuts shortcuts, Run run, Recording<?> recording, Simple<?> simple) {
        super(run, recording);
        this.shortcuts = shortcuts;
        this.simple = simple;
    }

    @Override
    public long count() {
        link();
        if (simple instanceof Simple.Compared<?, ?> compared) {
            return count(
                    recording().table(), compared.field(), compared.comparator(), compared.value());
        }
        Simple.Starts<?> starts = (Simple.Starts<?>) simple;
        long count = shortcuts.count(starts.field(), starts.text());
        return count != Shortcuts.UNKNOWN ? count : asked(recording().table(), starts);
    }

    @SuppressWarnings("EnumOrdinal") // what a shortcut takes, within this JVM
    private <V> long count(
            TypedTable<?> table, Field<?, V> field, Comparator comparator, Object value) {
        long number;
        if (field instanceof EnumField<?, ?>) {
            number = ((Enum<?>) value).ordinal();
        } else if (field instanceof IntField<?>) {
            number = (Integer) value;
        } else if (field instanceof LongField<?>) {
            number = (Long) value;
        } else {
            return asked(table, field, comparator, value);
        }
        long count = shortcuts.count(field, comparator, number);
        return count != Shortcuts.UNKNOWN ? count : asked(table, field, comparator, value);
    }

    @SuppressWarnings("unchecked") // the value is one of the field's
    private static <V> long asked(
            TypedTable<?> table, Field<?, V> field, Comparator comparator, Object value) {
        return asked(table, new Simple.Compared<>(field, comparator, (V) value));
    }

    /** Asks by a plan, all of which is made anew: so what was recorded before needs not be kept for it. */
    private static long asked(TypedTable<?> table, Simple<?> simple) {
        Recording<?> filtered = Recording.of(table).then(new Step.Filter(new Condition<>(simple)));
        return new RowRecorder<>(new Run(), filtered).count();
    }
}
