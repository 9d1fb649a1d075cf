package dev.penstock.gateway.request;

import dev.penstock.gateway.problem.Problems;
import dev.penstock.query.Column;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The names of tables and columns in URLs, in both directions. */
public final class SchemaNames {
    private static final int LISTED = 40;

    private final Schema schema;
    private final String path;

    /**
     * Of a schema.
     *
     * @param path where the list of tables is, for those who missed one
     */
    public SchemaNames(Schema schema, String path) {
        this.schema = schema;
        this.path = path;
    }

    /** The table of that name. */
    public Table table(String name) {
        return schema.table(name)
                .orElseThrow(() -> {
                    List<String> all = schema.tables().stream().map(this::shown).toList();
                    List<String> near = near(name, all);
                    String hint =
                            near.isEmpty()
                                    ? "see GET " + path + " for the list"
                                    : "there is " + String.join(", ", near);
                    return Problems.of(
                                    404,
                                    "unknown_table",
                                    "there is no table \"" + ParameterText.shown(name) + "\"",
                                    null,
                                    hint)
                            .with("near", near);
                });
    }

    Optional<Column> find(Table table, String name) {
        return schema.column(table, name);
    }

    /** The column that was named at an index of a parameter's value. */
    Column column(Table table, String name, ParameterText text, int index) {
        return find(table, name)
                .orElseThrow(() ->
                        text.error(
                                index,
                                "unknown_column",
                                unknown(table, name),
                                columns(table, name)));
    }

    String unknown(Table table, String name) {
        return "table " + shown(table) + " has no column \"" + ParameterText.shown(name) + "\"";
    }

    /** What to say of the columns that there are. */
    String columns(Table table, String name) {
        List<String> all = table.columns().stream().map(each -> shown(table, each)).toList();
        List<String> near = near(name, all);
        if (!near.isEmpty()) {
            return "there is " + String.join(", ", near);
        }
        String more = all.size() > LISTED ? ", \u2026" : "";
        return "its columns are "
                + String.join(", ", all.subList(0, Math.min(LISTED, all.size())))
                + more;
    }

    /** How a table is called outside. */
    public String shown(Table table) {
        return schema.shown(table);
    }

    /** How a column is called outside. */
    public String shown(Table table, Column column) {
        return schema.shown(table, column);
    }

    private static List<String> near(String name, List<String> all) {
        String wanted = name.toLowerCase(Locale.ROOT);
        int allowed = wanted.length() < 4 ? 1 : Math.max(2, wanted.length() / 3);
        return all.stream()
                .filter(each ->
                        wanted.length() <= 64
                                && distance(wanted, each.toLowerCase(Locale.ROOT)) <= allowed)
                .sorted(
                        Comparator.comparingInt(
                                each -> distance(wanted, each.toLowerCase(Locale.ROOT))))
                .limit(3)
                .toList();
    }

    /** How many characters to insert, remove or change. */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(Math.min(row[j - 1], previous[j]) + 1, previous[j - 1] + change);
            }
            previous = row;
        }
        return previous[b.length()];
    }
}
