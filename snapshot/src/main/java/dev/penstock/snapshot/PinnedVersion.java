package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Engine;
import dev.penstock.query.PinnedEngine;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Entity;
import java.util.List;
import java.util.Optional;

/**
 * One version of a snapshot's tables, for several queries that must agree: {@link Snapshot#pin}. Tables that are not in
 * memory are answered by the database, as it is when it is asked. It can be used after the snapshot was refreshed or
 * closed. It keeps its version in memory until it is closed, or as long as it can be reached. Thread-safe.
 */
public final class PinnedVersion implements AutoCloseable {
    private final LoadedVersion version;
    private final PinnedEngine pinned;

    PinnedVersion(LoadedVersion version, PinnedEngine pinned) {
        this.version = requireNonNull(version);
        this.pinned = requireNonNull(pinned);
    }

    /** Returns which version it is. */
    public Version version() {
        return version.version();
    }

    /**
     * Returns whether its tables are as a file has them, with which the snapshot started, and were not brought up to
     * date since.
     */
    public boolean isFromFile() {
        return version.isFromFile();
    }

    /** Returns the place in the database's log up to which it has all changes; empty where none were ever followed. */
    public Optional<String> position() {
        return Optional.ofNullable(version.position());
    }

    /**
     * Returns what each table takes. Counting different values looks at every cell of a column, once until a refresh
     * changes that column: that takes some two seconds for five million texts.
     */
    public List<TableStatistics> statistics() {
        return version.statistics();
    }

    /** Answers plans of any table of the database; each that is in memory from this version. */
    public Engine engine() {
        return pinned.engine();
    }

    /**
     * Returns the table of an entity as a source of streams: from this version if it is in memory, else from the
     * database.
     *
     * @throws IllegalArgumentException if the schema does not fit the entity
     */
    public <R> TypedTable<R> table(Entity<R> entity) {
        return TypedTable.of(pinned.engine(), entity);
    }

    /**
     * Gives back the memory of the version, as far as no other version and no open cursor needs it. Engine, tables
     * and statistics are not to be asked any more. Closing twice does no harm.
     */
    @Override
    public void close() {
        pinned.close();
    }
}
