package dev.penstock.query.typed;

import dev.penstock.query.typed.RandomTable.Holds;
import dev.penstock.query.typed.RandomTable.Row;
import dev.penstock.query.typed.field.DoubleField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.FloatField;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A random program over a stream of rows, in words and to run. Where the rows have no order, what it gives has none.
 */
final class RandomProgram {
    private final Choices choices;
    private final RandomTable table;
    private final RandomConditions conditions;
    private final StringBuilder text = new StringBuilder("stream()");
    private Function<Stream<Row>, BaseStream<?, ?>> stages = stream -> stream;
    private Function<Stream<Row>, Object> program = Stream::count;

    /** Whether what comes has the order that the list has. */
    private boolean ordered;

    /** Whether rows may be cut: not after a distinct that leaves no order, and not without a key. */
    private boolean cuttable;

    RandomProgram(Choices choices, RandomTable table) {
        this.choices = choices;
        this.table = table;
        this.conditions = new RandomConditions(choices, table);
        this.cuttable = table.isKeyed();
        for (int i = choices.next(5); i > 0; i--) {
            operation();
        }
        switch (choices.next(8)) {
            case 0 -> rows();
            case 1 -> matches();
            case 2 -> least();
            case 3 -> aggregate();
            case 4 -> values();
            case 5 -> numbers();
            case 6 -> lambda();
            default -> end("count()", s -> objects(s).count());
        }
    }

    Object run(Stream<Row> stream) {
        return program.apply(stream);
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private void then(String operation, Function<BaseStream<?, ?>, BaseStream<?, ?>> stage) {
        text.append('.').append(operation);
        stages = stages.andThen(stage);
    }

    private void end(String operation, Function<BaseStream<?, ?>, Object> end) {
        text.append('.').append(operation);
        program = stages.andThen(end);
    }

    @SuppressWarnings("unchecked")
    private static Stream<Object> objects(BaseStream<?, ?> stream) {
        return (Stream<Object>) stream;
    }

    @SuppressWarnings("unchecked")
    private static Stream<Row> rows(BaseStream<?, ?> stream) {
        return (Stream<Row>) stream;
    }

    private void operation() {
        switch (choices.next(cuttable ? 6 : 4)) {
            case 0, 1 -> {
                RandomConditions.Named condition = conditions.next(2);
                then("filter(" + condition + ")", s -> rows(s).filter(condition.condition()));
            }
            case 2 -> {
                FieldOrder<Row> order = order();
                then("sorted(" + order + ")", s -> rows(s).sorted(order));
                ordered = table.isKeyed();
            }
            case 3 -> {
                if (choices.flip() && table.types().stream().noneMatch(t -> t == Holds.BYTES)) {
                    then("distinct()", s -> rows(s).distinct());
                }
            }
            case 4 -> limit();
            default -> skip();
        }
    }

    private void limit() {
        int n = choices.next(30);
        then(
                "limit(" + n + ")",
                s ->
                        switch (s) {
                            case IntStream i -> i.limit(n);
                            case LongStream i -> i.limit(n);
                            case DoubleStream i -> i.limit(n);
                            default -> objects(s).limit(n);
                        });
        ordered = true;
    }

    private void skip() {
        int n = choices.next(12);
        then(
                "skip(" + n + ")",
                s ->
                        switch (s) {
                            case IntStream i -> i.skip(n);
                            case LongStream i -> i.skip(n);
                            case DoubleStream i -> i.skip(n);
                            default -> objects(s).skip(n);
                        });
        ordered = true;
    }

    private FieldOrder<Row> order() {
        FieldOrder<Row> order = one();
        for (int i = choices.next(3); i > 0; i--) {
            order = order.thenComparing(one());
        }
        return order;
    }

    private FieldOrder<Row> one() {
        FieldOrder<Row> order = choices.of(table.fields()).comparator();
        return switch (choices.next(4)) {
            case 0 -> order;
            case 1 -> order.reversed();
            case 2 -> order.nullsFirst();
            default -> order.reversed().nullsLast();
        };
    }

    private Object listed(List<?> all) {
        return ordered ? texts(all) : texts(all).stream().sorted().toList();
    }

    /** Values as texts that differ wherever the values do. */
    static List<String> texts(Collection<?> all) {
        return all.stream().map(RandomProgram::text).toList();
    }

    static String text(Object value) {
        return switch (value) {
            case byte[] bytes -> java.util.Arrays.toString(bytes);
            case Row row -> texts(row.cells()).toString();
            case Optional<?> some -> some.map(RandomProgram::text).toString();
            case null -> "null";
            default -> value.toString();
        };
    }

    private void rows() {
        switch (choices.next(cuttable ? 3 : 1)) {
            case 0 -> end("toList()", s -> listed(objects(s).toList()));
            case 1 -> end("findFirst()", s -> text(objects(s).findFirst()));
            default ->
                    end(
                            "iterator()",
                            s -> {
                                List<Object> all = new ArrayList<>();
                                try (Stream<Object> closing = objects(s)) {
                                    closing.iterator().forEachRemaining(all::add);
                                }
                                return listed(all);
                            });
        }
    }

    private void matches() {
        RandomConditions.Named condition = conditions.next(2);
        switch (choices.next(3)) {
            case 0 ->
                    end(
                            "anyMatch(" + condition + ")",
                            s -> rows(s).anyMatch(condition.condition()));
            case 1 ->
                    end(
                            "allMatch(" + condition + ")",
                            s -> rows(s).allMatch(condition.condition()));
            default ->
                    end(
                            "noneMatch(" + condition + ")",
                            s -> rows(s).noneMatch(condition.condition()));
        }
    }

    private void least() {
        FieldOrder<Row> order = table.isKeyed() ? order() : order().thenComparing(total());
        if (choices.flip()) {
            end("min(" + order + ")", s -> text(rows(s).min(order)));
        } else {
            end("max(" + order + ")", s -> text(rows(s).max(order)));
        }
    }

    private FieldOrder<Row> total() {
        FieldOrder<Row> all = table.fields().getFirst().comparator();
        for (Field<Row, ?> field : table.fields()) {
            all = all.thenComparing(field.comparator());
        }
        return all;
    }

    private void aggregate() {
        RandomAggregates aggregates = new RandomAggregates(choices, table, conditions);
        RandomAggregates.Named aggregate = aggregates.next();
        end(
                "collect(" + aggregate + ")",
                s -> aggregate.read().apply(rows(s).collect(aggregate.aggregate())));
    }

    /** Operations with code in them, and such behind them as depend on the order of what they get. */
    private void lambda() {
        if (choices.next(3) == 0) {
            then("parallel()", s -> s.parallel());
        }
        code();
        for (int i = table.isKeyed() && cuttable ? choices.next(4) : 0; i > 0; i--) {
            switch (choices.next(6)) {
                case 0 -> limit();
                case 1 -> skip();
                case 2 -> {
                    then("takeWhile(r -> …)", s -> rows(s).takeWhile(r -> number(r) % 7 != 6));
                    ordered = true;
                }
                case 3 -> {
                    then("dropWhile(r -> …)", s -> rows(s).dropWhile(r -> number(r) % 5 != 4));
                    ordered = true;
                }
                case 4 -> {
                    FieldOrder<Row> order = order();
                    then("sorted(" + order + ")", s -> rows(s).sorted(order));
                    ordered = true;
                }
                default -> code();
            }
        }
        switch (choices.next(cuttable ? 5 : 1)) {
            case 0 -> end("toList()", s -> listed(objects(s).toList()));
            case 1 -> end("findFirst()", s -> text(objects(s).findFirst()));
            case 2 -> {
                FieldOrder<Row> order = order();
                end("min(" + order + ")", s -> text(rows(s).min(order)));
            }
            case 3 -> end("count()", s -> objects(s).count());
            default ->
                    end(
                            "iterator()",
                            s -> {
                                List<Object> all = new ArrayList<>();
                                objects(s).iterator().forEachRemaining(all::add);
                                return listed(all);
                            });
        }
    }

    private void code() {
        switch (choices.next(3)) {
            case 0 -> then("filter(r -> …)", s -> rows(s).filter(r -> number(r) % 3 != 0));
            case 1 -> then("map(r -> r)", s -> rows(s).map(r -> r));
            default -> then("peek(r -> …)", s -> rows(s).peek(r -> number(r)));
        }
    }

    private static int number(Row row) {
        return (Integer) row.cell(0);
    }

    private void values() {
        int column = choices.next(table.fields().size());
        Field<Row, ?> field = table.fields().get(column);
        Holds type = table.types().get(column);
        then("map(" + field + ")", s -> rows(s).map(field));
        boolean bytes = type == Holds.BYTES;
        // Decimals may be equal by value and yet differ: then their order is that of what they come
        // from.
        boolean sortable = type != Holds.DECIMAL || ordered;
        if (!bytes && choices.flip()) {
            then("distinct()", s -> objects(s).distinct());
            cuttable &= ordered;
        } else {
            sortable |= table.isKeyed();
        }
        if (!bytes && choices.flip()) {
            boolean reverse = choices.flip();
            Comparator<Object> natural = natural(reverse);
            then(
                    reverse ? "sorted(reverseOrder())" : "sorted()",
                    s -> reverse ? objects(s).sorted(natural) : objects(s).sorted());
            ordered = sortable;
            cuttable = sortable;
        }
        if (cuttable && choices.flip()) {
            limit();
        }
        switch (choices.next(ordered || cuttable ? 4 : 2)) {
            case 0 -> end("toList()", s -> listed(objects(s).toList()));
            case 1 -> end("count()", s -> objects(s).count());
            case 2 -> end("findFirst()", s -> text(objects(s).findFirst()));
            default -> {
                if (bytes) {
                    end("count()", s -> objects(s).count());
                } else {
                    Comparator<Object> natural = natural(choices.flip());
                    end("min(natural)", s -> value(objects(s).min(natural)));
                }
            }
        }
    }

    /** Decimals that are equal by value are as good as one another. */
    private static String value(Optional<Object> least) {
        return text(least.map(v -> v instanceof BigDecimal d ? d.stripTrailingZeros() : v));
    }

    @SuppressWarnings("unchecked")
    private static Comparator<Object> natural(boolean reverse) {
        Comparator<?> order = reverse ? Comparator.reverseOrder() : Comparator.naturalOrder();
        return (Comparator<Object>) order;
    }

    private void numbers() {
        List<Field<Row, ?>> numbers =
                table.fields().stream()
                        .filter(f ->
                                f instanceof IntField<?>
                                        || f instanceof LongField<?>
                                        || f instanceof DoubleField<?>
                                        || f instanceof FloatField<?>)
                        .toList();
        new RandomNumbers(choices, choices.of(numbers), cuttable, ordered).add();
    }

    /** The end of a program over numbers. */
    private final class RandomNumbers {
        private final Choices choices;
        private final Field<Row, ?> field;
        private final boolean mayCut;

        RandomNumbers(Choices choices, Field<Row, ?> field, boolean mayCut, boolean isOrdered) {
            this.choices = choices;
            this.field = field;
            this.mayCut = mayCut && (isOrdered || table.isKeyed());
        }

        @SuppressWarnings("unchecked") // the field is one of rows
        void add() {
            if (choices.flip() && field.isNullable()) {
                then("filter(" + field + " isNotNull)", s -> rows(s).filter(field.isNotNull()));
            }
            switch (field) {
                case IntField<?> f ->
                        then("mapToInt(" + f + ")", s -> rows(s).mapToInt((IntField<Row>) f));
                case LongField<?> f ->
                        then("mapToLong(" + f + ")", s -> rows(s).mapToLong((LongField<Row>) f));
                case FloatField<?> f ->
                        then(
                                "mapToDouble(" + f + ")",
                                s -> rows(s).mapToDouble((FloatField<Row>) f));
                case DoubleField<?> f ->
                        then(
                                "mapToDouble(" + f + ")",
                                s -> rows(s).mapToDouble((DoubleField<Row>) f));
                default -> throw new AssertionError(field);
            }
            if (mayCut && choices.flip()) {
                limit();
            }
            if (choices.flip()) {
                then(
                        "distinct().sorted()",
                        s ->
                                switch (s) {
                                    case IntStream i -> i.distinct().sorted();
                                    case LongStream i -> i.distinct().sorted();
                                    default -> ((DoubleStream) s).distinct().sorted();
                                });
                ordered = true;
                if (choices.flip()) {
                    skip();
                }
            }
            terminal();
        }

        private void terminal() {
            int end = choices.next(6);
            end(
                    List.of("toArray", "min", "max", "statistics", "sum", "average").get(end)
                            + "()",
                    s ->
                            switch (s) {
                                case IntStream i -> ints(i, end);
                                case LongStream i -> longs(i, end);
                                default -> doubles((DoubleStream) s, end);
                            });
        }

        private Object ints(IntStream s, int end) {
            return switch (end) {
                case 0 -> listed(s.boxed().toList());
                case 1 -> s.min();
                case 2 -> s.max();
                case 3 -> s.summaryStatistics().toString();
                case 4 -> s.sum();
                default -> s.average();
            };
        }

        private Object longs(LongStream s, int end) {
            return switch (end) {
                case 0 -> listed(s.boxed().toList());
                case 1 -> s.min();
                case 2 -> s.max();
                case 3 -> s.map(n -> n % 1000).summaryStatistics().toString();
                case 4 -> s.asDoubleStream().max();
                default -> s.map(n -> n % 1000).average();
            };
        }

        /** Sums only where no value is so large that their order matters. */
        private Object doubles(DoubleStream s, int end) {
            return switch (end) {
                case 0 -> listed(s.boxed().toList());
                case 1 -> s.min();
                case 2 -> s.max();
                case 3 -> {
                    var all = s.summaryStatistics();
                    yield List.of(all.getCount(), all.getMin(), all.getMax());
                }
                case 4 -> tolerant(s.sum());
                default -> s.average().stream().mapToObj(this::tolerant).toList();
            };
        }

        private String tolerant(double sum) {
            return Math.abs(sum) > 1e290 && Double.isFinite(sum)
                    ? "huge"
                    : "%.6e".formatted(sum == 0 ? 0.0 : sum);
        }
    }
}
