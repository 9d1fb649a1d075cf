package dev.penstock.gateway.request;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The parameters of a query as a plan. A parameter is one of the reserved words or the name of a column; a column that
 * is called like a reserved word is reached within {@code and=(..)}.
 */
public final class PlanGrammar {
    /** The fields of a page's form that adds a filter. */
    public static final String FORM_COLUMN = "filter-column";

    public static final String FORM_OPERATOR = "filter-operator";
    public static final String FORM_VALUE = "filter-value";
    static final Set<String> FORM_FIELDS = Set.of(FORM_COLUMN, FORM_OPERATOR, FORM_VALUE);

    private static final Set<String> ONCE =
            Set.of("select", "order", "after", "limit", "offset", "format");
    private static final Set<String> TREES = Set.of("and", "or", "not.and", "not.or");

    private final SchemaNames names;
    private final Table table;
    private final FilterGrammar filters;
    private final ColumnsGrammar columns;
    private final AfterGrammar starts;

    /**
     * @param orderedBytes what {@link dev.penstock.query.Engine#orderedBytes} says
     */
    public PlanGrammar(SchemaNames names, Table table, int orderedBytes) {
        this.names = names;
        this.table = table;
        this.filters = new FilterGrammar(names, table);
        this.columns = new ColumnsGrammar(names, table);
        this.starts = new AfterGrammar(names, table, orderedBytes);
    }

    /** Returns whether a parameter of that name is no condition on a column of it. */
    public static boolean isReserved(String name) {
        return ONCE.contains(name) || TREES.contains(name) || FORM_FIELDS.contains(name);
    }

    /** The plan that the parameters spell. */
    public Plan plan(String query, List<Exchange.Parameter> parameters) {
        Map<String, ParameterText> once = new HashMap<>();
        List<Predicate> conditions = new ArrayList<>();
        for (Exchange.Parameter parameter : parameters) {
            ParameterText text = new ParameterText(query, parameter);
            if (ONCE.contains(parameter.name())) {
                if (once.put(parameter.name(), text) != null) {
                    throw text.nameError(
                            "duplicate_parameter",
                            parameter.name() + " is given twice",
                            "give it once");
                }
            } else if (TREES.contains(parameter.name())) {
                conditions.add(filters.tree(text));
            } else if (!parameter.name().isEmpty() || !parameter.value().isEmpty()) {
                conditions.add(condition(parameter.name(), text));
            }
        }
        return plan(once, conditions);
    }

    private Plan plan(Map<String, ParameterText> once, List<Predicate> conditions) {
        ParameterText select = once.get("select");
        List<Plan.Item> items = select == null ? List.of() : columns.select(select);
        Plan plan = Plan.of(table).select(items.isEmpty() ? columns.all() : items);
        if (!conditions.isEmpty()) {
            plan =
                    plan.where(
                            conditions.size() == 1
                                    ? conditions.getFirst()
                                    : new Predicate.And(conditions));
        }
        ParameterText order = once.get("order");
        if (order != null) {
            plan = plan.orderBy(columns.order(order));
        }
        ParameterText offset = once.get("offset");
        ParameterText after = once.get("after");
        if (after != null) {
            if (offset != null) {
                throw offset.nameError(
                        "bad_offset",
                        "offset stands beside after, which says itself where the rows start",
                        "leave offset out");
            }
            plan = starts.after(plan, after);
        }
        long skipped = offset == null ? 0 : count(offset);
        if (skipped > 0) {
            plan = plan.skip(skipped);
        }
        ParameterText limit = once.get("limit");
        return limit == null ? plan : plan.limit(count(limit));
    }

    private Predicate condition(String name, ParameterText text) {
        boolean quoted = name.length() > 2 && name.startsWith("\"") && name.endsWith("\"");
        String unquoted = quoted ? name.substring(1, name.length() - 1) : name;
        return names.find(table, name)
                .or(() -> names.find(table, unquoted))
                .map(column -> filters.column(column, text))
                .orElseThrow(() -> unknown(unquoted, text));
    }

    private HttpException unknown(String name, ParameterText text) {
        if (name.contains("->")) {
            return text.nameError(
                    "unsupported", "paths into JSON are not supported", "filter by whole columns");
        }
        return text.nameError(
                "unknown_column",
                names.unknown(table, name),
                names.columns(table, name)
                        + "; other parameters are select, order, after, limit, offset, format, and, or,"
                        + " not.and, not.or");
    }

    private long count(ParameterText text) {
        String value = text.rest();
        try {
            if (value.matches("[0-9]{1,19}")) {
                return Long.parseLong(value);
            }
        } catch (NumberFormatException e) {
            // Beyond 64 bits: falls through to the same error.
        }
        String name = text.parameter();
        String column =
                names.find(table, name).isPresent()
                        ? "; to filter by the column write and=(" + name + "." + "eq.1)"
                        : "";
        throw text.error(
                0,
                "bad_" + name,
                "\"" + ParameterText.shown(value) + "\" is no " + name,
                "write a whole number from 0 to 9223372036854775807" + column);
    }
}
