package dev.penstock.codegen.schema;

import dev.penstock.codegen.problem.CodegenException;
import dev.penstock.query.Column;
import dev.penstock.query.QueryException;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A reader of a database's schema: what the query engine sees of it, and what {@link SchemaDetails} adds. */
public final class SchemaReader {
    private final Schema schema;
    private final SchemaDetails details;

    private SchemaReader(Schema schema, SchemaDetails details) {
        this.schema = schema;
        this.details = details;
    }

    public static SchemaModel read(DataSource source, @Nullable String name) {
        try {
            Schema schema = Database.connect(source, name).schema();
            try (Connection connection = source.getConnection()) {
                return new SchemaReader(schema, SchemaDetails.read(connection, schema)).read();
            }
        } catch (QueryException e) {
            throw new CodegenException(String.valueOf(e.getMessage()), e);
        } catch (SQLException e) {
            throw new CodegenException("reading the schema failed: " + e.getMessage(), e);
        }
    }

    private SchemaModel read() {
        Map<String, Labels> shared = new LinkedHashMap<>();
        List<TableModel> tables = new ArrayList<>();
        for (Table table : schema.tables()) {
            Map<String, String> shown = new HashMap<>();
            table.columns().forEach(c -> shown.put(c.name(), schema.shown(table, c)));
            List<ColumnModel> columns = new ArrayList<>();
            for (Column column : table.columns()) {
                columns.add(column(table, column, shared));
            }
            tables.add(
                    new TableModel(
                            schema.shown(table),
                            table.view(),
                            false,
                            "",
                            List.of(),
                            columns,
                            table.primaryKey().stream()
                                    .map(name -> shown.getOrDefault(name, name))
                                    .toList(),
                            references(table),
                            details.comment(table)));
        }
        List<Labels> labels = new ArrayList<>(shared.values());
        labels.sort(java.util.Comparator.comparing(Labels::databaseName));
        List<String> leftOut = new ArrayList<>(details.leftOut());
        tables.replaceAll(table -> withReferencesOfLikeTypes(table, tables, leftOut));
        return new SchemaModel(labels, tables, Comments.NONE, leftOut);
    }

    private ColumnModel column(Table table, Column column, Map<String, Labels> shared) {
        Labels labels = details.labels(table.name(), column);
        if (labels != null && labels.isShared()) {
            shared.put(labels.databaseName(), labels);
        }
        JavaType javaType =
                labels == null ? JavaType.of(column.type(), column.databaseType()) : JavaType.ENUM;
        return new ColumnModel(
                schema.shown(table, column),
                column.type(),
                column.databaseType(),
                column.nullable(),
                details.isGenerated(table.name(), column.name()),
                false,
                "",
                "",
                javaType,
                labels,
                details.comment(table, column));
    }

    private List<Reference> references(Table table) {
        List<Reference> references = new ArrayList<>();
        for (Reference reference : details.references(table.name())) {
            Table target = schema.table(reference.table()).orElse(null);
            if (target == null) {
                continue;
            }
            Reference shown =
                    new Reference(
                            shown(table, reference.columns()),
                            schema.shown(target),
                            shown(target, reference.targets()),
                            "",
                            "");
            if (references.stream().noneMatch(shown::isSame)) {
                references.add(shown);
            }
        }
        return references;
    }

    private static TableModel withReferencesOfLikeTypes(
            TableModel table, List<TableModel> tables, List<String> leftOut) {
        List<Reference> references = new ArrayList<>(table.references());
        references.removeIf(reference -> {
            boolean can =
                    tables.stream()
                            .filter(target -> target.name().equals(reference.table()))
                            .anyMatch(target -> table.canRefer(reference, target));
            if (!can) {
                leftOut.add(
                        "the foreign key of "
                                + table.name()
                                + "."
                                + String.join(", ", reference.columns())
                                + " to "
                                + reference.table()
                                + ", whose columns are of other types");
            }
            return !can;
        });
        return table.withReferences(references);
    }

    private List<String> shown(Table table, List<String> columns) {
        // MariaDB repeats the names in the case of the key's declaration.
        return columns.stream()
                .map(name -> schema.column(table, name).orElseGet(() -> table.column(name)))
                .map(column -> schema.shown(table, column))
                .toList();
    }
}
