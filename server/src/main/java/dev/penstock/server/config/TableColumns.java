package dev.penstock.server.config;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A table that is answered from memory.
 *
 * @param name its name
 * @param columns the names of the columns that are loaded beside those of its key; empty for all
 */
public record AcceleratedTable(String name, List<String> columns) {
    /** A table, its columns if there are any, and the comma or the end behind it. */
    private static final Pattern TABLE =
            Pattern.compile("\\s*([^,()]*[^,()\\s])\\s*(?:\\(([^()]*)\\)\\s*)?(?:,|$)");

    public AcceleratedTable {
        requireNonNull(name);
        columns = List.copyOf(columns);
    }

    /**
     * Returns the tables of the option's values, such as {@code film(film_id,title),actor}.
     *
     * @throws StartupException if one is no such list, or a table or column occurs twice
     */
    static List<AcceleratedTable> parse(List<String> texts) {
        List<AcceleratedTable> tables = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String text : texts) {
            Matcher matcher = TABLE.matcher(text);
            int at = 0;
            while (at < text.length() || at == 0) {
                if (!matcher.find(at) || matcher.start() != at) {
                    throw new StartupException(
                            ("--accelerate %s is no list of tables: write it like film,actor or"
                                            + " 'film(film_id,title),actor'")
                                    .formatted(text));
                }
                String name = matcher.group(1);
                if (!names.add(name)) {
                    throw new StartupException(
                            "--accelerate names table %s twice: name it once, with all its columns"
                                    .formatted(name));
                }
                tables.add(new AcceleratedTable(name, columns(name, matcher.group(2))));
                at = matcher.end();
            }
        }
        return tables;
    }

    private static List<String> columns(String table, @Nullable String text) {
        List<String> columns = new ArrayList<>();
        for (String part : text == null ? new String[0] : text.split(",", -1)) {
            String column = part.strip();
            if (column.isEmpty() || columns.contains(column)) {
                throw new StartupException(
                        "--accelerate %s(%s) has a column %s: name each once, between commas"
                                .formatted(
                                        table,
                                        text,
                                        column.isEmpty() ? "without a name" : column + " twice"));
            }
            columns.add(column);
        }
        return columns;
    }
}
