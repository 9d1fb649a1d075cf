/** The in-memory engine. Start with {@code Snapshot}; below it are versions of tables, their columns, and what answers plans from them. */
package dev.penstock.snapshot;
