package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Engine;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Entity;

/**
 * One version of a snapshot's tables, for several queries that must agree: {@link Snapshot#pin}. Tables that are not in
 * memory are answered by the database, as it is when it is asked. It can be used after the snapshot was refreshed or
 * closed, and keeps its version in memory as long as it can be reached. Immutable, thread-safe.
 */
public final class PinnedVersion {
    private final Version version;
    private final Engine engine;

    PinnedVersion(Database database, LoadedVersion loaded, boolean isAsked) {
        version = requireNonNull(loaded).version();
        engine = RoutedEngine.of(database, loaded, isAsked);
    }

    /** Returns which version it is. */
    public Version version() {
        return version;
    }

    /** Answers plans of any table of the database; each that is in memory from this version. */
    public Engine engine() {
        return engine;
    }

    /**
     * Returns the table of an entity as a source of streams: from this version if it is in memory, else from the
     * database.
     *
     * @throws IllegalArgumentException if the schema does not fit the entity
     */
    public <R> TypedTable<R> table(Entity<R> entity) {
        return TypedTable.of(engine, entity);
    }
}
