package dev.penstock.snapshot.execute;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Expression;
import dev.penstock.query.NativeValue;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Source;
import dev.penstock.query.Subquery;
import dev.penstock.query.Table;
import dev.penstock.query.Values;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** A check whether a plan makes sense, and is answered in memory, before anything is done for it. */
public final class PlanValidator {
    /** How deep conditions and arithmetic may be nested, so that no stack overflows. */
    private static final int MAX_DEPTH = 500;

    /** How deep plans may be nested. */
    private static final int MAX_PLANS = 50;

    /** Selections of columns that are remembered, because a program has few. */
    private static final int REMEMBERED = 64;

    private final Function<Table, Table> tables;

    /** Selections that were checked before; whoever comes at the same time checks the same. */
    private final @Nullable Selection[] checked = new Selection[REMEMBERED];

    /** Columns of a table that a plan selects. */
    private record Selection(Source source, List<Item> items) {}

    /**
     * @param tables gives the table that is in memory for one that a plan names, or throws
     */
    public PlanValidator(Function<Table, Table> tables) {
        this.tables = tables;
    }

    /**
     * Returns where the plan can be answered.
     *
     * @throws UnsupportedPlanException if it is not answered in memory
     * @throws QueryException if no engine could answer it
     */
    public void check(Plan plan) {
        check(plan, 1);
    }

    private void check(Plan plan, int depth) {
        if (depth > MAX_PLANS) {
            throw new UnsupportedPlanException(
                    "the plan is nested deeper than " + MAX_PLANS + " levels");
        }
        if (plan.source() instanceof Plan inner) {
            check(inner, depth + 1);
        }
        Source source =
                switch (plan.source()) {
                    case Table table -> tables.apply(table);
                    case Plan inner -> inner;
                };
        new Block(source).check(plan);
        if (Subquery.isIn(plan.filter())) {
            Subquery.each(plan.filter(), in -> check(source, in, depth));
        }
        if (plan.output() instanceof Output.Aggregation(_, List<Aggregate> values)) {
            for (Aggregate value : values) {
                Predicate filter = value.filter();
                if (filter != null) {
                    Subquery.each(filter, in -> check(source, in, depth));
                }
            }
        }
        check(source, plan.output());
    }

    private void check(Source source, Predicate.InSubquery in, int depth) {
        Plan plan = in.subquery().plan();
        check(plan, depth + 1);
        Column column = source.column(in.column());
        List<Column> columns = plan.columns();
        if (columns.size() != 1) {
            throw new QueryException(
                    QueryException.Kind.INVALID_PLAN,
                    "column %s is looked up in a plan of %d columns; it takes one"
                            .formatted(column.name(), columns.size()));
        }
        ColumnType one = column.type();
        ColumnType other = columns.getFirst().type();
        if (one != other && !(isWhole(one) && isWhole(other))) {
            throw new UnsupportedPlanException(
                    "column %s is %s and is looked up in values that are %s"
                            .formatted(column.name(), one, other));
        }
    }

    private static boolean isWhole(ColumnType type) {
        return type == ColumnType.INT || type == ColumnType.LONG;
    }

    @SuppressWarnings("ReferenceEquality") // what is not the same is checked
    private void check(Source source, Output output) {
        if (!(output instanceof Output.Columns(List<Item> items))) {
            return;
        }
        int slot = System.identityHashCode(items) & (REMEMBERED - 1);
        Selection known = checked[slot];
        if (known == null || known.items != items || known.source != source) {
            new Block(source).check(items);
            if (source instanceof Table) {
                checked[slot] = new Selection(source, items);
            }
        }
    }

    /**
     * Checks a condition on rows of a table.
     *
     * @throws QueryException as {@link #check(Plan)} does
     */
    public void check(Table table, Predicate predicate) {
        Table known = tables.apply(table);
        new Block(known).check(predicate, 0);
        Subquery.each(predicate, in -> check(known, in, 1));
    }

    /** The check of what a plan says of its own source. */
    private record Block(Source source) {
        void check(Plan plan) {
            check(plan.filter(), 0);
            for (Order order : plan.order()) {
                Column column = source.column(order.column());
                if (order.nativeOrder()) {
                    throw UnsupportedPlanException.forDatabase(column);
                }
            }
            switch (plan.output()) {
                case Output.Columns _ -> {}
                case Output.Distinct(List<Item> items) -> check(items);
                case Output.Count() -> {}
                case Output.Aggregation(List<Item> keys, List<Aggregate> values) -> {
                    check(keys);
                    values.forEach(this::check);
                }
            }
        }

        private void check(List<Item> items) {
            for (Item item : items) {
                source.column(item.column());
            }
        }

        private void check(Aggregate aggregate) {
            Column column = aggregate.column(source);
            if (aggregate.argument() != null) {
                check(aggregate.argument(), 0);
                if (!(aggregate.argument() instanceof Expression.ColumnValue)
                        && !column.type().isNumeric()) {
                    throw new UnsupportedPlanException(
                            "an aggregate of a value that is no number and no column");
                }
            }
            if (aggregate.filter() != null) {
                check(aggregate.filter(), 0);
            }
        }

        private void check(Predicate predicate, int depth) {
            requireDepth(depth);
            switch (predicate) {
                case Predicate.And(List<Predicate> all) -> checkAll(all, depth + 1);
                case Predicate.Or(List<Predicate> any) -> checkAll(any, depth + 1);
                case Predicate.Not(Predicate inner) -> check(inner, depth + 1);
                case Predicate.SqlNot(Predicate inner) -> check(inner, depth + 1);
                case Predicate.IsNull(String name) -> source.column(name);
                case Predicate.Comparison(String name, _, Object value) ->
                        fit(source.column(name), value);
                case Predicate.In(String name, List<Object> values) -> {
                    Column column = source.column(name);
                    values.forEach(value -> fit(column, value));
                }
                case Predicate.InSubquery in -> source.column(in.column());
                case Predicate.Text text -> {
                    requireText(text.column());
                    requireWhole(text.value());
                }
                case Predicate.Matches matches -> {
                    requireText(matches.column());
                    compile(matches);
                }
                case Predicate.Relation relation -> check(relation);
            }
        }

        private void checkAll(List<Predicate> parts, int depth) {
            for (int i = 0; i < parts.size(); i++) {
                check(parts.get(i), depth);
            }
        }

        private static void requireDepth(int depth) {
            if (depth > MAX_DEPTH) {
                throw new UnsupportedPlanException(
                        "a condition or arithmetic is nested deeper than " + MAX_DEPTH + " levels");
            }
        }

        private static void fit(Column column, Object value) {
            if (value instanceof NativeValue) {
                throw UnsupportedPlanException.forDatabase(column);
            }
            requireWhole(value);
            Values.fit(column, value);
        }

        private static void requireWhole(Object value) {
            if (value instanceof String text && Values.hasHalfPair(text)) {
                throw new UnsupportedPlanException(
                        "a text with half a surrogate pair, which no cell can hold");
            }
        }

        private void requireText(String name) {
            Column c = source.column(name);
            if (!c.type().isTextual()) {
                throw new QueryException(
                        QueryException.Kind.INVALID_PLAN,
                        "column %s is %s (%s) and is looked at as a text"
                                .formatted(c.name(), c.type(), c.databaseType()));
            }
        }

        private static void compile(Predicate.Matches matches) {
            try {
                Pattern.compile(matches.pattern(), matches.flags());
            } catch (PatternSyntaxException e) {
                throw new QueryException(
                        QueryException.Kind.INVALID_PLAN,
                        "column %s is matched with what is no regular expression: %s"
                                .formatted(matches.column(), e.getDescription()));
            }
        }

        private void check(Predicate.Relation relation) {
            check(relation.left(), 0);
            check(relation.right(), 0);
            ColumnType left = relation.left().type(source);
            ColumnType right = relation.right().type(source);
            boolean comparable =
                    left == right
                            || (left.isNumeric() && right.isNumeric())
                            || (left.isTextual() && right.isTextual());
            if (!comparable) {
                throw new QueryException(
                        QueryException.Kind.INVALID_PLAN,
                        "what is %s is compared with what is %s".formatted(left, right));
            }
        }

        private static void check(Expression expression, int depth) {
            requireDepth(depth);
            switch (expression) {
                case Expression.ColumnValue _ -> {}
                case Expression.Literal(Object value) -> requireWhole(value);
                case Expression.Arithmetic(_, Expression left, Expression right) -> {
                    check(left, depth + 1);
                    check(right, depth + 1);
                }
            }
        }
    }
}
