package dev.penstock.codegen.schema;

import dev.penstock.codegen.naming.JavaText;
import dev.penstock.codegen.naming.Words;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The text of a schema file: a line for each column, in columns of text as wide as a table needs. */
public final class SchemaText {
    static final String FIRST_LINE = "penstock-schema 1";

    /** Words of the format, which a name may not be without quotes. */
    private static final Set<String> WORDS =
            Set.of(
                    "penstock-schema",
                    "as",
                    "enum",
                    "exclude",
                    "generated",
                    "implements",
                    "key",
                    "not",
                    "null",
                    "others",
                    "reference",
                    "table",
                    "to",
                    "view");

    private static final String HEAD =
            """
            # What code is generated from. Edit it, and generate from it without a database:
            #   as NAME     the name in Java
            #   exclude     before a table or column: left out
            #   -> TYPE     after a column: what it is in Java, such as -> char or -> enum as Status (NEW, "in work" as WORKING)
            # Writing the schema of a database over this file keeps these choices, and comments.

            """;
    private static final Set<String> HEAD_LINES =
            HEAD.lines().map(String::strip).collect(Collectors.toUnmodifiableSet());

    private final SchemaModel schema;
    private final StringBuilder text = new StringBuilder();

    private SchemaText(SchemaModel schema) {
        this.schema = schema;
    }

    public static String of(SchemaModel schema) {
        return new SchemaText(schema).write();
    }

    /** Whether a comment is one of those at the head of every file. */
    static boolean isHead(String comment) {
        return HEAD_LINES.contains(comment);
    }

    private String write() {
        above("", Comments.START);
        text.append(FIRST_LINE).append('\n').append(HEAD);
        for (Labels labels : schema.labels()) {
            String name = quoted(labels.databaseName()) + " as " + labels.javaName();
            line("", "enum " + name + list(labels), Comments.place(labels));
        }
        for (TableModel table : schema.tables()) {
            text.append(text.charAt(text.length() - 2) == '\n' ? "" : "\n");
            table(table);
        }
        above("", Comments.END);
        return text.toString();
    }

    private void above(String margin, List<String> place) {
        schema.comments()
                .above(place)
                .forEach(comment -> text.append(margin).append(comment).append('\n'));
    }

    private void line(String margin, String line, List<String> place) {
        above(margin, place);
        String behind = schema.comments().behind(place);
        text.append(margin).append(line.stripTrailing());
        text.append(behind.isEmpty() ? "" : "  ").append(behind).append('\n');
    }

    private void table(TableModel table) {
        String head = table.excluded() ? "exclude " : "";
        head += (table.view() ? "view " : "table ") + quoted(table.name());
        head += " as " + table.javaName();
        if (!table.interfaces().isEmpty()) {
            head += " implements " + String.join(", ", table.interfaces());
        }
        head += table.comment().isEmpty() ? "" : " " + comment(table.comment());
        line("", head, Comments.place(table));
        columns(table);
        if (!table.key().isEmpty()) {
            line("  ", "key " + names(table.key()), Comments.keyPlace(table));
        }
        for (Reference reference : table.references()) {
            String line = "reference " + names(reference.columns()) + " to ";
            line += quoted(reference.table()) + ' ' + names(reference.targets());
            line += " as " + reference.constant() + " others " + reference.others();
            line("  ", line, Comments.place(table, reference));
        }
    }

    private void columns(TableModel table) {
        List<String[]> lines = table.columns().stream().map(SchemaText::cells).toList();
        int[] widths = new int[lines.isEmpty() ? 0 : lines.getFirst().length];
        for (String[] line : lines) {
            for (int i = 0; i < line.length; i++) {
                widths[i] = Math.max(widths[i], line[i].codePointCount(0, line[i].length()));
            }
        }
        for (int row = 0; row < lines.size(); row++) {
            String[] cells = lines.get(row);
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < cells.length; i++) {
                if (widths[i] > 0) {
                    int fill = widths[i] - cells[i].codePointCount(0, cells[i].length());
                    line.append(line.isEmpty() ? "" : " ").append(cells[i]).repeat(' ', fill);
                }
            }
            line("  ", line.toString(), Comments.place(table, table.columns().get(row)));
        }
    }

    private static String[] cells(ColumnModel column) {
        Labels labels = column.labels();
        String target = "";
        if (labels != null) {
            target =
                    labels.isShared()
                            ? "-> enum " + quoted(labels.databaseName())
                            : "-> enum as " + labels.javaName() + list(labels);
        } else if (column.javaType() != JavaType.of(column.type(), column.databaseType())) {
            target = "-> " + column.javaType().text;
        }
        return new String[] {
            column.excluded() ? "exclude" : "",
            quoted(column.name()),
            column.type().name().toLowerCase(Locale.ROOT),
            inQuotes(column.databaseType()),
            column.nullable() ? "" : "not null",
            column.generated() ? "generated" : "",
            "as " + column.javaName(),
            target,
            comment(column.comment())
        };
    }

    private static String comment(String text) {
        return text.isEmpty() ? "" : "comment " + inQuotes(text);
    }

    private static String list(Labels labels) {
        return labels.constants().stream()
                .map(c -> quoted(c.text()) + (isNamedAlike(c) ? "" : " as " + c.javaName()))
                .collect(Collectors.joining(", ", " (", ")"));
    }

    /** Whether a label gets its name without being told. */
    private static boolean isNamedAlike(Labels.Constant constant) {
        Words words = Words.of(constant.text());
        return constant.text().equals(constant.javaName())
                && !words.isEmpty()
                && words.label().equals(constant.text());
    }

    private static String names(List<String> names) {
        return names.stream().map(SchemaText::quoted).collect(Collectors.joining(", "));
    }

    /** The name as the parser takes it: in quotes where it needs them. */
    private static String quoted(String name) {
        return isPlain(name) ? name : inQuotes(name);
    }

    /** Whether a name needs no quotes. */
    static boolean isPlain(String name) {
        return !name.isEmpty()
                && !WORDS.contains(name)
                && name.codePoints().allMatch(p -> Character.isLetterOrDigit(p) || p == '_');
    }

    private static String inQuotes(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    boolean isPlain =
                            !Character.isISOControl(c)
                                    && c != '\u2028'
                                    && c != '\u2029'
                                    && !JavaText.isLoneSurrogate(text, i);
                    if (!isPlain) {
                        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}
