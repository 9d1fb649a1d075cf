package dev.penstock.server.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tables that are answered from memory, and their limits.
 *
 * @param tables which they are; never empty
 * @param maxBytes how many bytes they may take
 * @param refreshInterval how often they are loaded again; null for never
 */
public record MemorySettings(
        List<AcceleratedTable> tables, long maxBytes, @Nullable Duration refreshInterval) {
    public MemorySettings {
        tables = List.copyOf(tables);
    }
}
