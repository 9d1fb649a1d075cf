package dev.penstock.gateway.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.http.HttpException;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Keyset;
import dev.penstock.query.Plan;
import dev.penstock.query.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row behind which an answer starts, {@code after=(v1,v2)}: its values of the order's columns, key last, as they
 * stand in {@code in.(..)}; NULL is {@code null} without quotes.
 */
final class AfterGrammar {
    private static final String NULL = "null";

    /** The bytes that a database may sort a character by. */
    private static final int CHARACTER_BYTES = 3;

    private final SchemaNames names;
    private final Table table;
    private final int orderedBytes;

    /**
     * @param orderedBytes how many bytes of a value decide its place in an order
     */
    AfterGrammar(SchemaNames names, Table table, int orderedBytes) {
        this.names = names;
        this.table = table;
        this.orderedBytes = orderedBytes;
    }

    /** The rows of a plan behind the one that the text spells. The plan has its order, and no slices yet. */
    Plan after(Plan plan, ParameterText text) {
        Keyset keyset =
                Keyset.of(plan)
                        .orElseThrow(() ->
                                text.nameError(
                                        "no_key",
                                        names.shown(table)
                                                + " has no primary key, so that no values say which row was the last",
                                        "read it whole, or in parts by filters"));
        List<Plan.Order> order = keyset.order();
        requireSelected(plan, order, text);
        if (order.size() > Keyset.MAX_COLUMNS) {
            throw text.nameError(
                    "too_many_columns",
                    "the order has more than " + Keyset.MAX_COLUMNS + " columns with its key",
                    "order by fewer");
        }
        return keyset.after(values(order, text));
    }

    private void requireSelected(Plan plan, List<Plan.Order> order, ParameterText text) {
        for (Plan.Order each : order) {
            if (plan.items().stream().noneMatch(item -> item.column().equals(each.column()))) {
                String name = shown(each);
                throw text.nameError(
                        "not_selected",
                        "the rows are in an order by "
                                + shown(order)
                                + ", and "
                                + name
                                + " is not selected, so that nobody can go on behind the last of them",
                        "select " + name + " as well");
            }
        }
    }

    private List<@Nullable Object> values(List<Plan.Order> order, ParameterText text) {
        int start = text.at();
        if (!text.take("(")) {
            throw text.error(
                    start,
                    "malformed",
                    "here should stand ( and not "
                            + (text.atEnd()
                                    ? "the end"
                                    : '"' + ParameterText.shown(text.rest()) + '"'),
                    form(order) + toFilter());
        }
        List<@Nullable Object> values = new ArrayList<>();
        text.skipSpaces();
        boolean some = !text.sees(")");
        while (some) {
            text.skipSpaces();
            if (values.size() == order.size()) {
                throw wrongCount("more than " + values.size(), order, text);
            }
            values.add(value(order.get(values.size()), text));
            text.skipSpaces();
            some = text.take(",");
        }
        if (text.sees(")") && values.size() < order.size()) {
            throw wrongCount(Integer.toString(values.size()), order, text);
        }
        if (!text.take(")") || !text.atEnd()) {
            throw notTheEnd(order, text);
        }
        return values;
    }

    private HttpException notTheEnd(List<Plan.Order> order, ParameterText text) {
        int at = text.at();
        String rest = ParameterText.shown(text.rest());
        return text.error(
                at,
                "malformed",
                rest.isEmpty()
                        ? "the list of values is not closed"
                        : "the list of values goes on with \"" + rest + "\"",
                form(order) + "; values with parentheses or commas stand in double quotes");
    }

    private @Nullable Object value(Plan.Order by, ParameterText text) {
        int at = text.at();
        boolean quoted = text.sees("\"");
        String value = quoted ? text.quoted() : text.takeUntil(",()");
        Column column = table.column(by.column());
        if (!quoted && value.equals(NULL)) {
            if (!column.nullable()) {
                throw text.error(
                        at,
                        "malformed_value",
                        "the column " + shown(by) + " is never NULL",
                        "write the value of the last row; the text null stands in double quotes");
            }
            return null;
        }
        if (isLong(value, column.type())) {
            throw text.error(
                    at,
                    "value_too_long",
                    "the database sorts by the first "
                            + orderedBytes
                            + " bytes of a value, and this one of the column "
                            + shown(by)
                            + " is longer, so that it does not say which row was the last",
                    "order by other columns, or filter by the column");
        }
        return ValueGrammar.ordered(value, column, by.nativeOrder(), shown(by), text, at);
    }

    /** Returns whether other values may be in the same place of the order. */
    private boolean isLong(String value, ColumnType type) {
        boolean isOfAnyLength = type.isTextual() || type == ColumnType.BINARY;
        int bytes = Math.max(CHARACTER_BYTES * value.length(), value.getBytes(UTF_8).length);
        return isOfAnyLength && bytes >= orderedBytes;
    }

    private HttpException wrongCount(String given, List<Plan.Order> order, ParameterText text) {
        return text.error(
                text.at(),
                "wrong_count",
                "after has "
                        + given
                        + (given.equals("1") ? " value" : " values")
                        + ", and the order has "
                        + order.size()
                        + (order.size() == 1 ? " column" : " columns"),
                form(order));
    }

    private String form(List<Plan.Order> order) {
        return "write the last row's values of " + shown(order) + " in parentheses, with commas";
    }

    /** The remedy for a parameter that was meant for a column. */
    private String toFilter() {
        return names.find(table, "after").isPresent()
                ? "; to filter by the column write and=(after.eq.1)"
                : "";
    }

    private String shown(List<Plan.Order> order) {
        return String.join(", ", order.stream().map(this::shown).toList());
    }

    private String shown(Plan.Order by) {
        return ParameterText.shown(names.shown(table, table.column(by.column())));
    }
}
