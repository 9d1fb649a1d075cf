package dev.penstock.query.typed;

import static dev.penstock.query.typed.aggregate.Aggregates.all;
import static dev.penstock.query.typed.aggregate.Aggregates.average;
import static dev.penstock.query.typed.aggregate.Aggregates.count;
import static dev.penstock.query.typed.aggregate.Aggregates.filtered;
import static dev.penstock.query.typed.aggregate.Aggregates.groupingBy;
import static dev.penstock.query.typed.aggregate.Aggregates.max;
import static dev.penstock.query.typed.aggregate.Aggregates.min;
import static dev.penstock.query.typed.aggregate.Aggregates.sum;

import dev.penstock.query.typed.RandomTable.Row;
import dev.penstock.query.typed.aggregate.AggregateCollector;
import dev.penstock.query.typed.field.BinaryField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.ValueField;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Random aggregates of the rows of a random table. */
final class RandomAggregates {
    /**
     * An aggregate with its words.
     *
     * @param text in words
     * @param aggregate to collect by
     * @param read makes of its result what can be compared
     */
    record Named(
            String text, AggregateCollector<Row, Object> aggregate, Function<Object, Object> read) {
        @Override
        public String toString() {
            return text;
        }
    }

    private final Choices choices;
    private final RandomTable table;
    private final RandomConditions conditions;

    RandomAggregates(Choices choices, RandomTable table, RandomConditions conditions) {
        this.choices = choices;
        this.table = table;
        this.conditions = conditions;
    }

    Named next() {
        Named values =
                switch (choices.next(3)) {
                    case 0 -> one();
                    case 1 -> {
                        RandomConditions.Named condition = conditions.next(1);
                        Named one = one();
                        yield named(
                                "filtered(" + condition + ", " + one + ")",
                                filtered(condition.condition(), one.aggregate));
                    }
                    default -> {
                        Named a = one();
                        Named b = one();
                        yield named(a + ", " + b, all(a.aggregate, b.aggregate));
                    }
                };
        return switch (choices.next(3)) {
            case 0 -> values;
            case 1 -> {
                Field<Row, ?> key = key();
                yield named(
                        "groupingBy(" + key + ", " + values + ")",
                        groupingBy(key, values.aggregate));
            }
            default -> {
                List<Field<Row, ?>> keys = List.of(key(), key());
                yield named(
                        "groupingBy(" + keys + ", " + values + ")",
                        groupingBy(keys, values.aggregate));
            }
        };
    }

    private Field<Row, ?> key() {
        Field<Row, ?> key = choices.of(table.fields());
        return key instanceof BinaryField<?> ? table.fields().getFirst() : key;
    }

    private Named one() {
        Field<Row, ?> field = choices.of(table.fields());
        return switch (choices.next(6)) {
            case 0 -> named("count()", count());
            case 1 -> named("count(" + field + ")", count(field));
            case 2 -> named("min(" + field + ")", min(field));
            case 3 -> named("max(" + field + ")", max(field));
            case 4 -> summed(field);
            default -> averaged(field);
        };
    }

    @SuppressWarnings("unchecked")
    private static Named summed(Field<Row, ?> field) {
        return switch (field) {
            case IntField<?> f -> named("sum(" + f + ")", sum((IntField<Row>) f));
            case ValueField<?, ?> f when f.type() == BigDecimal.class ->
                    named("sum(" + f + ")", sum((ValueField<Row, BigDecimal>) f));
            default -> named("count(" + field + ")", count(field));
        };
    }

    @SuppressWarnings("unchecked")
    private static Named averaged(Field<Row, ?> field) {
        return switch (field) {
            case IntField<?> f -> named("average(" + f + ")", average((IntField<Row>) f));
            case ValueField<?, ?> f when f.type() == BigDecimal.class ->
                    named("average(" + f + ")", average((ValueField<Row, BigDecimal>) f));
            default -> named("max(" + field + ")", max(field));
        };
    }

    @SuppressWarnings("unchecked")
    private static Named named(String text, AggregateCollector<Row, ?> aggregate) {
        return new Named(
                text, (AggregateCollector<Row, Object>) aggregate, RandomAggregates::comparable);
    }

    /** Maps in order, decimals by value. */
    private static Object comparable(Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<String, Object> sorted = new TreeMap<>();
                map.forEach((k, v) -> sorted.put(key(k), comparable(v)));
                yield sorted;
            }
            case List<?> list -> list.stream().map(RandomAggregates::comparable).toList();
            case Optional<?> some -> some.map(RandomAggregates::comparable);
            case BigDecimal decimal -> decimal.stripTrailingZeros();
            case byte[] bytes -> RandomProgram.text(bytes);
            default -> value;
        };
    }

    private static String key(Object key) {
        return key instanceof List<?> keys
                ? RandomProgram.texts(keys).toString()
                : RandomProgram.text(key);
    }
}
