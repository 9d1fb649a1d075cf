package dev.penstock.query.sql.render;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Column;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Source;
import dev.penstock.query.Table;
import dev.penstock.query.sql.statement.SqlColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A conversion of nested plans to the form in which they are written: no block that another can take in, and of the
 * nested ones only those that slice, which give their source's columns under their own names, and those that make other
 * rows of them. A block that makes other rows does not slice.
 */
public final class PlanNormalizer {
    private PlanNormalizer() {}

    public static Plan flat(Plan plan) {
        if (!(plan.source() instanceof Plan nested)) {
            return apart(plan);
        }
        Plan inner = flat(nested);
        if (!(inner.output() instanceof Output.Columns(List<Item> items))) {
            return apart(with(plan, inner));
        }
        Plan outer = renamed(plan, inner, items);
        if (inner.slices().isEmpty()) {
            List<Order> order = new ArrayList<>(outer.order());
            order.addAll(inner.order());
            return apart(
                    new Plan(
                            inner.source(),
                            Predicate.and(inner.filter(), outer.filter()),
                            order,
                            outer.slices(),
                            outer.output()));
        }
        boolean onlySelects =
                outer.filter().equals(Predicate.ALL)
                        && outer.order().isEmpty()
                        && outer.slices().isEmpty()
                        && outer.output() instanceof Output.Columns;
        return onlySelects
                ? new Plan(
                        inner.source(),
                        inner.filter(),
                        inner.order(),
                        inner.slices(),
                        outer.output())
                : apart(with(outer, rows(inner)));
    }

    /**
     * Aggregates of one column leave its NULLs out anyway. A database that is not told to do so may find the least and
     * the greatest at the ends of an index.
     */
    public static Plan withoutNullTest(Plan plan) {
        if (!(plan.output() instanceof Output.Aggregation(List<Item> keys, List<Aggregate> values))
                || !keys.isEmpty()) {
            return plan;
        }
        Set<String> columns = new HashSet<>();
        for (Aggregate each : values) {
            if (!(each.argument() instanceof Expression.ColumnValue(String name))) {
                return plan;
            }
            columns.add(name);
        }
        if (columns.size() != 1) {
            return plan;
        }
        Predicate test = new Predicate.Not(new Predicate.IsNull(columns.iterator().next()));
        return switch (plan.filter()) {
            case Predicate.Not not when not.equals(test) -> where(plan, Predicate.ALL);
            case Predicate.And(List<Predicate> parts) when parts.contains(test) ->
                    where(
                            plan,
                            new Predicate.And(
                                    parts.stream().filter(part -> !part.equals(test)).toList()));
            case Predicate _ -> plan;
        };
    }

    private static Plan where(Plan plan, Predicate filter) {
        return new Plan(plan.source(), filter, plan.order(), plan.slices(), plan.output());
    }

    private static Plan with(Plan plan, Source source) {
        return new Plan(source, plan.filter(), plan.order(), plan.slices(), plan.output());
    }

    private static Plan renamed(Plan outer, Plan inner, List<Item> items) {
        Map<String, String> columns = new HashMap<>();
        items.forEach(item -> columns.put(item.label(), item.column()));
        ColumnRenaming naming =
                new ColumnRenaming(label -> {
                    String column = columns.get(label);
                    if (column == null) {
                        throw new QueryException(
                                QueryException.Kind.UNKNOWN_NAME,
                                "the plan of table %s gives no column \"%s\""
                                        .formatted(inner.table().name(), label));
                    }
                    return column;
                });
        return new Plan(
                inner.source(),
                naming.predicate(outer.filter()),
                naming.order(outer.order()),
                outer.slices(),
                naming.output(outer.output()));
    }

    private static Plan apart(Plan plan) {
        if (plan.output() instanceof Output.Columns || plan.slices().isEmpty()) {
            return plan;
        }
        return new Plan(rows(plan), Predicate.ALL, List.of(), List.of(), plan.output());
    }

    /** Returns the block with every column of its source. */
    private static Plan rows(Plan plan) {
        List<Item> all = new ArrayList<>();
        for (Column column : plan.source().columns()) {
            all.add(new Item(column.name(), column.name()));
        }
        return new Plan(
                plan.source(), plan.filter(), plan.order(), plan.slices(), new Output.Columns(all));
    }

    /**
     * Returns the order of a plan's rows, or of those that it makes others of: its own, then its source's; by columns
     * of its source.
     */
    public static List<Order> order(Plan plan) {
        List<Order> order = new ArrayList<>(plan.order());
        if (plan.source() instanceof Plan inner) {
            order.addAll(answerOrder(inner));
        }
        return order;
    }

    private static List<Order> answerOrder(Plan plan) {
        return switch (plan.output()) {
            case Output.Columns _ -> order(plan);
            case Output.Distinct(List<Item> items) -> distinctOrder(plan, items);
            case Output.Count _, Output.Aggregation _ -> List.of();
        };
    }

    /**
     * Returns the order of distinct rows: that of where they first occur, which is the plan's own if that is by all
     * their columns.
     */
    public static List<Order> distinctOrder(Plan plan, List<Item> items) {
        if (order(plan).isEmpty()) {
            return List.of();
        }
        String rank = rank(plan);
        if (rank != null) {
            return List.of(new Order(rank, false, false));
        }
        Map<String, String> labels = labels(items);
        List<Order> kept = new ArrayList<>();
        for (Order order : order(plan)) {
            String label = labels.get(order.column());
            if (label == null) {
                break;
            }
            kept.add(order.by(label));
        }
        return kept;
    }

    /**
     * The name of a column that says where a distinct row first occurs; null where the rows have no order, or one that
     * is by their columns alone.
     */
    public static @Nullable String rank(Plan plan) {
        if (!(plan.output() instanceof Output.Distinct(List<Item> items))) {
            return null;
        }
        Map<String, String> labels = labels(items);
        Set<String> left = new HashSet<>(labels.keySet());
        List<Order> order = order(plan);
        for (Order each : order) {
            if (!left.isEmpty() && !labels.containsKey(each.column())) {
                return rank(items);
            }
            if (!SqlColumn.isOfAnyScale(plan.source().column(each.column()))) {
                left.remove(each.column());
            }
        }
        return order.isEmpty() || left.isEmpty() ? null : rank(items);
    }

    /** Returns whether what is read are no rows of a table, but made of such. */
    public static boolean isMade(Source source) {
        return switch (source) {
            case Table _ -> false;
            case Plan plan -> !(plan.output() instanceof Output.Columns) || isMade(plan.source());
        };
    }

    private static String rank(List<Item> items) {
        String rank = "rank";
        for (boolean taken = true; taken; ) {
            String name = rank;
            taken = items.stream().anyMatch(item -> item.label().equalsIgnoreCase(name));
            rank = taken ? rank + "_" : rank;
        }
        return rank;
    }

    private static Map<String, String> labels(List<Item> items) {
        Map<String, String> labels = new HashMap<>();
        items.forEach(item -> labels.putIfAbsent(item.column(), item.label()));
        return labels;
    }
}
