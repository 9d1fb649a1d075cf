package dev.penstock.codegen;

import dev.penstock.codegen.naming.JavaText;
import dev.penstock.codegen.naming.Words;
import dev.penstock.codegen.problem.CodegenException;
import dev.penstock.codegen.schema.ColumnModel;
import dev.penstock.codegen.schema.JavaType;
import dev.penstock.codegen.schema.Labels;
import dev.penstock.codegen.schema.SchemaModel;
import dev.penstock.codegen.schema.TableModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The source of a first program on a schema: a few streams on the table that has most to show. Used once.
 */
final class MainSource {
    private static final Set<String> LOCALS =
            Set.of(
                    "arguments",
                    "count",
                    "database",
                    "main",
                    "password",
                    "source",
                    "statistics",
                    "stream");

    private final TableModel table;
    private final Project.Connection connection;
    private final String name;
    private final String rows;
    private final List<String> lines = new ArrayList<>();

    MainSource(SchemaModel schema, Project.Connection connection) {
        this.table =
                schema.tables().stream()
                        .filter(each -> !each.excluded())
                        .max(Comparator.comparingInt(MainSource::worth))
                        .orElseThrow(() ->
                                new CodegenException(
                                        "the schema has no table to write a program for: name another with"
                                                + " --schema, or make one"));
        this.connection = connection;
        this.name = table.javaName();
        Words words = Words.of(table.name());
        String plural = words.isEmpty() ? "rows" : words.plural().camel();
        boolean isTaken =
                LOCALS.contains(plural)
                        || plural.equals(name)
                        || schema.labels().stream().anyMatch(l -> l.javaName().equals(plural));
        this.rows = isTaken || !Words.isIdentifier(plural) ? "rows" : plural;
    }

    /**
     * Tables with a key and numbers to count by come first, and of those the one with most columns, the first of
     * equals.
     */
    private static int worth(TableModel table) {
        return (table.key().isEmpty() ? 0 : 20_000)
                + (numbers(table).isEmpty() ? 0 : 10_000)
                + (table.view() ? 0 : 5_000)
                + table.shown().size();
    }

    /** Whole numbers that are no part of a key. */
    private static List<ColumnModel> numbers(TableModel table) {
        Set<String> keys = new HashSet<>(table.key());
        table.references().forEach(reference -> keys.addAll(reference.columns()));
        return table.shown().stream()
                .filter(c -> c.javaType() == JavaType.INT || c.javaType() == JavaType.LONG)
                .filter(c -> !keys.contains(c.name()))
                .toList();
    }

    private Optional<ColumnModel> first(JavaType type) {
        return table.shown().stream().filter(c -> c.javaType() == type).findFirst();
    }

    String text(String packageName) {
        List<ColumnModel> numbers = numbers(table);
        ColumnModel number = numbers.isEmpty() ? null : numbers.getLast();
        ColumnModel measured = numbers.size() > 1 ? numbers.get(numbers.size() - 2) : number;
        connect();
        all();
        if (number != null) {
            count(number);
        }
        combine(number);
        first(JavaType.ENUM).ifPresent(this::label);
        if (number != null && measured != null) {
            statistics(number, measured);
        }
        explain(number);
        TreeSet<String> imports =
                new TreeSet<>(
                        List.of(
                                "dev.penstock.query.sql.Database",
                                "dev.penstock.query.typed.TypedTable",
                                "java.sql.SQLException",
                                Driver.of(connection.url()).source));
        if (measured != null) {
            imports.add("java.util." + kind(measured) + "SummaryStatistics");
        }
        return """
        package %s;

        %s
        /** The first streams on the table {@code %s}. It is yours to change: nothing writes it again. */
        public final class Main {
            private static final String URL = %s;

            private Main() {}

            public static void main(String[] arguments) throws SQLException {
        %s    }
        }
        """
                .formatted(
                        packageName,
                        imports.stream()
                                .map(i -> "import " + i + ";\n")
                                .collect(Collectors.joining()),
                        JavaText.comment(table.name()).replaceAll("[{}@*/<>&]", "?"),
                        JavaText.literal(connection.url()),
                        indented());
    }

    private static String kind(ColumnModel number) {
        return number.javaType() == JavaType.LONG ? "Long" : "Int";
    }

    private String indented() {
        StringBuilder text = new StringBuilder();
        lines.forEach(
                line -> text.append(line.isEmpty() ? "" : "        ").append(line).append('\n'));
        return text.toString();
    }

    private void add(String... more) {
        lines.addAll(List.of(more));
    }

    private void connect() {
        Driver driver = Driver.of(connection.url());
        String type = driver.sourceName();
        add(type + " source = new " + type + "();", "source." + driver.setUrl + "(URL);");
        if (connection.user() != null) {
            add("source.setUser(" + JavaText.literal(connection.user()) + ");");
        }
        add(
                "String password = System.getenv(\"PENSTOCK_PASSWORD\");",
                "if (password != null) {",
                "    source.setPassword(password);",
                "}",
                connection.schema() == null
                        ? "Database database = Database.connect(source);"
                        : "Database database = Database.connect(source, "
                                + JavaText.literal(connection.schema())
                                + ");",
                "TypedTable<"
                        + name
                        + "> "
                        + rows
                        + " = TypedTable.of(database, "
                        + name
                        + ".TABLE);",
                "");
    }

    private void all() {
        add(
                "// The first thousand rows; without the limit, all of them, one at a time.",
                rows + ".stream().limit(1000).forEach(System.out::println);",
                "");
    }

    private String field(ColumnModel column) {
        return name + "." + column.constant();
    }

    private String above(ColumnModel number) {
        return field(number) + ".greaterThan(60)";
    }

    private void count(ColumnModel number) {
        add(
                "// SELECT COUNT(*) ... WHERE ... > ?",
                "long count = " + rows + ".stream().filter(" + above(number) + ").count();",
                "System.out.printf(\"%,d rows have "
                        + number.javaName()
                        + " above 60.%n\", count);",
                "");
    }

    private void combine(@Nullable ColumnModel number) {
        Optional<ColumnModel> text =
                first(JavaType.STRING).filter(c -> c.type() == dev.penstock.query.ColumnType.TEXT);
        if (number == null || text.isEmpty()) {
            return;
        }
        add(
                "// Conditions joined by and, or and negate are still one query.",
                "count =",
                "        " + rows + ".stream()",
                "                .filter(" + above(number) + ")",
                "                .filter("
                        + field(text.get())
                        + ".startsWith(\"A\").or("
                        + field(text.get())
                        + ".contains(\"B\")))",
                "                .count();",
                "System.out.printf(\"%,d of them have a "
                        + text.get().javaName()
                        + " that begins with A or has a B.%n\", count);",
                "");
    }

    private void label(ColumnModel column) {
        Labels labels = java.util.Objects.requireNonNull(column.labels());
        List<Labels.Constant> constants = labels.constants();
        String constant =
                (labels.isShared() ? "" : name + ".")
                        + labels.javaName()
                        + "."
                        + constants.get(constants.size() / 2).javaName();
        add(
                "// Filter and count.",
                "System.out.printf(",
                "        \"%,d rows have " + column.javaName() + " %s.%n\",",
                "        "
                        + rows
                        + ".stream().filter("
                        + field(column)
                        + ".equal("
                        + constant
                        + ")).count(),",
                "        " + constant + ");",
                "");
    }

    private void statistics(ColumnModel number, ColumnModel measured) {
        String kind = kind(measured);
        String type = kind + "SummaryStatistics";
        add("// The rows are sorted and cut by the database, and only the numbers come here.");
        add(type + " statistics =", "        " + rows + ".stream()");
        if (measured.nullable()) {
            add("                .filter(" + field(measured) + ".isNotNull())");
        }
        add(
                "                .sorted(" + field(number) + ".reversed())",
                "                .skip(10)",
                "                .limit(5)",
                "                .mapTo" + kind + "(" + field(measured) + ".as" + kind + "())",
                "                .summaryStatistics();",
                "System.out.println(statistics);",
                "");
    }

    private void explain(@Nullable ColumnModel number) {
        String filter = number == null ? "" : ".filter(" + above(number) + ")";
        add(
                "// What the database was asked.",
                "System.out.println("
                        + rows
                        + ".explain(stream -> stream"
                        + filter
                        + ".count()));");
    }
}
