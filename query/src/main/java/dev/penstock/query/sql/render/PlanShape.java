package dev.penstock.query.sql.render;

import dev.penstock.query.Aggregate;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Plan.Slice;
import dev.penstock.query.Predicate;
import dev.penstock.query.Source;
import dev.penstock.query.Subquery;
import dev.penstock.query.Window;
import dev.penstock.query.sql.statement.Parameter;
import dev.penstock.query.sql.statement.UnsupportedPlanException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan with a {@link Parameter} where each value was, so that plans which differ in their values alone have equal
 * shapes. A text and the rows of a slice, which can't hold a parameter, hold its number; and all slices are one skip
 * and one limit. ANDs within ANDs and ORs within ORs are one. Of a value in an expression its type is left, by which
 * the expression is written.
 *
 * @param plan without its values
 * @param literals the values, by parameter
 */
public record PlanShape(Plan plan, List<Object> literals) {
    /**
     * How deep conditions and arithmetic may be nested. Databases parse them on the stack: H2's overflows before 500
     * levels.
     */
    static final int MAX_DEPTH = 100;

    /** How deep plans may be nested. H2's optimiser takes twice as long for each level. */
    static final int MAX_PLANS = 8;

    public static PlanShape of(Plan plan) {
        List<Object> literals = new ArrayList<>();
        Plan numbered = new Numbering(literals, 1).plan(plan);
        return new PlanShape(numbered, literals);
    }

    /**
     * The numbering of a plan's values.
     *
     * @param level how deep the plan is nested, from 1
     */
    private record Numbering(List<Object> literals, int level) {
        Numbering {
            if (level > MAX_PLANS) {
                throw new UnsupportedPlanException(
                        "the plan is nested deeper than " + MAX_PLANS + " levels");
            }
        }

        private Plan nested(Plan inner) {
            return new Numbering(literals, level + 1).plan(inner);
        }

        private Parameter parameter(Object literal) {
            literals.add(literal);
            return Parameter.of(literals.size() - 1);
        }

        /** Returns a parameter that tells the type of its value. */
        private Parameter typed(Object literal) {
            return new Parameter(parameter(literal).index(), ColumnType.of(literal));
        }

        Plan plan(Plan plan) {
            Source source = plan.source() instanceof Plan inner ? nested(inner) : plan.source();
            return new Plan(
                    source,
                    predicate(plan.filter(), 0),
                    plan.order(),
                    plan.slices().isEmpty() ? List.of() : slices(Window.of(plan.slices())),
                    plan.output() instanceof Output.Aggregation aggregates
                            ? aggregates(aggregates)
                            : plan.output());
        }

        private List<Slice> slices(Window window) {
            Slice skip =
                    window.offset() > 0 ? new Slice.Skip(parameter(window.offset()).index()) : null;
            Slice limit =
                    window.isLimited() ? new Slice.Limit(parameter(window.limit()).index()) : null;
            if (skip != null && limit != null) {
                return List.of(skip, limit);
            }
            return skip != null ? List.of(skip) : limit != null ? List.of(limit) : List.of();
        }

        /** Arguments keep their values, for the types of the answer's columns come from them. */
        private Output aggregates(Output.Aggregation aggregates) {
            List<Aggregate> values = new ArrayList<>(aggregates.values().size());
            boolean filtered = false;
            for (Aggregate each : aggregates.values()) {
                Predicate filter = each.filter();
                filtered |= filter != null;
                values.add(
                        filter == null
                                ? each
                                : new Aggregate(
                                        each.function(),
                                        each.argument(),
                                        predicate(filter, 0),
                                        each.label()));
            }
            return filtered ? new Output.Aggregation(aggregates.keys(), values) : aggregates;
        }

        private Predicate predicate(Predicate predicate, int depth) {
            if (depth > MAX_DEPTH) {
                throw new UnsupportedPlanException(
                        "the condition is nested deeper than " + MAX_DEPTH + " levels");
            }
            return switch (predicate) {
                case Predicate.IsNull _, Predicate.Matches _ -> predicate;
                case Predicate.Not not -> not(not, depth);
                case Predicate.SqlNot(Predicate inner) ->
                        new Predicate.SqlNot(predicate(inner, depth + 1));
                case Predicate.And(List<Predicate> all) ->
                        all.isEmpty()
                                ? predicate
                                : new Predicate.And(parts(all, Predicate.And.class, depth));
                case Predicate.Or(List<Predicate> any) ->
                        any.isEmpty()
                                ? predicate
                                : new Predicate.Or(parts(any, Predicate.Or.class, depth));
                case Predicate.Comparison(String column, Predicate.Comparator by, Object value) ->
                        new Predicate.Comparison(column, by, parameter(value));
                case Predicate.In(String column, List<Object> values) -> {
                    List<Object> parameters = new ArrayList<>(values.size());
                    values.forEach(value -> parameters.add(parameter(value)));
                    yield new Predicate.In(column, parameters);
                }
                case Predicate.InSubquery(String column, Subquery subquery) ->
                        new Predicate.InSubquery(column, nested(subquery.plan()));
                case Predicate.Text(
                                String column,
                                Predicate.TextOperation operation,
                                String value,
                                boolean ignoringCase) ->
                        new Predicate.Text(
                                column,
                                operation,
                                Integer.toString(parameter(value).index()),
                                ignoringCase);
                case Predicate.Relation(Expression l, Predicate.Comparator by, Expression r) ->
                        new Predicate.Relation(expression(l, depth), by, expression(r, depth));
            };
        }

        /** However many complements there are of one another, one or two say the same; two are never unknown. */
        private Predicate not(Predicate.Not not, int depth) {
            Predicate inner = not;
            boolean negated = false;
            while (inner instanceof Predicate.Not(Predicate next)) {
                inner = next;
                negated = !negated;
            }
            Predicate complement = new Predicate.Not(predicate(inner, depth + 1));
            return negated ? complement : new Predicate.Not(complement);
        }

        private List<Predicate> parts(
                List<Predicate> parts, Class<? extends Predicate> same, int depth) {
            List<Predicate> numbered = new ArrayList<>(parts.size());
            for (Predicate each : parts) {
                List<Predicate> nested = same.isInstance(each) ? parts(each) : null;
                if (nested == null || nested.isEmpty()) {
                    numbered.add(predicate(each, depth + 1));
                } else {
                    flat(nested, same, depth, numbered);
                }
            }
            return numbered;
        }

        private void flat(
                List<Predicate> parts,
                Class<? extends Predicate> same,
                int depth,
                List<Predicate> numbered) {
            Deque<Predicate> left = new ArrayDeque<>(parts);
            while (!left.isEmpty()) {
                Predicate part = left.pop();
                List<Predicate> nested = same.isInstance(part) ? parts(part) : null;
                if (nested == null || nested.isEmpty()) {
                    numbered.add(predicate(part, depth + 1));
                } else {
                    nested.reversed().forEach(left::push);
                }
            }
        }

        private static @Nullable List<Predicate> parts(Predicate predicate) {
            return switch (predicate) {
                case Predicate.And(List<Predicate> all) -> all;
                case Predicate.Or(List<Predicate> any) -> any;
                default -> null;
            };
        }

        private Expression expression(Expression expression, int depth) {
            if (depth > MAX_DEPTH) {
                throw new UnsupportedPlanException(
                        "the arithmetic is nested deeper than " + MAX_DEPTH + " levels");
            }
            return switch (expression) {
                case Expression.ColumnValue _ -> expression;
                case Expression.Literal(Object value) -> new Expression.Literal(typed(value));
                case Expression.Arithmetic(
                                Expression.Operator operator,
                                Expression left,
                                Expression right) ->
                        new Expression.Arithmetic(
                                operator,
                                expression(left, depth + 1),
                                expression(right, depth + 1));
            };
        }
    }
}
