package dev.penstock.server.memory;

import dev.penstock.query.Column;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.server.config.MemorySettings;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.config.TableColumns;
import dev.penstock.snapshot.Snapshot;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tables, columns and indexes of a schema that the options name.
 *
 * @param settings what the options say
 * @param schema what there is
 */
record TableChoice(MemorySettings settings, Schema schema) {
    private static final int MAX_NAMES = 50;

    /**
     * Has a snapshot load what is named.
     *
     * @throws StartupException if a table or a column is not in the schema, or one of an index is not loaded
     */
    void addAll(Snapshot.Builder builder) {
        for (TableColumns each : settings.tables()) {
            Table table = table("--accelerate", each.name());
            requireColumns("--accelerate", table, each);
            builder.table(table, each.columns());
        }
        for (TableColumns each : settings.indexes()) {
            Table table = table("--index", each.name());
            requireColumns("--index", table, each);
            requireLoaded(table, each);
            builder.index(table, each.columns());
        }
    }

    /**
     * Has a snapshot load what there is of all that is named, as after a change of the schema. A table without any of
     * its columns is left to the database, and an index is left out if one of its columns is gone.
     *
     * @return whether there is any table
     */
    boolean addExisting(Snapshot.Builder builder) {
        Set<Table> loaded = new HashSet<>();
        for (TableColumns each : settings.tables()) {
            Table table = schema.table(each.name()).orElse(null);
            List<String> columns = table == null ? List.of() : existing(table, each);
            if (table != null && columns.isEmpty() == each.columns().isEmpty()) {
                builder.table(table, columns);
                loaded.add(table);
            }
        }
        for (TableColumns each : settings.indexes()) {
            Table table = schema.table(each.name()).filter(loaded::contains).orElse(null);
            if (table != null
                    && each.columns().stream().allMatch(column -> isLoaded(table, column))) {
                builder.index(table, each.columns());
            }
        }
        return !loaded.isEmpty();
    }

    private List<String> existing(Table table, TableColumns of) {
        return of.columns().stream()
                .filter(name -> schema.column(table, name).isPresent())
                .toList();
    }

    private Table table(String option, String name) {
        return schema.table(name)
                .orElseThrow(() ->
                        new StartupException(
                                option
                                        + " "
                                        + name
                                        + " is no table or view of the database: choose among "
                                        + names()));
    }

    private String names() {
        int count = schema.tables().size();
        String names =
                schema.tables().stream()
                        .limit(MAX_NAMES)
                        .map(schema::shown)
                        .collect(Collectors.joining(", "));
        if (count == 0) {
            return "none, since this user can see no table in this schema";
        }
        return count > MAX_NAMES ? names + " and " + (count - MAX_NAMES) + " more" : names;
    }

    private void requireColumns(String option, Table table, TableColumns named) {
        for (String column : named.columns()) {
            if (schema.column(table, column).isEmpty()) {
                throw new StartupException(
                        "%s %s: table %s has no column %s: choose among %s"
                                .formatted(
                                        option,
                                        named.name(),
                                        schema.shown(table),
                                        column,
                                        table.columns().stream()
                                                .map(known -> schema.shown(table, known))
                                                .collect(Collectors.joining(", "))));
            }
        }
    }

    private void requireLoaded(Table table, TableColumns index) {
        for (String column : index.columns()) {
            if (!isLoaded(table, column)) {
                throw new StartupException(
                        "--index %s: column %s of table %s is not in memory: name it in --accelerate too"
                                .formatted(index.name(), column, schema.shown(table)));
            }
        }
    }

    /** Returns whether a column is loaded: with its whole table, because it is named, or as one of the key. */
    private boolean isLoaded(Table table, String name) {
        Column column = schema.column(table, name).orElse(null);
        return column != null
                && settings.tables().stream()
                        .filter(each -> schema.table(each.name()).filter(table::equals).isPresent())
                        .anyMatch(each ->
                                each.columns().isEmpty()
                                        || table.primaryKey().contains(column.name())
                                        || each.columns().stream()
                                                .flatMap(other ->
                                                        schema.column(table, other).stream())
                                                .anyMatch(column::equals));
    }
}
