package dev.penstock.gateway.page;

import dev.penstock.gateway.request.PlanGrammar;
import dev.penstock.gateway.response.RowResponse;
import dev.penstock.http.Exchange;
import java.util.ArrayList;
import java.util.List;

/**
 * The parameters of a page's URL, decoded, from which the links on the page are made: the same query with something
 * else in one place. Immutable.
 *
 * @param parameters in the order of the URL
 */
public record PageQuery(List<Parameter> parameters) {
    /**
     * One of them.
     *
     * @param name decoded
     * @param value decoded
     */
    record Parameter(String name, String value) {}

    public PageQuery {
        parameters = List.copyOf(parameters);
    }

    public static PageQuery of(List<Exchange.Parameter> parameters) {
        return new PageQuery(
                parameters.stream()
                        .filter(each -> !each.name().isEmpty() || !each.value().isEmpty())
                        .map(each -> new Parameter(each.name(), each.value()))
                        .toList());
    }

    /** The value of the first parameter of that name; empty where there is none. */
    String value(String name) {
        for (Parameter parameter : parameters) {
            if (parameter.name().equals(name)) {
                return parameter.value();
            }
        }
        return "";
    }

    boolean has(String name) {
        return parameters.stream().anyMatch(each -> each.name().equals(name));
    }

    /** Without those of these names. */
    PageQuery without(String... names) {
        List<String> all = List.of(names);
        return new PageQuery(
                parameters.stream().filter(each -> !all.contains(each.name())).toList());
    }

    /** Without one of them. */
    PageQuery without(Parameter parameter) {
        List<Parameter> rest = new ArrayList<>(parameters);
        rest.remove(parameter);
        return new PageQuery(rest);
    }

    /** With a parameter at the end, in place of all others of its name. */
    PageQuery with(String name, String value) {
        return without(name).and(new Parameter(name, value));
    }

    /** With one more at the end. */
    PageQuery and(Parameter parameter) {
        List<Parameter> more = new ArrayList<>(parameters);
        more.add(parameter);
        return new PageQuery(more);
    }

    /** As a reference to the same path: a question mark and what follows. */
    String reference() {
        StringBuilder reference = new StringBuilder("?");
        for (Parameter parameter : parameters) {
            reference.append(reference.length() == 1 ? "" : "&");
            reference.append(encoded(parameter.name())).append('=');
            reference.append(encoded(parameter.value()));
        }
        return reference.toString();
    }

    /** A text as a name or value in a query, with the marks of the grammar left readable. */
    static String encoded(String text) {
        return RowResponse.encoded(text)
                .replace("%2C", ",")
                .replace("%28", "(")
                .replace("%29", ")")
                .replace("%3A", ":");
    }

    /** The condition that a column has a value, or whatever else the operator says. */
    static Parameter condition(String column, String operator, String value) {
        if (!PlanGrammar.isReserved(column)) {
            return new Parameter(column, operator + "." + value);
        }
        boolean bare = operator.endsWith("is") || operator.endsWith("in");
        return new Parameter(
                "and",
                "(" + quoted(column) + "." + operator + "." + (bare ? value : quoted(value)) + ")");
    }

    /** A name as lists of names and conditions have it. */
    static String name(String column) {
        return column.matches("[A-Za-z0-9_]+") ? column : quoted(column);
    }

    static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
