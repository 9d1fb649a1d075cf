package dev.penstock.query;

import dev.penstock.query.Plan.Order;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.Comparison;
import dev.penstock.query.Predicate.IsNull;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The total order of a plan's rows: its own order, and behind it the columns of the table's key that are not in it. A
 * row's values of these columns say exactly which rows come behind that row, so a list that broke off is continued by
 * the values of its last row, and no row that was read before is read again to be left out, as for an offset.
 * Immutable.
 *
 * <p>The rows behind the values {@code (a, b)} of an order by {@code x, y} are those with {@code x >= a AND (x > a OR y
 * > b)}: one bound for the first column, which an index can start from, and a condition whose size grows with the
 * number of columns and not with its square. A column that may be NULL and has NULLs at the end adds {@code x IS NULL
 * OR}.
 */
public final class Keyset {
    /** The columns that an order may have to be continued: each nests the condition by two levels. */
    public static final int MAX_COLUMNS = 32;

    private static final Predicate NONE = new Predicate.Or(List.of());

    private final Plan plan;
    private final Source source;
    private final List<Order> order;

    private Keyset(Plan plan, Source source, List<Order> order) {
        this.plan = plan;
        this.source = source;
        this.order = List.copyOf(order);
    }

    /**
     * Returns the total order of a plan; empty where no key tells its rows apart: its table has none, or the plan's
     * rows are not those of a table but made of them.
     */
    public static Optional<Keyset> of(Plan plan) {
        boolean isOfTable =
                plan.source() instanceof Table && plan.output() instanceof Output.Columns;
        List<String> key = plan.source().key();
        if (!isOfTable || key.isEmpty()) {
            return Optional.empty();
        }
        Set<String> seen = new HashSet<>();
        List<Order> order = new ArrayList<>();
        for (Order each : plan.order()) {
            if (seen.add(each.column())) {
                order.add(each);
            }
        }
        for (String column : key) {
            if (seen.add(column)) {
                // As engines append it.
                order.add(new Order(column, false, false));
            }
        }
        return Optional.of(new Keyset(plan, plan.source(), order));
    }

    /** Returns the columns of the order, the most significant first. */
    public List<Order> order() {
        return order;
    }

    /**
     * Returns the plan for the rows behind a row, in this order.
     *
     * @param last the row's values of the columns of {@link #order}, as {@link Predicate} has them, of a column with
     *     {@link Order#nativeOrder} as {@link NativeValue}; null for NULL
     * @throws QueryException of kind {@code INVALID_PLAN} if there are not as many values as columns, or the plan is
     *     sliced already, since slices count from the first row behind
     */
    public Plan after(List<? extends @Nullable Object> last) {
        if (last.size() != order.size()) {
            throw invalid(
                    "%d values say where the rows start, and their order has %d columns"
                            .formatted(last.size(), order.size()));
        }
        if (!plan.slices().isEmpty()) {
            throw invalid("rows are cut before it is said where they start");
        }
        Predicate behind = NONE;
        for (int i = order.size() - 1; i >= 0; i--) {
            behind = behind(order.get(i), last.get(i), behind);
        }
        return new Plan(
                source, Predicate.and(plan.filter(), behind), order, List.of(), plan.output());
    }

    /**
     * Returns the condition of rows behind a value of one column.
     *
     * @param rest what holds of rows behind the value that have the same in this column
     */
    private Predicate behind(Order by, @Nullable Object value, Predicate rest) {
        String column = by.column();
        Predicate isNull = new IsNull(column);
        if (value == null) {
            return by.nullsFirst()
                    ? or(new Predicate.Not(isNull), rest)
                    : new Predicate.And(List.of(isNull, rest));
        }
        boolean descending = by.descending();
        Comparator beyond = descending ? Comparator.LESS : Comparator.GREATER;
        Predicate behind = new Comparison(column, beyond, value);
        if (!rest.equals(NONE)) {
            Comparator from = descending ? Comparator.LESS_OR_EQUAL : Comparator.GREATER_OR_EQUAL;
            behind =
                    new Predicate.And(
                            List.of(new Comparison(column, from, value), or(behind, rest)));
        }
        boolean nullsBehind = !by.nullsFirst() && source.column(column).nullable();
        return nullsBehind ? or(isNull, behind) : behind;
    }

    private static Predicate or(Predicate one, Predicate other) {
        return other.equals(NONE) ? one : new Predicate.Or(List.of(one, other));
    }

    private static QueryException invalid(String message) {
        return new QueryException(QueryException.Kind.INVALID_PLAN, message);
    }
}
