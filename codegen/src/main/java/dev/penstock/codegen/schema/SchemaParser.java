package dev.penstock.codegen.schema;

import dev.penstock.codegen.problem.CodegenException;
import dev.penstock.query.ColumnType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A parser of schema files, whose errors name the line. Used once. */
public final class SchemaParser {
    private static final Pattern TYPE_NAME =
            Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");

    private final List<String> lines;
    private final String place;
    private final Map<String, Labels> labels = new HashMap<>();
    private final List<Labels> allLabels = new ArrayList<>();
    private final List<TableModel> tables = new ArrayList<>();
    private final Map<String, List<SchemaLine>> referenceLines = new HashMap<>();
    private final Set<String> tableNames = new HashSet<>();
    private final Comments.Builder comments = new Comments.Builder();

    // The table that is being read.
    private @Nullable TableModel table;
    private final List<ColumnModel> columns = new ArrayList<>();
    private final List<String> key = new ArrayList<>();
    private final List<Reference> references = new ArrayList<>();

    public SchemaParser(String text, String place) {
        this.lines = text.lines().toList();
        this.place = place;
    }

    public SchemaModel parse() {
        boolean begun = false;
        for (int i = 0; i < lines.size(); i++) {
            String text = i == 0 ? withoutMark(lines.get(i)) : lines.get(i);
            SchemaLine line = new SchemaLine(text, place + ", line " + (i + 1));
            if (line.isOver()) {
                comments.add(SchemaText.isHead(line.comment()) ? "" : line.comment());
            } else if (!begun) {
                begun(line);
                comments.add(line.comment());
                comments.put(Comments.START, "");
                begun = true;
            } else {
                comments.put(statement(line), line.comment());
                line.expectEnd();
            }
        }
        if (!begun) {
            throw new CodegenException(
                    place
                            + " is empty: a schema file begins with \""
                            + SchemaText.FIRST_LINE
                            + "\"");
        }
        endTable();
        checkReferences();
        return new SchemaModel(allLabels, tables, comments.build(), List.of());
    }

    /** Some editors begin a file with an invisible mark. */
    private static String withoutMark(String line) {
        return line.startsWith("\uFEFF") ? line.substring(1) : line;
    }

    private static void begun(SchemaLine line) {
        if (!line.accept("penstock-schema")) {
            throw line.error(
                    "this is no schema file: it would begin with \""
                            + SchemaText.FIRST_LINE
                            + "\"");
        }
        String version = line.word("the version of the format");
        if (!version.equals("1")) {
            throw line.error(
                    "format "
                            + version
                            + " is not known: this Penstock reads format 1; use a newer one");
        }
    }

    /** Reads a statement; returns where its comments belong. */
    private List<String> statement(SchemaLine line) {
        boolean excluded = line.accept("exclude");
        if (line.accept("table")) {
            return Comments.place(beginTable(line, false, excluded));
        } else if (line.accept("view")) {
            return Comments.place(beginTable(line, true, excluded));
        } else if (!excluded && line.accept("enum")) {
            endTable();
            labels(line);
            return Comments.place(allLabels.getLast());
        } else if (table == null) {
            throw line.error("expected \"table\", \"view\" or \"enum\" at the beginning of a line");
        } else if (!excluded && line.accept("key")) {
            if (!key.isEmpty()) {
                throw line.error("table " + table.name() + " has two keys");
            }
            key.addAll(line.names("a column"));
            requireColumns(line, key);
            if (new HashSet<>(key).size() < key.size()) {
                throw line.error("the key of table " + table.name() + " has a column twice");
            }
            return Comments.keyPlace(table);
        } else if (!excluded && line.accept("reference")) {
            reference(line, table);
            return Comments.place(table, references.getLast());
        } else {
            columns.add(column(line, excluded, table.name()));
            return Comments.place(table, columns.getLast());
        }
    }

    private void labels(SchemaLine line) {
        String name = line.name("the name of an enum");
        Labels read = labels(line, name);
        if (name.isEmpty()) {
            throw line.error("the name of an enum is empty");
        }
        if (labels.put(name, read) != null) {
            throw line.error("enum " + name + " is there twice");
        }
        allLabels.add(read);
    }

    private static Labels labels(SchemaLine line, String databaseName) {
        String javaName = line.optionalJavaName();
        List<Labels.Constant> constants = new ArrayList<>();
        Set<String> texts = new HashSet<>();
        line.expect("(");
        do {
            String text = line.name("a label");
            if (!texts.add(text)) {
                throw line.error("the label \"" + text + "\" is there twice");
            }
            String name = line.optionalJavaName();
            constants.add(new Labels.Constant(text, name));
        } while (line.accept(","));
        line.expect(")");
        return new Labels(databaseName, javaName, constants);
    }

    private TableModel beginTable(SchemaLine line, boolean view, boolean excluded) {
        endTable();
        String name = line.name("the name of a table");
        if (!tableNames.add(name)) {
            throw line.error("table " + name + " is there twice");
        }
        String javaName = line.optionalJavaName();
        List<String> interfaces = new ArrayList<>();
        if (line.accept("implements")) {
            do {
                String type = line.word("the name of an interface");
                if (!TYPE_NAME.matcher(type).matches()) {
                    throw line.error("\"" + type + "\" can't be the name of an interface");
                }
                interfaces.add(type);
            } while (line.accept(","));
        }
        String comment = comment(line);
        TableModel begun =
                new TableModel(
                        name,
                        view,
                        excluded,
                        javaName,
                        interfaces,
                        List.of(),
                        List.of(),
                        List.of(),
                        comment);
        table = begun;
        return begun;
    }

    private void endTable() {
        if (table == null) {
            return;
        }
        if (columns.isEmpty()) {
            throw new CodegenException(
                    place + ": table " + table.name() + " has no columns: add some, or remove it");
        }
        tables.add(
                new TableModel(
                        table.name(),
                        table.view(),
                        table.excluded(),
                        table.javaName(),
                        table.interfaces(),
                        columns,
                        key,
                        references,
                        table.comment()));
        table = null;
        columns.clear();
        key.clear();
        references.clear();
    }

    private void reference(SchemaLine line, TableModel table) {
        List<String> from = line.names("a column");
        requireColumns(line, from);
        line.expect("to");
        String target = line.name("the name of a table");
        List<String> to = line.names("a column");
        if (from.size() != to.size()) {
            throw line.error(
                    "a reference of "
                            + from.size()
                            + " columns goes to "
                            + to.size()
                            + ": give as many");
        }
        String constant = line.optionalJavaName();
        String others = line.accept("others") ? line.javaName() : "";
        Reference reference = new Reference(from, target, to, constant, others);
        if (references.stream().anyMatch(reference::isSame)) {
            throw line.error("the same reference is there twice: remove one");
        }
        references.add(reference);
        referenceLines.computeIfAbsent(table.name(), _ -> new ArrayList<>()).add(line);
    }

    private void requireColumns(SchemaLine line, List<String> names) {
        for (String name : names) {
            if (columns.stream().noneMatch(column -> column.name().equals(name))) {
                throw line.error(
                        "table "
                                + (table == null ? "" : table.name())
                                + " has no column \""
                                + name
                                + "\" above this line: correct the name");
            }
        }
    }

    private void checkReferences() {
        for (TableModel from : tables) {
            for (int i = 0; i < from.references().size(); i++) {
                Reference reference = from.references().get(i);
                SchemaLine line = referenceLines.getOrDefault(from.name(), List.of()).get(i);
                TableModel target =
                        tables.stream()
                                .filter(t -> t.name().equals(reference.table()))
                                .findFirst()
                                .orElseThrow(() ->
                                        line.error(
                                                "there is no table \""
                                                        + reference.table()
                                                        + "\" to refer to: correct the name, or remove the reference"));
                for (String name : reference.targets()) {
                    if (target.column(name).isEmpty()) {
                        throw line.error(
                                "table "
                                        + target.name()
                                        + " has no column \""
                                        + name
                                        + "\" to refer to: correct the name");
                    }
                }
                if (!from.canRefer(reference, target)) {
                    throw line.error(
                            "table "
                                    + from.name()
                                    + " can't refer by "
                                    + types(from, reference.columns())
                                    + " to "
                                    + types(target, reference.targets())
                                    + ": correct the names, or map the columns alike");
                }
            }
        }
    }

    private static String types(TableModel table, List<String> names) {
        return names.stream()
                .flatMap(name -> table.column(name).stream())
                .map(c -> table.name() + "." + c.name() + " (" + c.javaType().text + ")")
                .collect(Collectors.joining(", "));
    }

    private ColumnModel column(SchemaLine line, boolean excluded, String tableName) {
        String name = line.name("the name of a column");
        if (name.isEmpty()) {
            throw line.error("the name of a column is empty");
        }
        if (columns.stream().anyMatch(column -> column.name().equals(name))) {
            throw line.error("table " + tableName + " has two columns " + name);
        }
        String where = tableName + "." + name;
        ColumnType type = type(line, where);
        String databaseType = line.quotedOrNull();
        boolean nullable = true;
        if (line.accept("not")) {
            line.expect("null");
            nullable = false;
        }
        boolean generated = line.accept("generated");
        String javaName = line.optionalJavaName();
        String shown = databaseType == null ? type.name().toLowerCase(Locale.ROOT) : databaseType;
        ColumnModel column =
                new ColumnModel(
                        name,
                        type,
                        shown,
                        nullable,
                        generated,
                        excluded,
                        javaName,
                        "",
                        JavaType.of(type, shown),
                        null,
                        "");
        ColumnModel mapped = line.accept("->") ? target(line, column, where) : column;
        return mapped.withComment(comment(line));
    }

    /** The comment of a table or column in the database, at the end of its line. */
    private static String comment(SchemaLine line) {
        if (!line.accept("comment")) {
            return "";
        }
        String text = line.quotedOrNull();
        if (text == null) {
            throw line.error("a comment needs quotes: write it like comment \"words\"");
        }
        return text;
    }

    private static ColumnType type(SchemaLine line, String where) {
        String word = line.word("the type of column " + where);
        for (ColumnType type : ColumnType.values()) {
            if (type.name().toLowerCase(Locale.ROOT).equals(word)) {
                return type;
            }
        }
        throw line.error(
                "column "
                        + where
                        + " has the unknown type \""
                        + word
                        + "\": choose one of "
                        + Arrays.stream(ColumnType.values())
                                .map(t -> t.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", ")));
    }

    private ColumnModel target(SchemaLine line, ColumnModel column, String where) {
        String word = line.word("a type of Java");
        JavaType type =
                JavaType.named(word)
                        .filter(t -> t.fits(column.type()))
                        .orElseThrow(() ->
                                line.error(
                                        "column "
                                                + where
                                                + ", of type "
                                                + column.type().name().toLowerCase(Locale.ROOT)
                                                + ", can't be mapped to \""
                                                + word
                                                + "\": choose one of "
                                                + JavaType.choices(column.type())));
        if (type != JavaType.ENUM) {
            return column.withTarget(type, null);
        }
        int before = line.mark();
        if (line.accept("as") || line.accept("(")) {
            line.reset(before);
            return column.withTarget(type, labels(line, ""));
        }
        String name = line.name("the name of an enum");
        Labels declared = labels.get(name);
        if (declared == null) {
            throw line.error(
                    "column "
                            + where
                            + " is mapped to the enum "
                            + name
                            + ", which is not declared above: add a line like \"enum "
                            + name
                            + " as Name (A, B)\" before the tables");
        }
        return column.withTarget(type, declared);
    }
}
