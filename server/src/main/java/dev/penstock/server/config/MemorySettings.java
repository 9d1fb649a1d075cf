package dev.penstock.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tables that are answered from memory, and their limits.
 *
 * @param tables which they are, with the columns that are loaded beside those of the key, or none for all; never empty
 * @param indexes the indexes that are there before the tables answer, each with its table and columns
 * @param maxBytes how many bytes they may take
 * @param refreshInterval how often they are loaded again; null for never
 * @param follow how they follow the changes of the database; null where they don't
 * @param directory where the file is from which they start; null for none
 */
public record MemorySettings(
        List<TableColumns> tables,
        List<TableColumns> indexes,
        long maxBytes,
        @Nullable Duration refreshInterval,
        @Nullable Follow follow,
        @Nullable Path directory) {
    public MemorySettings {
        tables = List.copyOf(tables);
        indexes = List.copyOf(indexes);
    }

    /**
     * The way in which the tables follow the changes of the database.
     *
     * @param slot the name of PostgreSQL's replication slot; null for the usual one
     * @param isSlotDropped whether a stop that is asked for drops that slot
     */
    public record Follow(@Nullable String slot, boolean isSlotDropped) {}
}
