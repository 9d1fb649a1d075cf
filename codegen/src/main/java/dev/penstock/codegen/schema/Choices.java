package dev.penstock.codegen.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The choices that were made in an earlier schema file, applied to a schema that was read again. Used once. */
public final class Choices {
    private final Map<String, TableModel> tables = new HashMap<>();
    private final Map<String, Labels> labels = new LinkedHashMap<>();
    private final Map<String, TableModel> there = new HashMap<>();
    private final Comments comments;

    public Choices(SchemaModel earlier) {
        comments = earlier.comments();
        earlier.tables().forEach(table -> tables.put(table.name(), table));
        earlier.labels().forEach(each -> labels.put(each.databaseName(), each));
    }

    public SchemaModel applyTo(SchemaModel fresh) {
        fresh.tables().forEach(table -> there.put(table.name(), table));
        List<Labels> shared = new ArrayList<>();
        Map<String, Labels> own = new LinkedHashMap<>(labels);
        for (Labels each : fresh.labels()) {
            shared.add(renamed(each, own.remove(each.databaseName())));
        }
        List<TableModel> all = fresh.tables().stream().map(this::table).toList();
        // Enums that are not the database's stay as long as a column is mapped to them.
        own.values().stream()
                .filter(each -> all.stream().anyMatch(table -> uses(table, each)))
                .forEach(shared::add);
        return new SchemaModel(shared, all, comments, fresh.leftOut());
    }

    private static boolean uses(TableModel table, Labels labels) {
        return table.columns().stream()
                .anyMatch(c ->
                        c.labels() != null
                                && c.labels().databaseName().equals(labels.databaseName()));
    }

    private static Labels renamed(Labels fresh, @Nullable Labels earlier) {
        if (earlier == null) {
            return new Labels(fresh.databaseName(), "", unnamed(fresh.constants()));
        }
        Map<String, String> names = new HashMap<>();
        earlier.constants().forEach(c -> names.put(c.text(), c.javaName()));
        List<Labels.Constant> constants =
                fresh.constants().stream()
                        .map(c -> new Labels.Constant(c.text(), names.getOrDefault(c.text(), "")))
                        .toList();
        return new Labels(fresh.databaseName(), earlier.javaName(), constants);
    }

    private static List<Labels.Constant> unnamed(List<Labels.Constant> constants) {
        return constants.stream().map(c -> new Labels.Constant(c.text(), "")).toList();
    }

    private TableModel table(TableModel fresh) {
        TableModel earlier = tables.get(fresh.name());
        List<ColumnModel> columns = new ArrayList<>();
        for (ColumnModel column : fresh.columns()) {
            Optional<ColumnModel> before =
                    earlier == null ? Optional.empty() : earlier.column(column.name());
            columns.add(column(column, before.orElse(null)));
        }
        List<Reference> references = new ArrayList<>();
        for (Reference reference : fresh.references()) {
            references.add(
                    earlier == null
                            ? reference.withNames("", "")
                            : earlier.references().stream()
                                    .filter(reference::isSame)
                                    .findFirst()
                                    .orElse(reference.withNames("", "")));
        }
        if (earlier == null) {
            return new TableModel(
                    fresh.name(),
                    fresh.view(),
                    false,
                    "",
                    List.of(),
                    columns,
                    fresh.key(),
                    references,
                    fresh.comment());
        }
        TableModel chosen = fresh.withColumns(columns);
        for (Reference reference : earlier.references()) {
            TableModel target = there.get(reference.table());
            if (references.stream().noneMatch(reference::isSame)
                    && target != null
                    && chosen.canRefer(reference, target)) {
                references.add(reference);
            }
        }
        boolean keyIsOurs = fresh.key().isEmpty() && chosen.shows(earlier.key());
        return new TableModel(
                fresh.name(),
                fresh.view(),
                earlier.excluded(),
                earlier.javaName(),
                earlier.interfaces(),
                columns,
                keyIsOurs ? earlier.key() : fresh.key(),
                references,
                fresh.comment());
    }

    private static ColumnModel column(ColumnModel fresh, @Nullable ColumnModel earlier) {
        if (earlier == null) {
            return fresh.withNames("", "").withTarget(fresh.javaType(), freshLabels(fresh, null));
        }
        ColumnModel column =
                fresh.withExcluded(earlier.excluded()).withNames(earlier.javaName(), "");
        if (fresh.labels() != null
                && earlier.labels() != null
                && fresh.labels().databaseName().equals(earlier.labels().databaseName())) {
            return column.withTarget(fresh.javaType(), freshLabels(fresh, earlier.labels()));
        }
        return earlier.type() == fresh.type() && earlier.javaType().fits(fresh.type())
                ? column.withTarget(earlier.javaType(), earlier.labels())
                : column.withTarget(fresh.javaType(), freshLabels(fresh, null));
    }

    private static @Nullable Labels freshLabels(ColumnModel fresh, @Nullable Labels earlier) {
        return fresh.labels() == null ? null : renamed(fresh.labels(), earlier);
    }
}
