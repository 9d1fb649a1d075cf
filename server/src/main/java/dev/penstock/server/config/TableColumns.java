package dev.penstock.server.config;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A table and some of its columns, as an option names them.
 *
 * @param name the table's name
 * @param columns the names of the columns; empty where the option names none
 */
public record TableColumns(String name, List<String> columns) {
    /** A table, its columns if there are any, and the comma or the end behind it. */
    private static final Pattern TABLE =
            Pattern.compile("\\s*([^,()]*[^,()\\s])\\s*(?:\\(([^()]*)\\)\\s*)?(?:,|$)");

    public TableColumns {
        requireNonNull(name);
        columns = List.copyOf(columns);
    }

    /**
     * Returns the tables of an option's values, such as {@code film(film_id,title),actor}.
     *
     * @param expected what the option is, and how it is written, for whoever wrote something else
     * @throws StartupException if one is no such list, or a column occurs twice
     */
    static List<TableColumns> parse(String option, String expected, List<String> texts) {
        List<TableColumns> tables = new ArrayList<>();
        for (String text : texts) {
            Matcher matcher = TABLE.matcher(text);
            int at = 0;
            while (at < text.length() || at == 0) {
                if (!matcher.find(at) || matcher.start() != at) {
                    throw new StartupException("%s %s is no %s".formatted(option, text, expected));
                }
                String name = matcher.group(1);
                tables.add(new TableColumns(name, columns(option, name, matcher.group(2))));
                at = matcher.end();
            }
        }
        return tables;
    }

    private static List<String> columns(String option, String table, @Nullable String text) {
        List<String> columns = new ArrayList<>();
        for (String part : text == null ? new String[0] : text.split(",", -1)) {
            String column = part.strip();
            if (column.isEmpty() || columns.contains(column)) {
                throw new StartupException(
                        "%s %s(%s) has a column %s: name each once, between commas"
                                .formatted(
                                        option,
                                        table,
                                        text,
                                        column.isEmpty() ? "without a name" : column + " twice"));
            }
            columns.add(column);
        }
        return columns;
    }
}
