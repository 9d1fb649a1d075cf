package dev.penstock.query.typed.aggregate;

import dev.penstock.query.Cursor;
import dev.penstock.query.typed.aggregate.AggregateCollector.Query;
import dev.penstock.query.typed.aggregate.AggregateCollector.RowFolder;
import dev.penstock.query.typed.field.BinaryField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.mapping.FieldReaders;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/** Collectors of groups. Unlike the JDK's own, they take null for a key. */
final class Grouping {
    private Grouping() {}

    static <R, K, V> AggregateCollector<R, Map<K, V>> by(
            List<Field<R, ?>> keys,
            Function<List<@Nullable Object>, K> key,
            AggregateCollector<R, V> aggregate) {
        for (Field<R, ?> field : keys) {
            if (field instanceof BinaryField<?>) {
                throw new IllegalArgumentException(
                        "grouping by "
                                + field
                                + ": arrays of bytes make no keys; use another field");
            }
        }
        Query<R, V> inner = aggregate.query();
        return new AggregateCollector<>(
                collector(keys, key, aggregate),
                inner == null
                        ? null
                        : new Query<>(
                                joined(keys, inner.keys()),
                                inner.values(),
                                () -> new Grouped<>(readers(keys), key, inner.folder())),
                aggregate.conditions());
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
            List<Field<R, ?>> keys,
            Function<List<@Nullable Object>, K> key,
            AggregateCollector<R, V> aggregate) {
        Supplier<Object> supplier = aggregate.supplier();
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
                    aggregate.accumulator().accept(group, row);
                },
                (a, b) -> {
                    b.forEach((k, group) -> a.merge(k, group, aggregate.combiner()));
                    return a;
                },
                groups -> {
                    Map<K, V> finished = new LinkedHashMap<>();
                    groups.forEach((k, group) -> finished.put(k, finish(aggregate, group)));
                    return Collections.unmodifiableMap(finished);
                });
    }

    private static <V> V finish(AggregateCollector<?, V> aggregate, Object group) {
        return aggregate.characteristics().contains(Collector.Characteristics.IDENTITY_FINISH)
                ? cast(group)
                : aggregate.finisher().apply(group);
    }

    private static List<KeyReader> readers(List<? extends Field<?, ?>> keys) {
        List<KeyReader> readers = new ArrayList<>();
        for (Field<?, ?> field : keys) {
            readers.add((row, column) ->
                    row.isNull(column) ? null : FieldReaders.reader(field, column).read(row));
        }
        return readers;
    }

    /** A reader of a key from a column. */
    private interface KeyReader {
        @Nullable Object read(Cursor row, int column);
    }

    /** A folder that puts each row into its group. */
    private static final class Grouped<K, V> implements RowFolder<Map<K, V>> {
        private final List<KeyReader> readers;
        private final Function<List<@Nullable Object>, K> key;
        private final Supplier<RowFolder<V>> inner;
        private final Map<K, RowFolder<V>> groups = new LinkedHashMap<>();

        Grouped(
                List<KeyReader> readers,
                Function<List<@Nullable Object>, K> key,
                Supplier<RowFolder<V>> inner) {
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
            groups.forEach((k, folder) -> results.put(k, folder.result()));
            return Collections.unmodifiableMap(results);
        }
    }
}
