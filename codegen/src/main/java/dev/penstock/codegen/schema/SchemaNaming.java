package dev.penstock.codegen.schema;

import dev.penstock.codegen.naming.TakenNames;
import dev.penstock.codegen.naming.Words;
import dev.penstock.codegen.problem.CodegenException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names in Java of everything in a schema that has none yet, the same for the same schema every time. Names that
 * are given already come first, so that what is new never changes them. Used once.
 */
public final class SchemaNaming {
    private static final Set<String> KEY_WORDS = Set.of("id", "key", "fk", "no", "code", "ref");

    /** Names of methods that a record has or its generated code adds, and of the package that this code names. */
    private static final Set<String> METHODS =
            Set.of(
                    "clone",
                    "equals",
                    "finalize",
                    "getClass",
                    "hashCode",
                    "java",
                    "notify",
                    "notifyAll",
                    "read",
                    "requireNonNull",
                    "toChar",
                    "toString",
                    "wait");

    private final TakenNames types = new TakenNames(true);

    /** Enums within classes; a class of that name would not be seen there. */
    private final TakenNames nestedTypes = new TakenNames(true);

    private final Map<String, TakenNames> constants = new HashMap<>();

    public SchemaModel name(SchemaModel schema) {
        for (Labels labels : schema.labels()) {
            pinType(labels.javaName(), "enum " + labels.databaseName());
        }
        for (TableModel table : schema.tables()) {
            pinType(table.javaName(), "table " + table.name());
            table.columns().stream()
                    .map(ColumnModel::labels)
                    .filter(labels -> labels != null && !labels.isShared())
                    .forEach(labels -> nestedTypes.take(labels.javaName()));
        }
        List<Labels> shared = new ArrayList<>();
        Map<String, Labels> byName = new HashMap<>();
        for (Labels labels : schema.labels()) {
            Labels named = named(labels, "Enum" + (shared.size() + 1));
            shared.add(named);
            byName.put(named.databaseName(), named);
        }
        Map<String, TableModel> tables = new LinkedHashMap<>();
        for (TableModel table : schema.tables()) {
            String name =
                    table.javaName().isEmpty()
                            ? type(Words.of(table.name()), "Table" + (tables.size() + 1))
                            : table.javaName();
            tables.put(table.name(), table.withJavaName(name));
        }
        pinReferences(tables.values());
        tables.replaceAll((_, table) -> columns(table, byName));
        return schema.with(shared, references(List.copyOf(tables.values())));
    }

    private void pinType(String name, String what) {
        if (!name.isEmpty() && TakenNames.isUsedType(name)) {
            throw taken(what, name);
        }
        if (!name.isEmpty() && !types.take(name)) {
            throw new CodegenException(
                    what
                            + " is called "
                            + name
                            + ", as another table or enum is, or one but for case: give it another name"
                            + " after \"as\" in the schema file");
        }
    }

    private static CodegenException taken(String what, String name) {
        return new CodegenException(
                what
                        + " is called "
                        + name
                        + ", which generated code needs for something else: give it another name after \"as\" in the"
                        + " schema file");
    }

    private String type(Words words, String otherwise) {
        String name = words.isEmpty() ? otherwise : words.className();
        boolean hides = TakenNames.isUsedType(name) || nestedTypes.isTaken(name);
        return types.free(hides ? name + "Row" : name);
    }

    private Labels named(Labels labels, String otherwise) {
        String name =
                labels.javaName().isEmpty()
                        ? type(Words.of(labels.databaseName()), otherwise)
                        : labels.javaName();
        return new Labels(labels.databaseName(), name, constants(labels));
    }

    private static List<Labels.Constant> constants(Labels labels) {
        List<Labels.Constant> constants = labels.constants();
        TakenNames taken = new TakenNames(false);
        for (Labels.Constant constant : constants) {
            String given = constant.javaName();
            if (given.equals("text") || given.equals("$VALUES")) {
                throw taken("the label \"" + constant.text() + "\" of an enum", given);
            }
            if (!given.isEmpty() && !taken.take(given)) {
                throw new CodegenException(
                        "two labels of the enum "
                                + (labels.isShared() ? labels.databaseName() : labels.javaName())
                                + " are called "
                                + given
                                + ": give one of them another name after \"as\" in the schema file");
            }
        }
        List<Labels.Constant> named = new ArrayList<>();
        for (Labels.Constant constant : constants) {
            Words words = Words.of(constant.text());
            String name =
                    !words.isEmpty()
                            ? words.label()
                            : constant.text().isEmpty() ? "EMPTY" : "VALUE" + (named.size() + 1);
            named.add(
                    constant.javaName().isEmpty()
                            ? new Labels.Constant(constant.text(), taken.free(name))
                            : constant);
        }
        return named;
    }

    private TableModel columns(TableModel table, Map<String, Labels> shared) {
        TakenNames fields = names(table);
        TakenNames nested = new TakenNames(true);
        TakenNames components = pinned(table, fields, nested);
        List<String> names = new ArrayList<>();
        for (ColumnModel column : table.columns()) {
            String name = column.javaName();
            names.add(
                    name.isEmpty()
                            ? component(column, names.size() + 1, components, nested)
                            : name);
        }
        // Scripts without case write a component and its field alike, and a class has both.
        for (String name : names) {
            if (!fields.take(name)) {
                throw new CodegenException(
                        "table "
                                + table.name()
                                + ": a foreign key is called "
                                + name
                                + ", as a column is: give it another name in the schema file");
            }
        }
        List<ColumnModel> named = new ArrayList<>();
        for (ColumnModel column : table.columns()) {
            String name = names.get(named.size());
            String constant = fields.free(constant(column, name, components));
            Labels labels = column.labels();
            if (labels != null) {
                labels =
                        labels.isShared()
                                ? shared(labels, shared)
                                : nested(labels, Words.of(column.name()), nested, fields);
            }
            named.add(column.withNames(name, constant).withTarget(column.javaType(), labels));
        }
        return table.withColumns(named);
    }

    /** The names that a table's columns have already; those of their enums go to {@code nested}. */
    private TakenNames pinned(TableModel table, TakenNames fields, TakenNames nested) {
        TakenNames components = new TakenNames(false);
        for (ColumnModel column : table.columns()) {
            String name = column.javaName();
            if (METHODS.contains(name) || isNeeded(name)) {
                throw taken("column " + table.name() + "." + column.name(), name);
            }
            if (!name.isEmpty() && !components.take(name)) {
                throw new CodegenException(
                        "table "
                                + table.name()
                                + ": two columns are called "
                                + name
                                + ": give one of them another name after \"as\" in the schema file");
            }
        }
        for (ColumnModel column : table.columns()) {
            Labels labels = column.labels();
            String type = labels == null || labels.isShared() ? "" : labels.javaName();
            boolean isTaken =
                    types.isTaken(type)
                            || TakenNames.isUsedType(type)
                            || components.isTaken(type)
                            || fields.isTaken(type);
            if (!type.isEmpty() && (isTaken || !nested.take(type))) {
                throw taken("the enum of column " + table.name() + "." + column.name(), type);
            }
        }
        return components;
    }

    /**
     * Returns whether a component or field of that name would stand before something that generated code uses by that
     * name.
     */
    private boolean isNeeded(String name) {
        return name.equals("TABLE")
                || name.equals("java")
                || types.isTakenExactly(name)
                || TakenNames.hidesType(name);
    }

    private String component(
            ColumnModel column, int position, TakenNames components, TakenNames nested) {
        Words words = Words.of(column.name());
        String name = words.isEmpty() ? "column" + position : words.camel();
        while (Words.isKeyword(name)
                || METHODS.contains(name)
                || types.isTakenExactly(name)
                || nested.isTakenExactly(name)) {
            name += "_";
        }
        return components.free(name);
    }

    /** The field of a column is called as the column, unless the component was given another name. */
    private String constant(ColumnModel column, String component, TakenNames components) {
        Words words = Words.of(column.name());
        boolean own =
                !words.isEmpty() && component.matches(Pattern.quote(words.camel()) + "_?\\d*");
        Words of = own ? words : Words.of(component);
        String constant = notType(of.isEmpty() ? "COLUMN" : of.constant());
        return components.isTakenExactly(constant) ? constant + "_COLUMN" : constant;
    }

    /** A field that is called as a class is would stand before the class. */
    private String notType(String constant) {
        return isNeeded(constant) ? constant + "_COLUMN" : constant;
    }

    private static Labels shared(Labels labels, Map<String, Labels> shared) {
        Labels found = shared.get(labels.databaseName());
        if (found == null) {
            throw new CodegenException(
                    "there is no enum "
                            + labels.databaseName()
                            + ": declare it in the schema file, as in \"enum "
                            + labels.databaseName()
                            + " as Name (A, B)\"");
        }
        return found;
    }

    private Labels nested(Labels labels, Words column, TakenNames nested, TakenNames fields) {
        String name = labels.javaName();
        if (name.isEmpty()) {
            name = column.isEmpty() ? "Label" : column.className();
            // A name without lower case would be that of a field.
            if (types.isTaken(name)
                    || TakenNames.isUsedType(name)
                    || fields.isTaken(name)
                    || name.equals(name.toUpperCase(Locale.ROOT))) {
                name += "Value";
            }
            name = nested.free(name);
        }
        return new Labels("", name, constants(new Labels("", name, labels.constants())));
    }

    private List<TableModel> references(List<TableModel> tables) {
        Map<String, TableModel> byName = new LinkedHashMap<>();
        tables.forEach(table -> byName.put(table.name(), table));
        List<TableModel> named = new ArrayList<>();
        for (TableModel table : tables) {
            List<Reference> references = new ArrayList<>();
            for (Reference reference : table.references()) {
                TableModel target = byName.get(reference.table());
                references.add(target == null ? reference : named(table, target, reference));
            }
            named.add(table.withReferences(references));
        }
        return named;
    }

    private void pinReferences(Collection<TableModel> tables) {
        for (TableModel table : tables) {
            for (Reference reference : table.references()) {
                pin(table.name(), reference.constant());
                pin(reference.table(), reference.others());
            }
        }
    }

    private void pin(String table, String constant) {
        TakenNames names = constants.computeIfAbsent(table, _ -> new TakenNames(false));
        if (isNeeded(constant)) {
            throw taken("a foreign key of table " + table, constant);
        }
        if (!constant.isEmpty() && !names.take(constant)) {
            throw new CodegenException(
                    "table "
                            + table
                            + ": a foreign key is called "
                            + constant
                            + ", as another is: give it another name in the schema file");
        }
    }

    private Reference named(TableModel table, TableModel target, Reference reference) {
        Words ofTarget = words(target);
        Words words =
                reference.columns().size() == 1
                        ? Words.of(reference.columns().getFirst()).without(KEY_WORDS)
                        : ofTarget;
        words = words.isEmpty() ? ofTarget : words;
        TakenNames names = names(table);
        String constant = reference.constant();
        if (constant.isEmpty()) {
            String name = notType(words.constant());
            constant = names.free(names.isTaken(name) ? name + "_KEY" : name);
        }
        String others = reference.others();
        if (others.isEmpty()) {
            long keys =
                    table.references().stream()
                            .filter(r -> r.table().equals(target.name()))
                            .count();
            Words plural = words(table).plural();
            boolean only = keys == 1 || words.constant().equals(ofTarget.constant());
            String name = notType(plural.constant()) + (only ? "" : "_BY_" + words.constant());
            TakenNames there = names(target);
            others = there.free(there.isTaken(name) ? name + "_OF_KEY" : name);
        }
        return reference.withNames(constant, others);
    }

    private TakenNames names(TableModel table) {
        return constants.computeIfAbsent(table.name(), _ -> new TakenNames(false));
    }

    /** The words of a table's name; those of its class where it has none. */
    private static Words words(TableModel table) {
        Words words = Words.of(table.name());
        return words.isEmpty() ? Words.of(table.javaName()) : words;
    }
}
