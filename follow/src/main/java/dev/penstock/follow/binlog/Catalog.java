package dev.penstock.follow.binlog;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tables whose changes in the log matter, as they were defined when it was read. Immutable. */
final class Catalog {
    /** A table in a database. */
    record Name(String schema, String table) {}

    private final Map<Name, WatchedTable> tables = new HashMap<>();
    private final boolean foldsCase;

    /**
     * @param foldsCase whether names that differ in case alone are the same
     */
    Catalog(Collection<WatchedTable> tables, boolean foldsCase) {
        this.foldsCase = foldsCase;
        tables.forEach(table -> this.tables.put(name(table.schema(), table.name()), table));
    }

    private Name name(String schema, String table) {
        return foldsCase
                ? new Name(schema.toLowerCase(Locale.ROOT), table.toLowerCase(Locale.ROOT))
                : new Name(schema, table);
    }

    /** Returns a table that is watched, or null. */
    @Nullable WatchedTable find(String schema, String table) {
        return tables.get(name(schema, table));
    }

    /** Returns the names of all tables that are followed. */
    Set<String> followed() {
        return tables.values().stream()
                .map(WatchedTable::followed)
                .filter(Objects::nonNull)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the names of those that are followed, and whose rows can't be told by a key. */
    List<String> withoutKey() {
        return tables.values().stream()
                .filter(table -> table.key().isEmpty())
                .map(WatchedTable::followed)
                .filter(Objects::nonNull)
                .sorted()
                .toList();
    }

    /** Returns the tables that a statement may name, or whose database it may name as a whole. */
    List<WatchedTable> namedIn(String sql) {
        boolean ofDatabase =
                StatementEffect.mayName(sql, "DATABASE") || StatementEffect.mayName(sql, "SCHEMA");
        return tables.values().stream()
                .filter(table ->
                        StatementEffect.mayName(sql, table.name())
                                || (ofDatabase && StatementEffect.mayName(sql, table.schema())))
                .toList();
    }

    /** Returns how many tables are watched. */
    int size() {
        return tables.size();
    }
}
