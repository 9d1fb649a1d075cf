package dev.penstock.query.typed.aggregate;

import dev.penstock.query.Cursor;
import dev.penstock.query.typed.aggregate.Figure.Asked;
import dev.penstock.query.typed.aggregate.Figure.Fold;
import dev.penstock.query.typed.field.BinaryField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.mapping.Cells;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/** Figures of groups. The JDK's own grouping knows no null keys. */
final class Groups {
    private Groups() {}

    static <R, K, V> Figure<R, Map<K, V>> by(
            List<Field<R, ?>> keys, Function<List<@Nullable Object>, K> key, Figure<R, V> figure) {
        for (Field<R, ?> field : keys) {
            if (field instanceof BinaryField<?>) {
                throw new IllegalArgumentException(
                        "grouping by "
                                + field
                                + ": arrays of bytes make no keys; use another field");
            }
        }
        Asked<R, V> inner = figure.asked();
        return new Figure<>(
                collector(keys, key, figure),
                inner == null
                        ? null
                        : new Asked<>(
                                joined(keys, inner.keys()),
                                inner.parts(),
                                () -> new Grouped<>(readers(keys), key, inner.fold())));
    }

    private static <R> List<Field<R, ?>> joined(List<Field<R, ?>> a, List<Field<R, ?>> b) {
        List<Field<R, ?>> all = new ArrayList<>(a);
        all.addAll(b);
        return all;
    }

    @SuppressWarnings({
        "unchecked",
        "NullAway",
        "TypeParameterUnusedInFormals"
    }) // the value is one of the field's, null where it may be
    static <K> K cast(@Nullable Object value) {
        return (K) value;
    }

    private static <R, K, V> Collector<R, ?, Map<K, V>> collector(
            List<Field<R, ?>> keys, Function<List<@Nullable Object>, K> key, Figure<R, V> figure) {
        Supplier<Object> supplier = figure.supplier();
        return Collector.<R, Map<K, Object>, Map<K, V>>of(
                LinkedHashMap::new,
                (groups, row) -> {
                    List<@Nullable Object> values = new ArrayList<>(keys.size());
                    for (Field<R, ?> field : keys) {
                        values.add(field.apply(row));
                    }
                    Object group =
                            groups.computeIfAbsent(
                                    key.apply(Collections.unmodifiableList(values)),
                                    _ -> supplier.get());
                    figure.accumulator().accept(group, row);
                },
                (a, b) -> {
                    b.forEach((k, group) -> a.merge(k, group, figure.combiner()));
                    return a;
                },
                groups -> {
                    Map<K, V> finished = new LinkedHashMap<>();
                    groups.forEach((k, group) -> finished.put(k, finish(figure, group)));
                    return Collections.unmodifiableMap(finished);
                });
    }

    private static <V> V finish(Figure<?, V> figure, Object group) {
        return figure.characteristics().contains(Collector.Characteristics.IDENTITY_FINISH)
                ? cast(group)
                : figure.finisher().apply(group);
    }

    private static List<RowReaderAt> readers(List<? extends Field<?, ?>> keys) {
        List<RowReaderAt> readers = new ArrayList<>();
        for (Field<?, ?> field : keys) {
            readers.add((row, column) ->
                    row.isNull(column) ? null : Cells.reader(field, column).read(row));
        }
        return readers;
    }

    /** Reads a key from a column. */
    private interface RowReaderAt {
        @Nullable Object read(Cursor row, int column);
    }

    /** Puts the rows of a plan into groups. */
    private static final class Grouped<K, V> implements Fold<Map<K, V>> {
        private final List<RowReaderAt> readers;
        private final Function<List<@Nullable Object>, K> key;
        private final Supplier<Fold<V>> inner;
        private final Map<K, Fold<V>> groups = new LinkedHashMap<>();

        Grouped(
                List<RowReaderAt> readers,
                Function<List<@Nullable Object>, K> key,
                Supplier<Fold<V>> inner) {
            this.readers = readers;
            this.key = key;
            this.inner = inner;
        }

        @Override
        public void row(Cursor row, int firstKey, int value) {
            List<@Nullable Object> values = new ArrayList<>(readers.size());
            for (int i = 0; i < readers.size(); i++) {
                values.add(readers.get(i).read(row, firstKey + i));
            }
            groups.computeIfAbsent(
                            key.apply(Collections.unmodifiableList(values)), _ -> inner.get())
                    .row(row, firstKey + readers.size(), value);
        }

        @Override
        public Map<K, V> result() {
            Map<K, V> results = new LinkedHashMap<>();
            groups.forEach((k, fold) -> results.put(k, fold.result()));
            return Collections.unmodifiableMap(results);
        }
    }
}
