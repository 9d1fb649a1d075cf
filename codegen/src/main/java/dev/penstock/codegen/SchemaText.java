package dev.penstock.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes a schema file: a line a column, in columns of text as wide as a table needs. */
final class SchemaText {
    static final String FIRST_LINE = "penstock-schema 1";

    /** Words of the format, which a name may not be without quotes. */
    static final Set<String> WORDS =
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
            # Writing the schema of a database over this file keeps these choices, but no comments.

            """;

    private SchemaText() {}

    static String of(SchemaFile schema) {
        StringBuilder text = new StringBuilder(FIRST_LINE + "\n").append(HEAD);
        for (Labels labels : schema.labels()) {
            text.append("enum ").append(quoted(labels.databaseName())).append(" as ");
            text.append(labels.javaName()).append(list(labels)).append('\n');
        }
        for (TableModel table : schema.tables()) {
            text.append(text.charAt(text.length() - 2) == '\n' ? "" : "\n");
            table(text, table);
        }
        return text.toString();
    }

    private static void table(StringBuilder text, TableModel table) {
        text.append(table.excluded() ? "exclude " : "").append(table.view() ? "view " : "table ");
        text.append(quoted(table.name())).append(" as ").append(table.javaName());
        if (!table.interfaces().isEmpty()) {
            text.append(" implements ").append(String.join(", ", table.interfaces()));
        }
        text.append('\n');
        List<String[]> lines = new ArrayList<>();
        table.columns().forEach(column -> lines.add(cells(column)));
        int[] widths = new int[lines.isEmpty() ? 0 : lines.getFirst().length];
        for (String[] line : lines) {
            for (int i = 0; i < line.length; i++) {
                widths[i] = Math.max(widths[i], line[i].codePointCount(0, line[i].length()));
            }
        }
        for (String[] line : lines) {
            StringBuilder row = new StringBuilder(" ");
            for (int i = 0; i < line.length; i++) {
                if (widths[i] > 0) {
                    int fill = widths[i] - line[i].codePointCount(0, line[i].length());
                    row.append(' ').append(line[i]).repeat(' ', fill);
                }
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        if (!table.key().isEmpty()) {
            text.append("  key ").append(names(table.key())).append('\n');
        }
        for (Reference reference : table.references()) {
            text.append("  reference ").append(names(reference.columns())).append(" to ");
            text.append(quoted(reference.table())).append(' ').append(names(reference.targets()));
            text.append(" as ").append(reference.constant());
            text.append(" others ").append(reference.others()).append('\n');
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
            target
        };
    }

    private static String list(Labels labels) {
        return labels.constants().stream()
                .map(c ->
                        c.text().equals(c.javaName())
                                ? quoted(c.text())
                                : quoted(c.text()) + " as " + c.javaName())
                .collect(Collectors.joining(", ", " (", ")"));
    }

    private static String names(List<String> names) {
        return names.stream().map(SchemaText::quoted).collect(Collectors.joining(", "));
    }

    /** The name as the parser takes it: in quotes where it needs them. */
    private static String quoted(String name) {
        boolean plain =
                !name.isEmpty()
                        && !WORDS.contains(name)
                        && name.codePoints().allMatch(SchemaText::isPlain);
        return plain ? name : inQuotes(name);
    }

    private static boolean isPlain(int point) {
        return Character.isLetterOrDigit(point) || point == '_';
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
                    if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
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
