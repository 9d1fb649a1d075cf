package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.memory.Lifetime;
import dev.penstock.snapshot.shortcut.ShortcutColumns;
import dev.penstock.snapshot.work.WorkerThreads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A version with its tables and the engine that answers from them. Thread-safe. Its memory, as far as no other version
 * has it too, goes at the end of its {@link #lifetime}, or when nobody can reach it any more.
 */
final class LoadedVersion {
    private final Version version;
    private final Map<String, StoredTable> tables = new LinkedHashMap<>();
    private final SnapshotEngine engine;
    private final ShortcutColumns[] shortcuts;
    private final boolean isFromFile;
    private final @Nullable String position;

    /**
     * @param version its number and figures
     * @param tables of different names
     * @param engine answers from them
     * @param isFromFile whether they are as a file has them
     * @param position where a feed goes on after all changes that they have; null where none is followed
     */
    LoadedVersion(
            Version version,
            List<StoredTable> tables,
            SnapshotEngine engine,
            boolean isFromFile,
            @Nullable String position) {
        this.isFromFile = isFromFile;
        this.position = position;
        this.version = requireNonNull(version);
        this.engine = requireNonNull(engine);
        tables.forEach(table -> this.tables.put(table.table().name(), table));
        shortcuts =
                this.tables.keySet().stream()
                        .map(name -> requireNonNull(engine.shortcutColumns(name)))
                        .toArray(ShortcutColumns[]::new);
    }

    Version version() {
        return version;
    }

    /** Returns whether its tables are as a file has them, and were not brought up to date since. */
    boolean isFromFile() {
        return isFromFile;
    }

    /** Returns where a feed goes on after all changes that this has; null where none is followed. */
    @Nullable String position() {
        return position;
    }

    SnapshotEngine engine() {
        return engine;
    }

    /** Returns its lifetime: whoever has tables of it read is one of its users. */
    Lifetime lifetime() {
        return engine.lifetime();
    }

    /** Returns which of the tables has that name, which is the same in every version; -1 if none has. */
    int place(String table) {
        return List.copyOf(tables.keySet()).indexOf(table);
    }

    /** Returns the columns of each table for shortcuts. */
    ShortcutColumns[] shortcuts() {
        return shortcuts;
    }

    /** Returns whether these are the columns of this very version; another may have the same tables. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(ShortcutColumns @Nullable [] columns) {
        return shortcuts == columns;
    }

    boolean has(String table) {
        return tables.containsKey(table);
    }

    /** Returns the table of that name; null if it is not in memory. */
    @Nullable StoredTable table(String name) {
        return tables.get(name);
    }

    /**
     * Returns what each table takes. Different values of a column are counted when they are first asked for, which
     * looks at every cell; those of columns that a refresh did not change are known. The indexes are those that are
     * there now. The caller uses this.
     */
    synchronized List<TableStatistics> statistics() {
        List<IndexedTable> all =
                tables.values().stream().map(table -> engine.indexed(table.table())).toList();
        boolean isCounted =
                all.stream()
                        .flatMap(table -> table.columns().stream())
                        .allMatch(IndexedColumn::isCounted);
        return WorkerThreads.call(
                isCounted ? 0 : Long.MAX_VALUE,
                () -> all.stream().map(table -> TableStatistics.of(table, version)).toList());
    }
}
