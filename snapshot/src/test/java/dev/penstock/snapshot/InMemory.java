package dev.penstock.snapshot;

import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Table;
import dev.penstock.snapshot.build.TableBuilder;
import dev.penstock.snapshot.column.HeldPart;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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
