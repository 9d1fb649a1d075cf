package dev.penstock.gateway.request;

import dev.penstock.http.HttpException;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate;
import dev.penstock.query.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Conditions in PostgREST's spelling, with its meaning: in SQL's logic of three values. As a parameter of its own,
 * {@code column=op.value}, a value goes to the end of the parameter; within {@code and=(..)} and {@code or=(..)} it
 * ends at a comma or parenthesis, unless it is quoted.
 */
public final class FilterGrammar {
    private static final String SUPPORTED = "eq, neq, gt, gte, lt, lte, in, is, isdistinct";
    private static final int DEPTH = 50;

    /** How many conditions a request may have. Databases parse them on the stack. */
    public static final int MAX_CONDITIONS = 2000;

    /** How many values lists may have. PostgreSQL's protocol counts them in 16 bits, and a text may be bound twice. */
    public static final int MAX_VALUES = 32_000;

    private static final Map<String, Predicate.Comparator> COMPARATORS =
            Map.of(
                    "eq", Predicate.Comparator.EQUAL,
                    "isdistinct", Predicate.Comparator.NOT_EQUAL,
                    "gt", Predicate.Comparator.GREATER,
                    "gte", Predicate.Comparator.GREATER_OR_EQUAL,
                    "lt", Predicate.Comparator.LESS,
                    "lte", Predicate.Comparator.LESS_OR_EQUAL);

    /** PostgREST's other operators. */
    private static final Set<String> NOT_YET =
            Set.of(
                    "like", "ilike", "match", "imatch", "fts", "plfts", "phfts", "wfts", "cs", "cd",
                    "ov", "sl", "sr", "nxr", "nxl", "adj");

    private final SchemaNames names;
    private final Table table;
    private int conditions;
    private int values;

    FilterGrammar(SchemaNames names, Table table) {
        this.names = names;
        this.table = table;
    }

    /** The condition of {@code column=[not.]op.value}. */
    Predicate column(Column column, ParameterText text) {
        return condition(column, text, false);
    }

    /** The condition of {@code [not.]and=(..)} or {@code [not.]or=(..)}, by the parameter's name. */
    Predicate tree(ParameterText text) {
        boolean not = text.parameter().startsWith("not.");
        Predicate tree = group(text.parameter().endsWith("or"), text, 1);
        if (!text.atEnd()) {
            throw text.error(
                    text.at(),
                    "malformed",
                    "the conditions end before \"" + ParameterText.shown(text.rest()) + "\"",
                    "write one list of conditions in parentheses, such as (a.eq.1,b.gt.2)");
        }
        return not ? negated(tree) : tree;
    }

    /** SQL's NOT; of what is never unknown, the complement. */
    private static Predicate negated(Predicate condition) {
        return switch (condition) {
            case Predicate.SqlNot(Predicate inner) -> inner;
            case Predicate.Not(Predicate inner) -> inner;
            case Predicate.IsNull _ -> new Predicate.Not(condition);
            case Predicate.Comparison(_, Predicate.Comparator by, _) ->
                    by == Predicate.Comparator.NOT_EQUAL
                            ? new Predicate.Not(condition)
                            : new Predicate.SqlNot(condition);
            case Predicate.And _,
                    Predicate.Or _,
                    Predicate.In _,
                    Predicate.InSubquery _,
                    Predicate.Text _,
                    Predicate.Matches _,
                    Predicate.Relation _ ->
                    new Predicate.SqlNot(condition);
        };
    }

    private Predicate group(boolean any, ParameterText text, int depth) {
        if (depth > DEPTH) {
            throw text.error(
                    text.at(),
                    "too_deep",
                    "conditions are nested more than " + DEPTH + " deep",
                    "nest them less");
        }
        require("(", text, "a list of conditions starts with (");
        List<Predicate> all = new ArrayList<>();
        do {
            text.skipSpaces();
            all.add(element(text, depth));
            text.skipSpaces();
        } while (text.take(","));
        require(")", text, "conditions are separated by commas, and end with )");
        return any ? new Predicate.Or(all) : new Predicate.And(all);
    }

    private Predicate element(ParameterText text, int depth) {
        for (String not : List.of("", "not.")) {
            for (String operator : List.of("and", "or")) {
                if (text.sees(not + operator + "(")) {
                    text.take(not + operator);
                    Predicate group = group(operator.equals("or"), text, depth + 1);
                    return not.isEmpty() ? group : negated(group);
                }
            }
        }
        int at = text.at();
        String name = text.sees("\"") ? text.quoted() : text.takeUntil(".,()");
        if (name.isEmpty()) {
            throw text.error(
                    at, "malformed", "a condition is missing here", "write one as column.op.value");
        }
        Column column = names.column(table, name, text, at);
        require(
                ".",
                text,
                "a condition is column.op.value; names with a dot stand in double quotes");
        return condition(column, text, true);
    }

    private static HttpException tooMany(
            ParameterText text, int at, int most, String what, String hint) {
        return text.error(413, at, "too_many_values", "more than " + most + " " + what, hint);
    }

    private Predicate condition(Column column, ParameterText text, boolean nested) {
        if (++conditions > MAX_CONDITIONS) {
            throw tooMany(
                    text,
                    text.at(),
                    MAX_CONDITIONS,
                    "conditions are given",
                    "write equal values as one in.(..)");
        }
        boolean not = text.take("not.");
        int at = text.at();
        String operator = text.takeUntil(".,()");
        boolean unequal = operator.equals("neq");
        Predicate.Comparator comparator = COMPARATORS.get(unequal ? "eq" : operator);
        if ((comparator == null && !operator.equals("in") && !operator.equals("is"))
                || text.sees("(")) {
            throw unknownOperator(operator, column, text, at);
        }
        require(".", text, "an operator is followed by a dot and a value, such as eq.5");
        Predicate condition;
        if (comparator != null) {
            int from = text.at();
            Object value =
                    ValueGrammar.parse(
                            value(text, nested), column, comparator, shown(column), text, from);
            condition = new Predicate.Comparison(column.name(), comparator, value);
        } else if (operator.equals("in")) {
            condition = new Predicate.In(column.name(), values(column, text, nested));
        } else {
            condition = is(column, text, nested);
        }
        return not != unequal ? negated(condition) : condition;
    }

    private HttpException unknownOperator(
            String operator, Column column, ParameterText text, int at) {
        boolean known =
                NOT_YET.contains(operator)
                        || (text.sees("(")
                                && (operator.equals("neq") || COMPARATORS.containsKey(operator)));
        String shown = ParameterText.shown(operator + (text.sees("(") ? "(\u2026)" : ""));
        return text.error(
                at,
                known ? "unsupported_operator" : "unknown_operator",
                known
                        ? "the operator " + shown + " is not supported yet"
                        : "\"" + shown + "\" is no operator",
                "write " + shown(column) + "=op.value with one of the operators " + SUPPORTED);
    }

    /** A value; when it is no list's, it goes to the end of the parameter, quotes and all. */
    private static String value(ParameterText text, boolean nested) {
        if (!nested) {
            return text.rest();
        }
        return text.sees("\"") ? text.quoted() : text.takeUntil(",()");
    }

    private List<Object> values(Column column, ParameterText text, boolean nested) {
        String form =
                "a list of values is written in parentheses, with commas: (1,2) or (a,\"b,c\")";
        require("(", text, form);
        List<Object> values = new ArrayList<>();
        text.skipSpaces();
        boolean some = !text.sees(")");
        while (some) {
            text.skipSpaces();
            int at = text.at();
            String value = text.sees("\"") ? text.quoted() : text.takeUntil(",()");
            if (++this.values > MAX_VALUES) {
                throw tooMany(
                        text, at, MAX_VALUES, "values are in lists", "ask for fewer at a time");
            }
            values.add(
                    ValueGrammar.parse(
                            value, column, Predicate.Comparator.EQUAL, shown(column), text, at));
            text.skipSpaces();
            some = text.take(",");
        }
        require(")", text, form);
        if (!nested && !text.atEnd()) {
            throw text.error(
                    text.at(),
                    "malformed",
                    "the list ends before \"" + ParameterText.shown(text.rest()) + "\"",
                    "put values with parentheses or commas in double quotes");
        }
        return values;
    }

    private Predicate is(Column column, ParameterText text, boolean nested) {
        int at = text.at();
        String what = value(text, nested).toLowerCase(Locale.ROOT);
        boolean bool = column.type() == ColumnType.BOOLEAN;
        Predicate isNull = new Predicate.IsNull(column.name());
        if (what.equals("null") || (what.equals("unknown") && bool)) {
            return isNull;
        }
        if (what.equals("not_null")) {
            return new Predicate.Not(isNull);
        }
        if (bool && (what.equals("true") || what.equals("false"))) {
            // Not a comparison with EQUAL, which would be unknown of NULL.
            return new Predicate.Not(
                    new Predicate.Comparison(
                            column.name(), Predicate.Comparator.NOT_EQUAL, Boolean.valueOf(what)));
        }
        throw text.error(
                at,
                "malformed_value",
                "\"" + ParameterText.shown(what) + "\" can't follow is",
                bool
                        ? "write is.null, is.not_null, is.true, is.false or is.unknown"
                        : "write is.null or is.not_null; is.true and is.false are for boolean columns, and "
                                + shown(column)
                                + " is "
                                + column.databaseType());
    }

    private String shown(Column column) {
        return ParameterText.shown(names.shown(table, column));
    }

    private static void require(String expected, ParameterText text, String hint) {
        if (!text.take(expected)) {
            int at = text.at();
            String rest = text.rest();
            String found = rest.isEmpty() ? "the end" : "\"" + ParameterText.shown(rest) + "\"";
            throw text.error(
                    at, "malformed", "here should stand " + expected + " and not " + found, hint);
        }
    }
}
