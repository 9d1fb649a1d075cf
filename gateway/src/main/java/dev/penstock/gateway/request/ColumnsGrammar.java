package dev.penstock.gateway.request;

import dev.penstock.http.HttpException;
import dev.penstock.query.Column;
import dev.penstock.query.NativeType;
import dev.penstock.query.Plan;
import dev.penstock.query.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The lists of columns in {@code select} and {@code order}. */
final class ColumnsGrammar {
    /** How many columns may come again under other names: each makes every row wider than any row of the table. */
    static final int AGAIN = 64;

    private final SchemaNames names;
    private final Table table;

    ColumnsGrammar(SchemaNames names, Table table) {
        this.names = names;
        this.table = table;
    }

    /** Every column, under the name that it has outside. */
    List<Plan.Item> all() {
        return table.columns().stream()
                .map(column -> new Plan.Item(column.name(), names.shown(table, column)))
                .toList();
    }

    /** {@code select=a,alias:b,*}; nothing between commas is left out. */
    List<Plan.Item> select(ParameterText text) {
        List<Plan.Item> items = new ArrayList<>();
        Set<String> labels = new HashSet<>();
        do {
            text.skipSpaces();
            if (text.isAtItemsEnd()) {
                continue;
            }
            int at = text.at();
            for (Plan.Item item : item(text)) {
                if (!labels.add(item.label())) {
                    throw text.error(
                            at,
                            "duplicate_column",
                            "two columns of the answer are called \""
                                    + ParameterText.shown(item.label())
                                    + "\"",
                            "give one of them another name, as in other:"
                                    + ParameterText.shown(item.label()));
                }
                items.add(item);
            }
            if (items.size() > table.columns().size() + AGAIN) {
                throw tooMany(text, at);
            }
        } while (text.take(","));
        if (!text.atEnd()) {
            throw unsupported(text);
        }
        return items;
    }

    private HttpException tooMany(ParameterText text, int at) {
        int columns = table.columns().size();
        int most = columns + AGAIN;
        return text.error(
                at,
                "too_many_columns",
                "more than " + most + " columns are selected",
                "select at most "
                        + most
                        + ": the table has "
                        + columns
                        + ", and "
                        + AGAIN
                        + " may come again under other names");
    }

    private List<Plan.Item> item(ParameterText text) {
        if (text.take("*")) {
            return all();
        }
        int at = text.at();
        String name = name(text, ",:()");
        if (text.sees("::") || text.sees("(")) {
            throw unsupported(text);
        }
        if (!text.take(":")) {
            Column column = column(name, text, at);
            return List.of(new Plan.Item(column.name(), names.shown(table, column)));
        }
        if (name.isEmpty()) {
            throw text.error(
                    at, "malformed", "a name is missing before the colon", "write alias:column");
        }
        int columnAt = text.at();
        String column = name(text, ",:()");
        if (text.sees(":") || text.sees("(")) {
            throw unsupported(text);
        }
        return List.of(new Plan.Item(column(column, text, columnAt).name(), name));
    }

    private Column column(String name, ParameterText text, int at) {
        if (name.isEmpty()) {
            throw text.error(
                    at, "malformed", "the name of a column is missing here", "write select=a,b");
        }
        if (name.contains("->") && names.find(table, name).isEmpty()) {
            throw text.error(
                    at,
                    "unsupported",
                    "paths into JSON are not supported",
                    "select the whole column");
        }
        return names.column(table, name, text, at);
    }

    private static HttpException unsupported(ParameterText text) {
        int at = text.at();
        String what = text.sees(":") ? "casts are" : "embedded tables and functions are";
        return text.error(
                at,
                "unsupported",
                what + " not supported",
                "write select=column or select=alias:column;"
                        + " names with commas, colons or parentheses stand in double quotes");
    }

    /** {@code order=a.desc.nullslast,b}; nothing between commas is left out. */
    List<Plan.Order> order(ParameterText text) {
        List<Plan.Order> orders = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        do {
            text.skipSpaces();
            if (text.isAtItemsEnd()) {
                continue;
            }
            Plan.Order order = orderItem(text);
            if (seen.add(order.column())) {
                orders.add(order);
            }
        } while (text.take(","));
        return orders;
    }

    private Plan.Order orderItem(ParameterText text) {
        int at = text.at();
        boolean quoted = text.sees("\"");
        String name = quoted ? text.quoted() : text.takeUntil(",").strip();
        String suffix = quoted ? text.takeUntil(",").strip() : suffix(name);
        if (!quoted) {
            name = name.substring(0, name.length() - suffix.length());
        }
        if (name.isEmpty()) {
            throw text.error(
                    at,
                    "malformed",
                    "the name of a column is missing here",
                    "write order=a.desc,b");
        }
        Column column = names.find(table, name).orElseThrow(unknown(name, text, at));
        return order(column, suffix, text, at);
    }

    private java.util.function.Supplier<HttpException> unknown(
            String name, ParameterText text, int at) {
        return () -> {
            int dot = name.indexOf('.');
            boolean direction = dot > 0 && names.find(table, name.substring(0, dot)).isPresent();
            if (direction) {
                return direction(name.substring(dot), text, at + dot);
            }
            return text.error(
                    at, "unknown_column", names.unknown(table, name), names.columns(table, name));
        };
    }

    /** The words after the name of a column that says nothing else. */
    private static String suffix(String item) {
        int end = item.length();
        for (String word : List.of(".nullsfirst", ".nullslast")) {
            end = item.endsWith(word) ? item.length() - word.length() : end;
        }
        for (String word : List.of(".asc", ".desc")) {
            if (item.startsWith(word, end - word.length())) {
                return item.substring(end - word.length());
            }
        }
        return item.substring(end);
    }

    private Plan.Order order(Column column, String suffix, ParameterText text, int at) {
        NativeType.Comparison comparison = column.nativeType().comparison();
        if (!comparison.hasOrder()) {
            throw ValueGrammar.noOrder(column, names.shown(table, column), text, at);
        }
        boolean isNative = comparison == NativeType.Comparison.ORDERED;
        boolean descending = suffix.startsWith(".desc");
        String nulls = suffix.replaceFirst("^\\.(asc|desc)(?=\\.|$)", "");
        return switch (nulls) {
            case "" -> new Plan.Order(column.name(), descending, descending, isNative);
            case ".nullsfirst" -> new Plan.Order(column.name(), descending, true, isNative);
            case ".nullslast" -> new Plan.Order(column.name(), descending, false, isNative);
            default -> throw direction(suffix, text, at);
        };
    }

    private static HttpException direction(String suffix, ParameterText text, int at) {
        return text.error(
                at,
                "malformed",
                "\"" + ParameterText.shown(suffix) + "\" is no order",
                "write column, column.asc or column.desc, and .nullsfirst or .nullslast after it");
    }

    /** A name up to one of {@code ends}, or in double quotes. */
    private static String name(ParameterText text, String ends) {
        if (!text.sees("\"")) {
            return text.takeUntil(ends).strip();
        }
        String name = text.quoted();
        text.skipSpaces();
        return name;
    }
}
