package dev.penstock.codegen;

import dev.penstock.codegen.naming.JavaText;
import dev.penstock.codegen.naming.Words;
import dev.penstock.codegen.problem.CodegenException;
import dev.penstock.codegen.schema.Labels;
import dev.penstock.codegen.schema.TableModel;
import dev.penstock.codegen.source.EntitySource;
import dev.penstock.codegen.source.EnumSource;
import dev.penstock.codegen.source.GeneratedSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A generator of the Java sources of a schema. Immutable; the same schema and package give the same text. */
public final class Generator {
    /**
     * What a class can hold of columns: its constructor is one method, of 64 KB at the most, and so is its
     * initialisation.
     */
    private static final int MAX_COLUMNS = 1600;

    private final SchemaFile schema;
    private final String packageName;

    /**
     * A generator.
     *
     * @param packageName the package of the classes
     * @throws CodegenException if that can't be the name of a package
     */
    public Generator(SchemaFile schema, String packageName) {
        this.schema = schema;
        this.packageName = packageName;
        for (String part : packageName.split("\\.", -1)) {
            if (!Words.isIdentifier(part)) {
                throw new CodegenException(
                        "\""
                                + packageName
                                + "\" can't be the name of a package: write it like com.example.films");
            }
        }
    }

    /**
     * The text of each file, by its name.
     *
     * @throws CodegenException if a table has no columns left, or too many
     */
    public SortedMap<String, String> files() {
        SortedMap<String, String> files = new TreeMap<>();
        Map<String, TableModel> tables = new LinkedHashMap<>();
        for (TableModel table : schema.schema().tables()) {
            if (!table.excluded()) {
                tables.put(table.name(), check(table));
            }
        }
        for (TableModel table : tables.values()) {
            put(files, table.javaName(), new EntitySource(table, tables).text(packageName));
        }
        for (Labels labels : schema.schema().labels()) {
            boolean used =
                    tables.values().stream()
                            .flatMap(table -> table.shown().stream())
                            .anyMatch(column -> labels.equals(column.labels()));
            if (used) {
                String about = "A value of the enum " + JavaText.code(labels.databaseName());
                put(files, labels.javaName(), new EnumSource(labels, about).text(packageName));
            }
        }
        return Collections.unmodifiableSortedMap(files);
    }

    private static void put(SortedMap<String, String> files, String name, String source) {
        files.put(name + ".java", GeneratedSource.marked(source));
    }

    private static TableModel check(TableModel table) {
        int columns = table.shown().size();
        if (columns == 0) {
            throw new CodegenException(
                    "table "
                            + table.name()
                            + " has no columns left: exclude the table, or fewer columns");
        }
        if (columns > MAX_COLUMNS) {
            throw new CodegenException(
                    "table "
                            + table.name()
                            + " has "
                            + columns
                            + " columns; a class can hold "
                            + MAX_COLUMNS
                            + ": exclude some in the schema file");
        }
        return table;
    }

    String packageName() {
        return packageName;
    }

    SchemaFile schema() {
        return schema;
    }
}
