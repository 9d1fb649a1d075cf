package dev.penstock.snapshot;

import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Table;
import dev.penstock.snapshot.build.TableBuilder;
import dev.penstock.snapshot.column.HeldPart;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.file.RefusedFileException;
import dev.penstock.snapshot.file.VersionFile;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.memory.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Engines over what is in a database, for tests in other packages. */
public final class InMemory {
    private InMemory() {}

    /** All tables of a database as they are now. */
    public static Engine of(Engine database) {
        return of(database, new Memory(Long.MAX_VALUE));
    }

    public static SnapshotEngine of(Engine database, Memory memory) {
        return of(database, memory, memory);
    }

    /**
     * Copies all tables of a database.
     *
     * @param memory where the tables are
     * @param indexes where their indexes are
     */
    public static SnapshotEngine of(Engine database, Memory memory, Memory indexes) {
        List<StoredTable> tables = new ArrayList<>();
        for (Table table : database.schema().tables()) {
            tables.add(stored(database, table, memory));
        }
        return new SnapshotEngine(
                tables, List.of(), database.schema().foldsToUpperCase(), indexes, null);
    }

    /** All tables of a database as they are now, with an index of each column, in a file that is mapped. */
    public static Engine ofFile(Engine database) {
        SnapshotEngine written = of(database, new Memory(Long.MAX_VALUE));
        Map<String, IndexedTable> tables = new LinkedHashMap<>();
        Map<String, Table> wanted = new LinkedHashMap<>();
        for (Table table : database.schema().tables()) {
            IndexedTable indexed = written.indexed(table);
            Set<List<String>> all =
                    table.columns().stream()
                            .map(column -> List.of(column.name()))
                            .collect(Collectors.toSet());
            indexed.buildDeclared(all, null, null, new Memory(Long.MAX_VALUE));
            tables.put(table.name(), indexed);
            wanted.put(table.name(), table);
        }
        try {
            Path file = Files.createTempFile("tables", null);
            try {
                VersionFile.write(
                        file, new VersionFile.Head(1, Instant.EPOCH, Duration.ZERO, null), tables);
                VersionFile.Content content = VersionFile.open(file, wanted);
                SnapshotEngine read =
                        new SnapshotEngine(
                                content.tables().stream()
                                        .map(VersionFile.StoredPart::table)
                                        .toList(),
                                List.of(),
                                database.schema().foldsToUpperCase(),
                                new Memory(Long.MAX_VALUE),
                                null);
                content.tables()
                        .forEach(part ->
                                read.indexed(part.table().table())
                                        .restore(part.indexes(), part.composites()));
                return read;
            } finally {
                // What is mapped stays until nobody can reach it.
                Files.delete(file);
            }
        } catch (IOException | RefusedFileException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Some columns of a table, of the rows that pass a condition. */
    public static SnapshotEngine of(
            Engine database, Table table, Set<String> columns, Predicate rows) {
        HeldPart part = HeldPart.of(table, columns, rows);
        Memory memory = new Memory(Long.MAX_VALUE);
        try (TableBuilder builder = new TableBuilder(part.held(), memory);
                Cursor cursor = database.open(part.plan(Predicate.ALL))) {
            return new SnapshotEngine(
                    List.of(builder.addAll(cursor).build()),
                    List.of(part),
                    database.schema().foldsToUpperCase(),
                    memory,
                    null);
        }
    }

    public static StoredTable stored(Engine database, Table table, Memory memory) {
        try (TableBuilder builder = new TableBuilder(table, memory);
                Cursor cursor = database.open(Plan.of(table))) {
            return builder.addAll(cursor).build();
        }
    }
}
