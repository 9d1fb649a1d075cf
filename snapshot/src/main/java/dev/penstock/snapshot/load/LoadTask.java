package dev.penstock.snapshot.load;

import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.snapshot.build.TableBuilder;
import java.util.concurrent.Callable;

/** A task that reads the rows of a plan into a builder. */
final class LoadTask implements Callable<TableBuilder> {
    /** Rows between two looks at whether to go on. */
    private static final int BATCH = 256;

    private final Engine database;
    private final Plan plan;
    private final TableBuilder builder;
    private final LoadContext loading;
    private final boolean isTold;

    LoadTask(
            Engine database, Plan plan, TableBuilder builder, LoadContext loading, boolean isTold) {
        this.database = database;
        this.plan = plan;
        this.builder = builder;
        this.loading = loading;
        this.isTold = isTold;
    }

    @Override
    public TableBuilder call() {
        try (Cursor cursor = database.open(plan)) {
            loading.begin(cursor);
            try {
                int batch = 0;
                while (cursor.next()) {
                    builder.add(cursor);
                    if (++batch == BATCH) {
                        read(batch);
                        batch = 0;
                    }
                }
                read(batch);
            } finally {
                loading.end(cursor);
            }
        } catch (RuntimeException | Error e) {
            loading.stop();
            throw e;
        }
        return builder;
    }

    private void read(int rows) {
        loading.read(rows);
        if (isTold) {
            loading.tell(plan.table(), rows);
        }
    }
}
