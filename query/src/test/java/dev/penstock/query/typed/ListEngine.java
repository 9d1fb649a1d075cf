package dev.penstock.query.typed;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Evaluation;
import dev.penstock.query.Explanation;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Schema;
import dev.penstock.query.Source;
import dev.penstock.query.Table;
import dev.penstock.query.typed.field.BinaryField;
import dev.penstock.query.typed.field.BooleanField;
import dev.penstock.query.typed.field.CharField;
import dev.penstock.query.typed.field.DoubleField;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FloatField;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.TextField;
import dev.penstock.query.typed.field.ValueField;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An engine over a list of things that knows how many of its cursors are open, how far they were read, and refuses what
 * it is told to.
 */
final class ListEngine implements Engine {
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger rowsRead = new AtomicInteger();
    Function<Plan, Optional<String>> refuses = _ -> Optional.empty();
    RuntimeException onClose;
    private final Table table;
    private final List<Map<String, Object>> rows = new ArrayList<>();

    ListEngine(List<Thing> things) {
        List<Column> columns = new ArrayList<>();
        for (Field<Thing, ?> field : Thing.TABLE.fields()) {
            columns.add(new Column(field.column(), type(field), "test", field.isNullable(), 1000));
        }
        table = new Table(null, "thing", columns, List.of("id"), false);
        for (Thing thing : things) {
            Map<String, Object> row = new HashMap<>();
            for (Field<Thing, ?> field : Thing.TABLE.fields()) {
                row.put(field.column(), cell(field, thing));
            }
            rows.add(row);
        }
    }

    private static <V> Object cell(Field<Thing, V> field, Thing thing) {
        V value = field.apply(thing);
        return value == null ? null : field.planValue(value);
    }

    private static ColumnType type(Field<?, ?> field) {
        return switch (field) {
            case IntField<?> _ -> ColumnType.INT;
            case LongField<?> _ -> ColumnType.LONG;
            case FloatField<?> _ -> ColumnType.FLOAT;
            case DoubleField<?> _ -> ColumnType.DOUBLE;
            case BooleanField<?> _ -> ColumnType.BOOLEAN;
            case CharField<?> _, TextField<?> _, EnumField<?, ?> _ -> ColumnType.TEXT;
            case BinaryField<?> _ -> ColumnType.BINARY;
            case ValueField<?, ?> f ->
                    f.type() == java.math.BigDecimal.class ? ColumnType.DECIMAL : ColumnType.DATE;
        };
    }

    @Override
    public String name() {
        return "a list";
    }

    @Override
    public Schema schema() {
        return new Schema(List.of(table), false);
    }

    @Override
    public Optional<String> refusal(Plan plan) {
        return refuses.apply(plan);
    }

    @Override
    public Predicate superset(Table table, Predicate predicate) {
        return Predicate.ALL;
    }

    @Override
    public Explanation explain(Plan plan) {
        return new Explanation(name(), plan.toString(), "", List.of());
    }

    @Override
    public Cursor open(Plan plan) {
        refusal(plan)
                .ifPresent(why -> {
                    throw new QueryException(QueryException.Kind.INVALID_PLAN, why);
                });
        opened.incrementAndGet();
        open.incrementAndGet();
        return new ListCursor(this, plan.columns(), answer(plan));
    }

    private List<List<Object>> answer(Plan plan) {
        List<Map<String, Object>> all = new ArrayList<>(rows(plan.source()));
        all.removeIf(row -> !Evaluation.test(plan.filter(), row::get));
        if (!plan.order().isEmpty() || !plan.slices().isEmpty()) {
            all.sort(order(plan));
        } else if (plan.source() instanceof Table) {
            // Rows that nobody sorted are in no order.
            Collections.reverse(all);
        }
        Stream<Map<String, Object>> stream = all.stream();
        for (Plan.Slice slice : plan.slices()) {
            stream =
                    switch (slice) {
                        case Plan.Slice.Skip(long n) -> stream.skip(n);
                        case Plan.Slice.Limit(long n) -> stream.limit(n);
                    };
        }
        List<Map<String, Object>> kept = stream.toList();
        return switch (plan.output()) {
            case Plan.Output.Columns(List<Plan.Item> items) ->
                    kept.stream().map(row -> cells(row, items)).toList();
            case Plan.Output.Distinct(List<Plan.Item> items) ->
                    List.copyOf(
                            kept.stream()
                                    .map(row -> cells(row, items))
                                    .collect(
                                            java.util.stream.Collectors.toCollection(
                                                    LinkedHashSet::new)));
            case Plan.Output.Count() -> List.of(List.of((long) kept.size()));
            case Plan.Output.Aggregation(List<Plan.Item> keys, List<Aggregate> values) ->
                    groups(kept, keys, values);
        };
    }

    private List<Map<String, Object>> rows(Source source) {
        return switch (source) {
            case Table _ -> rows;
            case Plan plan -> {
                List<Map<String, Object>> named = new ArrayList<>();
                for (List<Object> cells : answer(plan)) {
                    Map<String, Object> row = new HashMap<>();
                    for (int i = 0; i < cells.size(); i++) {
                        row.put(plan.columns().get(i).name(), cells.get(i));
                    }
                    named.add(row);
                }
                yield named;
            }
        };
    }

    private static Comparator<Map<String, Object>> order(Plan plan) {
        Comparator<Map<String, Object>> order = (_, _) -> 0;
        for (Plan.Order by : plan.order()) {
            Comparator<Object> values =
                    by.descending()
                            ? (a, b) -> Evaluation.compare(b, a)
                            : (a, b) -> Evaluation.compare(a, b);
            Comparator<Object> all =
                    by.nullsFirst() ? Comparator.nullsFirst(values) : Comparator.nullsLast(values);
            order = order.thenComparing(row -> row.get(by.column()), all);
        }
        if (plan.source() instanceof Plan inner && !inner.order().isEmpty()) {
            return order;
        }
        for (String key : plan.source().key()) {
            order = order.thenComparing(row -> row.get(key), Evaluation::compare);
        }
        return order;
    }

    private static List<Object> cells(Map<String, Object> row, List<Plan.Item> items) {
        List<Object> cells = new ArrayList<>();
        items.forEach(item -> cells.add(row.get(item.column())));
        return cells;
    }

    private static List<List<Object>> groups(
            List<Map<String, Object>> rows, List<Plan.Item> keys, List<Aggregate> values) {
        Map<List<Object>, List<Map<String, Object>>> groups = new LinkedHashMap<>();
        if (keys.isEmpty()) {
            groups.put(List.of(), new ArrayList<>());
        }
        for (Map<String, Object> row : rows) {
            groups.computeIfAbsent(cells(row, keys), _ -> new ArrayList<>()).add(row);
        }
        List<List<Object>> answer = new ArrayList<>();
        groups.forEach((key, group) -> {
            List<Object> cells = new ArrayList<>(key);
            values.forEach(value -> cells.add(aggregate(value, group)));
            answer.add(cells);
        });
        return answer;
    }

    private static Object aggregate(Aggregate value, List<Map<String, Object>> group) {
        List<Object> cells = new ArrayList<>();
        for (Map<String, Object> row : group) {
            if (value.filter() == null || Evaluation.test(value.filter(), row::get)) {
                Expression argument = value.argument();
                Object cell = argument == null ? 1 : Evaluation.value(argument, row::get);
                if (cell != null) {
                    cells.add(cell);
                }
            }
        }
        return switch (value.function()) {
            case COUNT, COUNT_VALUES -> (long) cells.size();
            case MIN -> cells.stream().min(Evaluation::compare).orElse(null);
            case MAX -> cells.stream().max(Evaluation::compare).orElse(null);
            case AVERAGE -> throw new AssertionError("no stream asks for an average of the engine");
            case SUM -> cells.isEmpty() ? null : sum(cells);
        };
    }

    private static Object sum(List<Object> cells) {
        return switch (cells.getFirst()) {
            case Double _, Float _ ->
                    cells.stream().mapToDouble(c -> ((Number) c).doubleValue()).sum();
            case java.math.BigDecimal _ ->
                    cells.stream()
                            .map(c -> (java.math.BigDecimal) c)
                            .reduce(java.math.BigDecimal.ZERO, java.math.BigDecimal::add);
            default -> cells.stream().mapToLong(c -> ((Number) c).longValue()).sum();
        };
    }
}
