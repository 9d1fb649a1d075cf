package dev.penstock.gateway.page;

import dev.penstock.format.PageWriter;
import dev.penstock.gateway.request.PlanGrammar;
import dev.penstock.http.Exchange;
import dev.penstock.query.Column;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The form by which a page's rows are filtered, and the filters that there are, each with a link that removes it. It
 * works without script: what is sent is answered with a redirect to the same page with one more filter in its query.
 */
public final class FilterForm {
    private static final int SHOWN = 48;

    /**
     * A condition that the form offers.
     *
     * @param operator in the grammar of URLs
     * @param sign on the page
     */
    private record Choice(String operator, String sign) {}

    private static final List<Choice> CHOICES =
            List.of(
                    new Choice("eq", "="),
                    new Choice("neq", "\u2260"),
                    new Choice("lt", "<"),
                    new Choice("lte", "\u2264"),
                    new Choice("gt", ">"),
                    new Choice("gte", "\u2265"),
                    new Choice("in", "is one of (a,b)"),
                    new Choice("is.null", "is NULL"),
                    new Choice("is.not_null", "is not NULL"));

    /** What else may stand in a URL. */
    private static final Map<String, String> SIGNS =
            Map.of(
                    "eq", "=", "neq", "\u2260", "lt", "<", "lte", "\u2264", "gt", ">", "gte",
                    "\u2265");

    private final PageQuery query;

    FilterForm(PageQuery query) {
        this.query = query;
    }

    /** Returns whether a request comes from the form. */
    public static boolean isSent(PageQuery query) {
        return query.has(PlanGrammar.FORM_COLUMN);
    }

    /** Answers what was sent: with the page that has the filter. */
    public static void redirect(Exchange exchange, PageQuery query) {
        PageQuery rest =
                query.without(
                        PlanGrammar.FORM_COLUMN,
                        PlanGrammar.FORM_OPERATOR,
                        PlanGrammar.FORM_VALUE,
                        "offset",
                        "after");
        String column = query.value(PlanGrammar.FORM_COLUMN);
        String operator = query.value(PlanGrammar.FORM_OPERATOR);
        boolean known = CHOICES.stream().anyMatch(each -> each.operator().equals(operator));
        if (!column.isEmpty() && known) {
            rest = rest.and(condition(column, operator, query.value(PlanGrammar.FORM_VALUE)));
        }
        exchange.status(303).header("Location", rest.reference()).header("Vary", "Accept");
    }

    private static PageQuery.Parameter condition(String column, String operator, String value) {
        int dot = operator.indexOf('.');
        if (dot >= 0) {
            return PageQuery.condition(
                    column, operator.substring(0, dot), operator.substring(dot + 1));
        }
        boolean bare = operator.equals("in") && !value.strip().startsWith("(");
        return PageQuery.condition(column, operator, bare ? "(" + value + ")" : value);
    }

    /**
     * Writes the form.
     *
     * @param columns what may be filtered, by the names outside
     */
    void write(Map<String, Column> columns, PageWriter out) throws IOException {
        out.write("<form method=\"get\">\n");
        for (PageQuery.Parameter kept : query.without("offset", "after").parameters()) {
            out.write("<input type=\"hidden\" name=\"");
            out.writeEscaped(kept.name());
            out.write("\" value=\"");
            out.writeEscaped(kept.value());
            out.write("\">\n");
        }
        out.write("<select name=\"" + PlanGrammar.FORM_COLUMN + "\" aria-label=\"Column\">");
        for (Map.Entry<String, Column> column : columns.entrySet()) {
            out.write("<option title=\"");
            out.writeEscaped(column.getValue().databaseType());
            out.write("\">");
            out.writeEscaped(column.getKey());
            out.write("</option>");
        }
        out.write(
                "</select>\n<select name=\""
                        + PlanGrammar.FORM_OPERATOR
                        + "\" aria-label=\"Condition\">");
        for (Choice choice : CHOICES) {
            out.write("<option value=\"" + choice.operator() + "\">");
            out.writeEscaped(choice.sign());
            out.write("</option>");
        }
        out.write(
                "</select>\n<input name=\""
                        + PlanGrammar.FORM_VALUE
                        + "\" aria-label=\"Value\" placeholder=\"value\"");
        out.write(" autocapitalize=\"off\" autocomplete=\"off\" spellcheck=\"false\">\n");
        out.write("<button>Filter</button>\n</form>\n");
    }

    /** Writes the filters that there are, and the order; nothing where there is none. */
    void writeFilters(PageWriter out) throws IOException {
        List<PageQuery.Parameter> filters =
                query.parameters().stream()
                        .filter(each ->
                                isFilter(each)
                                        || each.name().equals("order")
                                        || each.name().equals("after"))
                        .toList();
        if (filters.isEmpty()) {
            return;
        }
        out.write("<ul class=\"filters\">");
        for (PageQuery.Parameter filter : filters) {
            out.write("<li>");
            out.writeEscaped(shown(filter));
            out.write(" <a href=\"");
            out.writeEscaped(query.without("offset", "after").without(filter).reference());
            out.write("\" title=\"Remove this\" aria-label=\"Remove this\">\u00D7</a></li>");
        }
        out.write("</ul>\n");
    }

    private static boolean isFilter(PageQuery.Parameter parameter) {
        return !PlanGrammar.isReserved(parameter.name()) || isTree(parameter);
    }

    private static boolean isTree(PageQuery.Parameter parameter) {
        String name = parameter.name();
        return name.endsWith("and") || name.endsWith("or");
    }

    private static String shown(PageQuery.Parameter filter) {
        String name = filter.name();
        String value = filter.value();
        if (PlanGrammar.isReserved(name)) {
            return cut(name.replace('.', ' ') + " " + value);
        }
        boolean not = value.startsWith("not.");
        String condition = not ? value.substring(4) : value;
        int dot = condition.indexOf('.');
        String operator = dot < 0 ? condition : condition.substring(0, dot);
        String operand = dot < 0 ? "" : condition.substring(dot + 1);
        String words =
                operator.equals("is")
                        ? "is " + operand.replace('_', ' ').toUpperCase(Locale.ROOT)
                        : SIGNS.getOrDefault(operator, operator)
                                + " "
                                + (operand.isEmpty() ? "\u201C\u201D" : operand);
        return cut(name + (not ? " not " : " ") + words);
    }

    private static String cut(String text) {
        int end = Math.min(text.length(), SHOWN);
        return end == text.length() ? text : text.substring(0, end) + "\u2026";
    }
}
