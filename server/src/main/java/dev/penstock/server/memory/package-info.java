/**
 * The tables that are answered from memory: loading them with progress, refreshing them on a schedule, dropping and
 * loading them again when the schema has changed. {@link dev.penstock.server.memory.TablesInMemory} is where to begin.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.server.memory;
