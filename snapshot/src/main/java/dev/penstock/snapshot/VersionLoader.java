package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import dev.penstock.snapshot.column.HeldPart;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.file.VersionFile;
import dev.penstock.snapshot.file.VersionFile.StoredPart;
import dev.penstock.snapshot.load.LoadContext;
import dev.penstock.snapshot.load.TableLoad;
import dev.penstock.snapshot.load.TableLoader;
import dev.penstock.snapshot.load.TableMerge;
import dev.penstock.snapshot.memory.Memory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A loader of versions, each from the database and the version before. Thread-safe.
 *
 * @param database where the tables are
 * @param sources the tables
 * @param memory where they go
 * @param connections how many read at once, at the most
 */
record VersionLoader(Database database, List<Source> sources, Memory memory, int connections) {
    /**
     * A table that is loaded, and the way in which it is brought up to date.
     *
     * @param part what is held of it
     * @param growing the column that grows with each change; null where the whole table is loaded again
     * @param deletes whether keys are compared to find rows that are gone
     * @param indexes the indexes that each version has from the beginning: the names of each one's columns, in the
     *     table's order
     */
    record Source(
            HeldPart part, @Nullable String growing, boolean deletes, Set<List<String>> indexes) {
        Source {
            indexes = Set.copyOf(indexes);
        }

        /** Returns the same with one more index. */
        Source with(List<String> index) {
            Set<List<String>> all = new HashSet<>(indexes);
            all.add(index);
            return new Source(part, growing, deletes, all);
        }
    }

    /** The rows from which on several connections read a table that is followed. */
    private static final int LONG = 200_000;

    /** Loads the version after another; the first after null. */
    LoadedVersion load(@Nullable LoadedVersion before, LoadContext current) {
        LoadedVersion loaded = load(before, true, current);
        // Null where a row's key was changed, or it was committed late.
        return loaded != null ? loaded : requireNonNull(load(before, false, current));
    }

    /**
     * Loads a version.
     *
     * @param incremental whether tables that can be are brought up to date by what has changed
     * @return null if there is a row that the column which grows did not tell of
     */
    private @Nullable LoadedVersion load(
            @Nullable LoadedVersion before, boolean incremental, LoadContext current) {
        List<TableLoad> loads = new ArrayList<>();
        for (Source source : sources) {
            loads.addAll(loads(source, incremental ? before : null));
        }
        Reading reading = new Reading();
        List<StoredTable> read =
                new TableLoader(database, reading.next, connections).load(loads, current);
        List<TableMerge.Merged> merged = merged(loads, read, reading.next);
        return merged == null ? null : version(before, merged, reading, null);
    }

    /** The beginning of a version, and where its memory comes from. */
    private final class Reading {
        final Instant now = Instant.now();
        final long start = System.nanoTime();
        final Memory next = memory.forVersion();
    }

    /**
     * Loads the version after another by the rows that have changed since, all of which a feed knows.
     *
     * @param before null for the first version
     * @param taken the rows that have changed, as far as they were taken from the feed
     * @param further asked for the others, once the moment of the version is fixed
     * @param position where the feed goes on after what was taken
     */
    LoadedVersion follow(
            @Nullable LoadedVersion before,
            Map<String, ChangedRows> taken,
            Supplier<Map<String, ChangedRows>> further,
            String position,
            LoadContext current) {
        Reading reading = new Reading();
        List<TableLoad> known = changed(before, taken);
        List<TableLoad> loads = new ArrayList<>();
        List<StoredTable> read;
        if (known.stream().allMatch(TableLoad.Unchanged.class::isInstance)) {
            // Nothing is read, so nothing can be torn.
            loads.addAll(known);
            read = known.stream().map(load -> ((TableLoad.Unchanged) load).before()).toList();
        } else {
            TableLoader loader = new TableLoader(database, reading.next, connections);
            Supplier<List<TableLoad>> asked =
                    () -> {
                        loads.addAll(
                                isWhole(known)
                                        ? known
                                        : changed(before, joined(taken, further.get())));
                        return loads;
                    };
            List<Table> many = many(before, known);
            read =
                    many.isEmpty()
                            ? loader.loadChanges(asked, current)
                            : loader.loadChanges(many, asked, current);
        }
        List<TableMerge.Merged> merged = requireNonNull(merged(loads, read, reading.next));
        return version(before, merged, reading, position);
    }

    private static boolean isWhole(List<TableLoad> loads) {
        return loads.stream().allMatch(TableLoad.Whole.class::isInstance);
    }

    /** Returns all tables, if one that is read as a whole is long: then several connections read them. */
    private static List<Table> many(@Nullable LoadedVersion before, List<TableLoad> loads) {
        boolean isLong =
                loads.stream()
                        .filter(TableLoad.Whole.class::isInstance)
                        .map(load -> before == null ? null : before.table(load.table().name()))
                        .anyMatch(table -> table == null || table.rows() >= LONG);
        return isLong ? loads.stream().map(TableLoad::table).toList() : List.of();
    }

    /** Returns the changed rows of both. */
    static Map<String, ChangedRows> joined(
            Map<String, ChangedRows> one, Map<String, ChangedRows> other) {
        Map<String, ChangedRows> all = new HashMap<>(one);
        other.forEach((table, rows) -> all.merge(table, rows, ChangedRows::and));
        return all;
    }

    private List<TableLoad> changed(
            @Nullable LoadedVersion before, Map<String, ChangedRows> changes) {
        List<TableLoad> loads = new ArrayList<>();
        for (Source source : sources) {
            HeldPart part = source.part();
            String name = part.whole().name();
            StoredTable last = before == null ? null : before.table(name);
            ChangedRows rows = changes.get(name);
            if (last == null || rows instanceof ChangedRows.All) {
                loads.add(new TableLoad.Whole(part));
            } else if (rows instanceof ChangedRows.Keys(Set<List<Object>> keys)
                    && !keys.isEmpty()) {
                loads.add(TableLoad.Keyed.of(last, part, keys));
            } else {
                loads.add(new TableLoad.Unchanged(last));
            }
        }
        return loads;
    }

    private LoadedVersion version(
            @Nullable LoadedVersion before,
            List<TableMerge.Merged> merged,
            Reading reading,
            @Nullable String position) {
        List<StoredTable> tables = merged.stream().map(TableMerge.Merged::table).toList();
        long rows = tables.stream().mapToLong(StoredTable::rows).sum();
        long bytes = tables.stream().mapToLong(StoredTable::bytes).sum();
        long number = before == null ? 1 : before.version().number() + 1;
        SnapshotEngine last = before == null ? null : before.engine();
        SnapshotEngine answers = engine(tables, last);
        try {
            Map<String, RowChanges> changes = changes(merged);
            long declared = buildDeclared(answers, last, changes, reading.next);
            // Other indexes leave what the next version will need.
            memory.keep(Math.max(bytes + declared, reading.next.most()));
            if (last != null) {
                answers.buildIndexesOf(last, changes);
            }
            Duration took = Duration.ofNanos(System.nanoTime() - reading.start);
            return new LoadedVersion(
                    new Version(number, reading.now, took, rows, bytes),
                    tables,
                    answers,
                    false,
                    position);
        } catch (RuntimeException | Error e) {
            answers.lifetime().release();
            throw e;
        }
    }

    private SnapshotEngine engine(List<StoredTable> tables, @Nullable SnapshotEngine last) {
        return new SnapshotEngine(
                tables,
                sources.stream().map(Source::part).toList(),
                database.schema().foldsToUpperCase(),
                memory,
                last);
    }

    /** Builds the declared indexes; returns how many bytes outside the heap they take. */
    private long buildDeclared(
            SnapshotEngine answers,
            @Nullable SnapshotEngine last,
            Map<String, RowChanges> changes,
            Memory from) {
        long bytes = 0;
        for (Source source : sources) {
            Table table = source.part().held();
            answers.buildDeclared(table, source.indexes(), last, changes.get(table.name()), from);
            bytes += answers.indexed(table).declaredBytes(source.indexes());
        }
        return bytes;
    }

    /**
     * Makes a version of what was saved. Declared indexes that were not saved with it are built.
     *
     * @param saved the tables of the sources, in their order
     */
    LoadedVersion restored(VersionFile.Content saved) {
        List<StoredTable> tables = saved.tables().stream().map(StoredPart::table).toList();
        SnapshotEngine answers = engine(tables, null);
        long declared;
        try {
            for (StoredPart each : saved.tables()) {
                answers.indexed(each.table().table()).restore(each.indexes(), each.composites());
            }
            declared = buildDeclared(answers, null, Map.of(), memory.forVersion());
        } catch (RuntimeException | Error e) {
            answers.lifetime().release();
            throw e;
        }
        long rows = tables.stream().mapToLong(StoredTable::rows).sum();
        long bytes = tables.stream().mapToLong(StoredTable::bytes).sum();
        memory.keep(bytes + declared);
        VersionFile.Head head = saved.head();
        return new LoadedVersion(
                new Version(head.number(), head.loaded(), head.took(), rows, bytes),
                tables,
                answers,
                true,
                head.position());
    }

    /** Returns how the rows of each table are numbered now, where few have changed. */
    private static Map<String, RowChanges> changes(List<TableMerge.Merged> merged) {
        Map<String, RowChanges> changes = new HashMap<>();
        for (TableMerge.Merged each : merged) {
            RowChanges difference = each.changes();
            if (difference != null) {
                changes.put(each.table().table().name(), difference);
            }
        }
        return changes;
    }

    /**
     * Returns the tables as they are now; null where a key has no row, neither among those from before nor among those
     * that have changed.
     */
    private static @Nullable List<TableMerge.Merged> merged(
            List<TableLoad> loads, List<StoredTable> read, Memory memory) {
        try {
            return mergedRows(loads, read, memory);
        } finally {
            for (int i = 0; i < loads.size(); i++) {
                if (!loads.get(i).isKept()) {
                    read.get(i).free();
                }
            }
        }
    }

    private static @Nullable List<TableMerge.Merged> mergedRows(
            List<TableLoad> loads, List<StoredTable> read, Memory memory) {
        List<TableMerge.Merged> tables = new ArrayList<>();
        for (int i = 0; i < loads.size(); i++) {
            switch (loads.get(i)) {
                case TableLoad.Whole _ -> tables.add(new TableMerge.Merged(read.get(i), null));
                case TableLoad.Changed changed -> {
                    TableLoad next = i + 1 < loads.size() ? loads.get(i + 1) : changed;
                    StoredTable keys = next instanceof TableLoad.KeysAlone ? read.get(i + 1) : null;
                    StoredTable gone =
                            next instanceof TableLoad.ChangedOthers ? read.get(i + 1) : null;
                    TableMerge.Merged merged =
                            TableMerge.of(changed.before(), read.get(i), keys, gone, memory);
                    if (keys != null && merged.table().rows() != keys.rows()) {
                        return null;
                    }
                    tables.add(merged);
                }
                case TableLoad.Keyed keyed ->
                        tables.add(
                                TableMerge.ofKeys(
                                        keyed.before(), read.get(i), keyed.keys(), memory));
                case TableLoad.Unchanged _ -> tables.add(new TableMerge.Merged(read.get(i), null));
                case TableLoad.KeysAlone _, TableLoad.ChangedOthers _ -> {}
            }
        }
        return tables;
    }

    private static List<TableLoad> loads(Source source, @Nullable LoadedVersion before) {
        HeldPart part = source.part();
        String growing = source.growing();
        StoredTable last = before == null ? null : before.table(part.whole().name());
        if (growing == null || last == null || !TableLoad.Changed.isPossible(last, growing)) {
            return List.of(new TableLoad.Whole(part));
        }
        TableLoad.Changed changed = new TableLoad.Changed(last, part, growing);
        if (source.deletes()) {
            return List.of(changed, new TableLoad.KeysAlone(part));
        }
        return part.hasAllRows()
                ? List.of(changed)
                : List.of(changed, new TableLoad.ChangedOthers(changed));
    }
}
