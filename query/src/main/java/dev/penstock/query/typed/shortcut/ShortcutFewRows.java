package dev.penstock.query.typed.shortcut;

import dev.penstock.query.Cursor;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldCondition;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.RowReader;
import dev.penstock.query.typed.mapping.EntityMapping;
import dev.penstock.query.typed.mapping.FieldReaders;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.stream.RowRecorder;
import dev.penstock.query.typed.stream.StreamContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A stream of the rows whose whole number is one of a few, perhaps in the order of their numbers; the table has
 * {@link Shortcuts}.
 */
final class ShortcutFewRows<T> extends RowRecorder<T> {
    /** Of more numbers than this, a plan is as good. */
    private static final int MOST = 64;

    private final EntityMapping<T> table;
    private final Shortcuts shortcuts;
    private final FieldCondition.Among<T, ?> among;

    /** By which the rows are sorted; null where they are not. */
    private final FieldOrder.@Nullable Key<T> order;

    /**
     * @param among a condition on whole numbers
     * @param order ascending by the same field; null for none
     */
    ShortcutFewRows(
            EntityMapping<T> table,
            Shortcuts shortcuts,
            StreamContext context,
            FieldCondition.Among<T, ?> among,
            FieldOrder.@Nullable Key<T> order) {
        super(context);
        this.table = table;
        this.shortcuts = shortcuts;
        this.among = among;
        this.order = order;
    }

    @Override
    protected Recording<?> recorded() {
        return rows();
    }

    private Recording<T> rows() {
        Recording<T> rows =
                Recording.of(table).then(new StreamOperation.Filter(Condition.of(among)));
        return order == null ? rows : rows.then(new StreamOperation.Sorted(FieldOrder.of(order)));
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a program has its fields once
    public Stream<T> sorted(Comparator<? super T> comparator) {
        FieldOrder<T> given = FieldOrder.of(comparator);
        FieldOrder.Key<T> key = given == null ? null : given.only();
        if (order != null || key == null || key.descending() || key.field() != among.field()) {
            return super.sorted(comparator);
        }
        link();
        return new ShortcutFewRows<>(table, shortcuts, context, among, key);
    }

    @Override
    @SuppressWarnings("unchecked") // a function of T that is a field gives its values
    public <U> Stream<U> map(Function<? super T, ? extends U> mapper) {
        if (!(mapper instanceof Field<?, ?> field)) {
            return super.map(mapper);
        }
        table.check(field);
        link();
        return new Values<>(this, (Field<T, U>) field);
    }

    @Override
    public List<T> toList() {
        List<T> known = read(table.reader());
        if (known == null) {
            return super.toList();
        }
        link();
        return known;
    }

    /** Returns what a reader reads of each row; null where only a plan can tell. */
    private <X> @Nullable List<X> read(RowReader<X> reader) {
        List<?> values = among.values();
        if (values.size() > MOST) {
            return null;
        }
        long[] numbers = new long[values.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = ((Number) values.get(i)).longValue();
        }
        Arrays.sort(numbers);
        try (Cursor rows = shortcuts.rows(among.field(), numbers, order != null, table.entity())) {
            if (rows == null) {
                return null;
            }
            List<X> all = new ArrayList<>(numbers.length);
            while (rows.next()) {
                all.add(reader.read(rows));
            }
            return Collections.unmodifiableList(all);
        }
    }

    /** A stream of a field's values of these rows. */
    private static final class Values<T, V> extends RowRecorder<V> {
        private final ShortcutFewRows<T> rows;
        private final Field<T, V> field;

        Values(ShortcutFewRows<T> rows, Field<T, V> field) {
            super(rows.context);
            this.rows = rows;
            this.field = field;
        }

        @Override
        protected Recording<?> recorded() {
            return rows.rows()
                    .then(new StreamOperation.Project(field, StreamOperation.Shape.OBJECT));
        }

        @Override
        public List<V> toList() {
            int column = rows.table.entity().fields().indexOf(field);
            List<V> known = column < 0 ? null : rows.read(FieldReaders.reader(field, column));
            if (known == null) {
                return super.toList();
            }
            link();
            return known;
        }
    }
}
