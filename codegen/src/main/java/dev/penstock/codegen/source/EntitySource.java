package dev.penstock.codegen.source;

import dev.penstock.codegen.naming.JavaText;
import dev.penstock.codegen.naming.JavadocText;
import dev.penstock.codegen.schema.ColumnModel;
import dev.penstock.codegen.schema.JavaType;
import dev.penstock.codegen.schema.Labels;
import dev.penstock.codegen.schema.Reference;
import dev.penstock.codegen.schema.TableModel;
import dev.penstock.query.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The source of a table's class: a record, or where a record can't have that many components a final class with the
 * same methods. Used once.
 */
public final class EntitySource {
    /** Parameters of a constructor: 255, less the object itself. */
    private static final int MAX_SLOTS = 254;

    private final TableModel table;
    private final String name;
    private final List<ColumnModel> columns;
    private final Map<String, TableModel> tables;
    private final StringBuilder out = new StringBuilder();
    private final TreeSet<String> imports = new TreeSet<>();
    private boolean requires;

    /**
     * For one table.
     *
     * @param tables every table that is not left out, by its name in the database
     */
    public EntitySource(TableModel table, Map<String, TableModel> tables) {
        this.table = table;
        this.name = table.javaName();
        this.columns = table.shown();
        this.tables = tables;
    }

    /** The text of the file. */
    public String text(String packageName) {
        imports.add("dev.penstock.query.Cursor");
        imports.add("dev.penstock.query.typed.field.Entity");
        imports.add("java.util.List");
        imports.add("org.jspecify.annotations.NullMarked");
        int slots = columns.stream().mapToInt(c -> c.javaType().slots(c.nullable())).sum();
        javadoc(slots <= MAX_SLOTS);
        if (slots <= MAX_SLOTS) {
            record();
        } else {
            new WideClassSource(this).write();
        }
        out.append("}\n");
        StringBuilder head = new StringBuilder("package ").append(packageName).append(";\n\n");
        if (requires) {
            head.append("import static java.util.Objects.requireNonNull;\n\n");
        }
        imports.forEach(name -> head.append("import ").append(name).append(";\n"));
        return head.append('\n').append(out).toString();
    }

    String name() {
        return name;
    }

    TableModel table() {
        return table;
    }

    List<ColumnModel> columns() {
        return columns;
    }

    EntitySource line(String line) {
        out.append(line).append('\n');
        return this;
    }

    void use(String type) {
        imports.add(type);
    }

    private void javadoc(boolean asRecord) {
        line("/**");
        String key =
                table.key().isEmpty() || !table.shows(table.key())
                        ? "which has no primary key"
                        : "whose primary key is "
                                + table.key().stream()
                                        .map(JavaText::code)
                                        .collect(Collectors.joining(", "));
        String kind = table.view() ? "view" : "table";
        line(" * A row of the " + kind + " " + JavaText.code(table.name()) + ", " + key + ".");
        if (!table.comment().isEmpty()) {
            line(" *").line(JavadocText.wrapped(" * <p>", " * ", table.comment()));
        }
        if (asRecord) {
            line(" *");
            columns.forEach(c -> line(about(" * @param " + c.javaName() + " ", " *     ", c)));
        } else {
            line(" * It has more columns than a record can have components.");
        }
        line(" */").line("@NullMarked");
    }

    /** A column's comment in the database, as lines of Javadoc. */
    static String about(String margin, String further, ColumnModel column) {
        String line =
                margin
                        + JavaText.code(column.name())
                        + ", "
                        + JavaText.code(column.databaseType())
                        + (column.nullable() ? ", may be null" : "")
                        + (column.generated() ? ", computed by the database" : "");
        return column.comment().isEmpty()
                ? line
                : JavadocText.wrapped(line + ": ", further, column.comment());
    }

    private void record() {
        if (columns.stream().anyMatch(c -> c.javaType() == JavaType.BYTES)) {
            // For those who compile with Error Prone: equality is by content, as written below.
            line("@SuppressWarnings(\"ArrayRecordComponent\")");
        }
        line("public record " + name + "(");
        for (int i = 0; i < columns.size(); i++) {
            ColumnModel column = columns.get(i);
            boolean last = i + 1 == columns.size();
            line(
                    "        "
                            + type(column)
                            + " "
                            + column.javaName()
                            + (last ? ")" + implementing(9) + " {" : ","));
        }
        fields();
        line("");
        line("    private static " + name + " read(Cursor row) {");
        List<String> values = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            values.add(read(columns.get(i), i));
        }
        line("        return " + broken("new " + name, values) + ";");
        line("    }");
        if (columns.stream().anyMatch(c -> c.javaType() == JavaType.BYTES)) {
            new EqualitySource(this).write();
        }
        toChar();
        labels();
    }

    /** What reads texts of one char each. */
    void toChar() {
        if (columns.stream().anyMatch(c -> c.javaType() == JavaType.CHAR)) {
            out.append(
                    """

                        private static char toChar(String text) {
                            if (text.length() != 1) {
                                throw new IllegalArgumentException(
                                        "a column that is mapped to char has a text of "
                                                + text.length()
                                                + " characters: map it to String");
                            }
                            return text.charAt(0);
                        }
                    """);
        }
    }

    /** A call with a line for each argument. */
    private static String broken(String head, List<String> arguments) {
        return head
                + arguments.stream()
                        .collect(
                                Collectors.joining(
                                        ",\n                ", "(\n                ", ")"));
    }

    String implementing(int indent) {
        return table.interfaces().isEmpty()
                ? ""
                : "\n"
                        + " ".repeat(indent - 1)
                        + "implements "
                        + String.join(", ", table.interfaces());
    }

    /** The enums of this table's columns alone. */
    void labels() {
        for (ColumnModel column : columns) {
            Labels labels = column.labels();
            if (labels != null && !labels.isShared()) {
                line("");
                String about = "A value of " + JavaText.code(table.name() + "." + column.name());
                new EnumSource(labels, about)
                        .lines()
                        .forEach(l -> line(l.isEmpty() ? l : "    " + l));
            }
        }
    }

    /** The fields, the entity and the foreign keys. */
    void fields() {
        for (ColumnModel column : columns) {
            field(column);
        }
        line("").line("    /** The table. */");
        line("    public static final Entity<" + name + "> TABLE =");
        String fields = listOf(columns.stream().map(ColumnModel::constant).toList(), 20);
        List<String> key = new ArrayList<>();
        if (table.shows(table.key())) {
            table.key().forEach(part -> table.column(part).ifPresent(c -> key.add(c.constant())));
        }
        List<String> arguments =
                List.of(
                        name + ".class",
                        JavaText.literal(table.name()),
                        name + "::read",
                        fields,
                        listOf(key, 20));
        line("            " + JavaText.call("Entity.of", arguments, ";", 12));
        table.references().forEach(this::reference);
        tables.values().forEach(from -> from.references().forEach(r -> others(from, r)));
    }

    /** With the type written out, since the compiler takes long to find that of hundreds. */
    private String listOf(List<String> names, int indent) {
        if (names.size() < 100) {
            return JavaText.call("List.of", names, "", indent);
        }
        use("dev.penstock.query.typed.field.Field");
        return JavaText.call("List.<Field<" + name + ", ?>>of", names, "", indent);
    }

    private void field(ColumnModel column) {
        JavaType type = column.javaType();
        String generic = name;
        List<String> arguments = new ArrayList<>();
        arguments.add(name + ".class");
        arguments.add(JavaText.literal(column.name()));
        if (type.field.equals("ValueField")) {
            generic += ", " + type.text;
            arguments.add(type.text + ".class");
        }
        arguments.add(name + "::" + column.javaName());
        if (column.labels() != null) {
            String labels = column.labels().javaName();
            generic += ", " + labels;
            arguments.add(2, labels + ".class");
            arguments.add(labels + "::text");
            arguments.add(labels + "::of");
        }
        use("dev.penstock.query.typed.field." + type.field);
        String declaration =
                "    public static final "
                        + type.field
                        + "<"
                        + generic
                        + "> "
                        + column.constant()
                        + " =";
        String of = type.field + (column.nullable() ? ".nullable" : ".of");
        String line = declaration + " " + of + "(" + String.join(", ", arguments) + ");";
        if (line.length() <= 100) {
            line(line);
        } else {
            line(declaration).line("            " + JavaText.call(of, arguments, ";", 12));
        }
    }

    private boolean isShown(Reference reference) {
        TableModel target = tables.get(reference.table());
        return target != null && target.shows(reference.targets());
    }

    private void reference(Reference reference) {
        if (!isShown(reference) || !table.shows(reference.columns())) {
            return;
        }
        TableModel target = java.util.Objects.requireNonNull(tables.get(reference.table()));
        use("dev.penstock.query.typed.ForeignKey");
        line("");
        String from =
                reference.columns().stream().map(JavaText::code).collect(Collectors.joining(", "));
        boolean several = reference.columns().size() > 1;
        line(
                "    /** The row of "
                        + JavaText.code(target.name())
                        + " that "
                        + from
                        + (several ? " refer" : " refers")
                        + " to. */");
        line(
                "    public static final ForeignKey<"
                        + name
                        + ", "
                        + target.javaName()
                        + "> "
                        + reference.constant()
                        + " =");
        List<String> arguments =
                List.of(
                        "List.of(" + constants(table, reference.columns(), "") + ")",
                        "() -> List.of("
                                + constants(target, reference.targets(), target.javaName() + ".")
                                + ")");
        line("            " + JavaText.call("ForeignKey.of", arguments, ";", 12));
    }

    private static String constants(TableModel table, List<String> columns, String prefix) {
        return columns.stream()
                .flatMap(column -> table.column(column).stream())
                .map(column -> prefix + column.constant())
                .collect(Collectors.joining(", "));
    }

    private void others(TableModel from, Reference reference) {
        if (!reference.table().equals(table.name())
                || !table.shows(reference.targets())
                || !from.shows(reference.columns())) {
            return;
        }
        use("dev.penstock.query.typed.Referrers");
        line("");
        line(
                "    /** The rows of "
                        + JavaText.code(from.name())
                        + " that refer to a row by "
                        + reference.columns().stream()
                                .map(JavaText::code)
                                .collect(Collectors.joining(", "))
                        + ". */");
        String declaration =
                "    public static final Referrers<"
                        + name
                        + ", "
                        + from.javaName()
                        + "> "
                        + reference.others()
                        + " =";
        String value = "Referrers.of(() -> " + from.javaName() + "." + reference.constant() + ");";
        if (declaration.length() + 1 + value.length() <= 100) {
            line(declaration + " " + value);
        } else {
            line(declaration).line("            " + value);
        }
    }

    /** The type of a component. */
    String type(ColumnModel column) {
        JavaType type = column.javaType();
        if (type.source != null) {
            use(type.source + "." + type.text);
        }
        String text = column.labels() == null ? type.boxed : column.labels().javaName();
        if (!column.nullable()) {
            return column.labels() == null ? type.text : text;
        }
        use("org.jspecify.annotations.Nullable");
        return type == JavaType.BYTES ? "byte @Nullable []" : "@Nullable " + text;
    }

    /** Reads a cell. */
    String read(ColumnModel column, int index) {
        boolean nullable = column.nullable();
        return switch (column.javaType()) {
            case BOOLEAN ->
                    column.type() == ColumnType.INT
                            ? of(nullable, index, "row.getInt(" + index + ") != 0")
                            : primitive(nullable, "getBoolean", index);
            case INT -> primitive(nullable, "getInt", index);
            case LONG -> primitive(nullable, "getLong", index);
            case FLOAT -> primitive(nullable, "getFloat", index);
            case DOUBLE -> primitive(nullable, "getDouble", index);
            case STRING -> object(nullable, "getString", index);
            case BIG_DECIMAL -> object(nullable, "getDecimal", index);
            case LOCAL_DATE -> object(nullable, "getDate", index);
            case LOCAL_TIME -> object(nullable, "getTime", index);
            case LOCAL_DATE_TIME -> object(nullable, "getTimestamp", index);
            case INSTANT -> object(nullable, "getInstant", index);
            case BYTES -> object(nullable, "getBytes", index);
            case CHAR -> of(nullable, index, "toChar(" + object(false, "getString", index) + ")");
            case BIG_INTEGER ->
                    of(
                            nullable,
                            index,
                            object(false, "getDecimal", index) + ".toBigIntegerExact()");
            // By its whole name: a field may be called UUID.
            case UUID ->
                    of(
                            nullable,
                            index,
                            "java.util.UUID.fromString(" + object(false, "getString", index) + ")");
            case ENUM -> {
                Labels labels = java.util.Objects.requireNonNull(column.labels());
                String text = object(false, "getString", index);
                yield of(nullable, index, labels.javaName() + ".of(" + text + ")");
            }
        };
    }

    private static String primitive(boolean nullable, String getter, int index) {
        return of(nullable, index, "row." + getter + "(" + index + ")");
    }

    private static String of(boolean nullable, int index, String value) {
        return nullable ? "row.isNull(" + index + ") ? null : " + value : value;
    }

    private String object(boolean nullable, String getter, int index) {
        String value = "row." + getter + "(" + index + ")";
        requires |= !nullable;
        return nullable ? value : "requireNonNull(" + value + ")";
    }
}
