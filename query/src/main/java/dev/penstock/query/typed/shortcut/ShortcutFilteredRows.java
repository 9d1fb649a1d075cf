package dev.penstock.query.typed.shortcut;

import dev.penstock.query.Cursor;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldCondition;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.mapping.EntityMapping;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.stream.RowRecorder;
import dev.penstock.query.typed.stream.StreamContext;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A stream of the rows of a table that has {@link Shortcuts} which pass a condition on one field. There is a class for
 * each kind of field for which shortcuts count, so that what the compiler sees of one is not mixed with what the others
 * do.
 */
abstract sealed class ShortcutFilteredRows<T, S extends FieldCondition<T>> extends RowRecorder<T> {
    final EntityMapping<T> table;
    final Shortcuts shortcuts;
    final S simple;

    private ShortcutFilteredRows(
            EntityMapping<T> table, Shortcuts shortcuts, StreamContext context, S simple) {
        super(context);
        this.table = table;
        this.shortcuts = shortcuts;
        this.simple = simple;
    }

    /** Returns the stream after a filter by one condition; null where there is no shortcut for it. */
    static <T> @Nullable RowRecorder<T> of(
            EntityMapping<T> table,
            Shortcuts shortcuts,
            StreamContext context,
            FieldCondition<T> simple) {
        if (simple instanceof FieldCondition.Comparison<T, ?> compared) {
            if (compared.field() instanceof EnumField<T, ?> field) {
                return new ByConstant<>(table, shortcuts, context, compared, field);
            }
            return isWhole(compared.field())
                    ? new ByNumber<>(table, shortcuts, context, compared)
                    : null;
        }
        if (simple instanceof FieldCondition.Present<T> present) {
            return present.field() instanceof IntField<?> field
                    ? new ByPresence<>(table, shortcuts, context, present, field)
                    : null;
        }
        if (simple instanceof FieldCondition.Range<T, ?> between) {
            return isWhole(between.field())
                    ? new ByRange<>(table, shortcuts, context, between)
                    : null;
        }
        if (simple instanceof FieldCondition.Among<T, ?> among) {
            return isWhole(among.field())
                    ? new ShortcutFewRows<>(table, shortcuts, context, among, null)
                    : null;
        }
        return new ByStart<>(table, shortcuts, context, (FieldCondition.Prefix<T>) simple);
    }

    private static boolean isWhole(Field<?, ?> field) {
        return field instanceof IntField<?> || field instanceof LongField<?>;
    }

    @Override
    public final Stream<T> filter(Predicate<? super T> predicate) {
        ShortcutPairRows<T> both =
                ShortcutPairRows.of(table, shortcuts, context, simple, predicate);
        if (both == null) {
            return super.filter(predicate);
        }
        link();
        return both;
    }

    @Override
    protected final Recording<?> recorded() {
        return filtered(table, simple);
    }

    private static <T> Recording<T> filtered(EntityMapping<T> table, FieldCondition<T> simple) {
        return Recording.of(table).then(new StreamOperation.Filter(Condition.of(simple)));
    }

    /**
     * Returns a count that a shortcut gave, or where it can't tell that of a plan, by a stream that is made again: so
     * this one need not be kept for it.
     */
    final long counted(long count) {
        return count != Shortcuts.UNKNOWN ? count : asked(table, simple, context.isParallel());
    }

    private static <T> long asked(
            EntityMapping<T> table, FieldCondition<T> simple, boolean parallel) {
        return RowRecorder.of(StreamContext.of(parallel), filtered(table, simple)).count();
    }

    /** A filter by the constant of an enum. */
    static final class ByConstant<T>
            extends ShortcutFilteredRows<T, FieldCondition.Comparison<T, ?>> {
        private final EnumField<T, ?> field;

        ByConstant(
                EntityMapping<T> table,
                Shortcuts shortcuts,
                StreamContext context,
                FieldCondition.Comparison<T, ?> simple,
                EnumField<T, ?> field) {
            super(table, shortcuts, context, simple);
            this.field = field;
        }

        @Override
        @SuppressWarnings("EnumOrdinal") // what a shortcut takes, within this JVM
        public long count() {
            link();
            int ordinal = ((Enum<?>) simple.value()).ordinal();
            return counted(shortcuts.count(field, simple.comparator(), ordinal));
        }
    }

    /** A filter by a whole number. */
    static final class ByNumber<T>
            extends ShortcutFilteredRows<T, FieldCondition.Comparison<T, ?>> {
        ByNumber(
                EntityMapping<T> table,
                Shortcuts shortcuts,
                StreamContext context,
                FieldCondition.Comparison<T, ?> simple) {
            super(table, shortcuts, context, simple);
        }

        @Override
        public long count() {
            link();
            long number = ((Number) simple.value()).longValue();
            return counted(shortcuts.count(simple.field(), simple.comparator(), number));
        }

        @Override
        public Optional<T> findFirst() {
            if (simple.comparator() != Comparator.EQUAL) {
                return super.findFirst();
            }
            long number = ((Number) simple.value()).longValue();
            try (Cursor row = shortcuts.first(simple.field(), number, table.entity())) {
                if (row == null) {
                    return super.findFirst();
                }
                link();
                return row.next() ? Optional.of(table.reader().read(row)) : Optional.empty();
            }
        }
    }

    /** A filter by a range of whole numbers. */
    static final class ByRange<T> extends ShortcutFilteredRows<T, FieldCondition.Range<T, ?>> {
        ByRange(
                EntityMapping<T> table,
                Shortcuts shortcuts,
                StreamContext context,
                FieldCondition.Range<T, ?> simple) {
            super(table, shortcuts, context, simple);
        }

        @Override
        public long count() {
            link();
            long least = number(simple.above());
            long greatest = number(simple.below());
            boolean isEmpty = false;
            if (simple.above().comparator() == Comparator.GREATER) {
                isEmpty = least++ == Long.MAX_VALUE;
            }
            if (simple.below().comparator() == Comparator.LESS) {
                isEmpty |= greatest-- == Long.MIN_VALUE;
            }
            return isEmpty || least > greatest
                    ? 0
                    : counted(shortcuts.count(simple.field(), least, greatest));
        }

        private static long number(FieldCondition.Comparison<?, ?> end) {
            return ((Number) end.value()).longValue();
        }
    }

    /** A filter by the start of a text. */
    static final class ByStart<T> extends ShortcutFilteredRows<T, FieldCondition.Prefix<T>> {
        ByStart(
                EntityMapping<T> table,
                Shortcuts shortcuts,
                StreamContext context,
                FieldCondition.Prefix<T> simple) {
            super(table, shortcuts, context, simple);
        }

        @Override
        public long count() {
            link();
            return counted(shortcuts.count(simple.field(), simple.text()));
        }
    }

    /** A filter of ints that are not null. */
    static final class ByPresence<T> extends ShortcutFilteredRows<T, FieldCondition.Present<T>> {
        private final IntField<?> field;

        ByPresence(
                EntityMapping<T> table,
                Shortcuts shortcuts,
                StreamContext context,
                FieldCondition.Present<T> simple,
                IntField<?> field) {
            super(table, shortcuts, context, simple);
            this.field = field;
        }

        @Override
        public IntStream mapToInt(ToIntFunction<? super T> mapper) {
            if (!mapper.equals(field)) {
                return super.mapToInt(mapper);
            }
            link();
            return new ShortcutExtremes<>(context, this, shortcuts, field);
        }
    }
}
