package dev.penstock.codegen.schema;

import dev.penstock.codegen.naming.JavaText;
import dev.penstock.codegen.naming.Words;
import dev.penstock.query.ColumnType;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The text of a schema file: YAML with a line for each column, whose members stand below each other. A library's
 * emitter would not align them, so that this writes the lines itself.
 */
public final class SchemaText {
    static final String FORMAT = "penstock-schema";
    static final String VERSION = "2";
    static final String FIRST_LINE = FORMAT + ": " + VERSION;

    private static final String HEAD =
            """
            # What code is generated from. Edit it, and generate from it without a database:
            #   as: NAME       the name in Java
            #   exclude: true  leaves a table or column out
            #   java: TYPE     what a column is in Java, such as java: char
            #   enum: NAME     makes a column one of the enums; or of its own labels: enum: [NEW, in work: WORKING]
            # Writing the schema of a database over this file keeps these choices, and comments.
            """;
    private static final Set<String> HEAD_LINES =
            HEAD.lines().collect(Collectors.toUnmodifiableSet());

    /** Texts that are the same in quotes and without, inside brackets too. */
    private static final Pattern PLAIN =
            Pattern.compile("[\\p{L}_]([\\p{L}\\p{Nd}_.()+-]| (?=[\\p{L}\\p{Nd}_(]))*");

    /** Plain texts that other readers of YAML take for something else. */
    private static final Pattern RESERVED =
            Pattern.compile("true|false|null|yes|no|on|off|y|n", Pattern.CASE_INSENSITIVE);

    private final SchemaModel schema;
    private final StringBuilder text = new StringBuilder();

    private SchemaText(SchemaModel schema) {
        this.schema = schema;
    }

    public static String of(SchemaModel schema) {
        return new SchemaText(schema).write();
    }

    /** Returns whether a comment is one of those at the head of every file. */
    static boolean isHead(String comment) {
        return HEAD_LINES.contains(comment);
    }

    /** The name of a type in the file. */
    static String name(ColumnType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    private String write() {
        line("", FIRST_LINE, Comments.START);
        text.append(HEAD);
        if (!schema.labels().isEmpty()) {
            text.append('\n');
            line("", "enums:", Comments.place("enums"));
        }
        for (Labels labels : schema.labels()) {
            line(
                    "  ",
                    quoted(labels.databaseName()) + ": " + labels(labels),
                    Comments.place(labels));
        }
        if (!schema.tables().isEmpty()) {
            text.append('\n');
            line("", "tables:", Comments.place("tables"));
        }
        for (int i = 0; i < schema.tables().size(); i++) {
            text.append(i == 0 ? "" : "\n");
            table(schema.tables().get(i));
        }
        schema.comments().above(Comments.END).forEach(comment -> text.append(comment).append('\n'));
        return text.toString();
    }

    private void line(String margin, String line, List<String> place) {
        for (String comment : schema.comments().above(place)) {
            text.append(margin).append(comment).append('\n');
        }
        String behind = schema.comments().behind(place);
        text.append(margin).append(line);
        text.append(behind.isEmpty() ? "" : "  ").append(behind).append('\n');
    }

    private void member(TableModel table, String name, String value) {
        String line = name + ":" + (value.isEmpty() ? "" : " ") + value;
        line("    ", line, Comments.place("tables", table.name(), name));
    }

    private void table(TableModel table) {
        line("  ", quoted(table.name()) + ":", Comments.place("tables", table.name()));
        if (table.view()) {
            member(table, "view", "true");
        }
        if (table.excluded()) {
            member(table, "exclude", "true");
        }
        member(table, "as", table.javaName());
        if (!table.interfaces().isEmpty()) {
            member(table, "implements", list(table.interfaces()));
        }
        if (!table.comment().isEmpty()) {
            member(table, "comment", quoted(table.comment()));
        }
        member(table, "columns", "");
        columns(table);
        if (!table.key().isEmpty()) {
            member(table, "key", list(table.key()));
        }
        if (!table.references().isEmpty()) {
            member(table, "references", "");
        }
        for (Reference reference : table.references()) {
            String line = "- {columns: " + list(reference.columns());
            line += ", table: " + quoted(reference.table()) + ", to: " + list(reference.targets());
            line += ", as: " + reference.constant() + ", others: " + reference.others() + "}";
            line("      ", line, Comments.place(table, reference));
        }
    }

    private void columns(TableModel table) {
        List<List<String>> rows = table.columns().stream().map(SchemaText::cells).toList();
        int[] widths = new int[rows.isEmpty() ? 0 : rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        for (int i = 0; i < rows.size(); i++) {
            String name = table.columns().get(i).name();
            line(
                    "      ",
                    aligned(rows.get(i), widths),
                    Comments.place("tables", table.name(), "columns", name));
        }
    }

    /** A line of the name and the members of a column, each as far to the right as in the other lines. */
    private static String aligned(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder(cells.getFirst()).append(':');
        line.repeat(' ', widths[0] - width(cells.getFirst())).append(" {");
        int fill = 0;
        boolean isFirst = true;
        for (int i = 1; i < widths.length; i++) {
            String cell = cells.get(i);
            if (!cell.isEmpty()) {
                line.append(isFirst ? "" : ",")
                        .repeat(' ', fill)
                        .append(isFirst ? "" : " ")
                        .append(cell);
                fill = widths[i] - width(cell);
                isFirst = false;
            } else if (widths[i] > 0) {
                fill += widths[i] + 2;
            }
        }
        return line.append('}').toString();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }

    /** The name and the members of a column, empty where it does not have them. */
    private static List<String> cells(ColumnModel column) {
        boolean isTyped = !column.databaseType().equals(name(column.type()));
        Labels labels = column.labels();
        String target = "";
        if (labels != null) {
            target =
                    "enum: " + (labels.isShared() ? quoted(labels.databaseName()) : labels(labels));
        } else if (column.javaType() != JavaType.of(column.type(), column.databaseType())) {
            target = "java: " + quoted(column.javaType().text);
        }
        return List.of(
                quoted(column.name()),
                "type: " + name(column.type()),
                isTyped ? "sql: " + quoted(column.databaseType()) : "",
                column.nullable() ? "" : "nullable: false",
                column.generated() ? "generated: true" : "",
                "as: " + column.javaName(),
                target,
                column.excluded() ? "exclude: true" : "",
                column.comment().isEmpty() ? "" : "comment: " + quoted(column.comment()));
    }

    private static String labels(Labels labels) {
        Stream<String> constants =
                labels.constants().stream()
                        .map(c -> quoted(c.text()) + (isNamedAlike(c) ? "" : ": " + c.javaName()));
        return "{as: " + labels.javaName() + ", labels: " + inBrackets(constants) + "}";
    }

    /** Returns whether a label gets its name without being told. */
    private static boolean isNamedAlike(Labels.Constant constant) {
        Words words = Words.of(constant.text());
        return constant.text().equals(constant.javaName())
                && !words.isEmpty()
                && words.label().equals(constant.text());
    }

    private static String list(List<String> names) {
        return inBrackets(names.stream().map(SchemaText::quoted));
    }

    private static String inBrackets(Stream<String> elements) {
        return elements.collect(Collectors.joining(", ", "[", "]"));
    }

    /** The text as YAML takes it: in quotes where it needs them. */
    private static String quoted(String text) {
        boolean isPlain = PLAIN.matcher(text).matches() && !RESERVED.matcher(text).matches();
        return isPlain ? text : JavaText.literal(text);
    }
}
