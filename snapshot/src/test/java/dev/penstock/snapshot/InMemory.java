package dev.penstock.snapshot;

import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Table;
import dev.penstock.snapshot.build.TableBuilder;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.memory.Memory;
import java.util.ArrayList;
import java.util.List;

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
        return new SnapshotEngine(tables, database.schema().foldsToUpperCase(), indexes, null);
    }

    public static StoredTable stored(Engine database, Table table, Memory memory) {
        try (TableBuilder builder = new TableBuilder(table, memory);
                Cursor cursor = database.open(Plan.of(table))) {
            return builder.addAll(cursor).build();
        }
    }
}
