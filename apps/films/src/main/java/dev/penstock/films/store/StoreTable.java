package dev.penstock.films.store;

import java.sql.SQLException;
import java.util.List;

/**
 * A table of the film store with the source of its rows.
 *
 * @param name the table's
 * @param columns in the order in which the filler gives their cells
 * @param units how often the filler is called
 * @param rows how many rows that makes
 * @param filler writes them
 */
record StoreTable(String name, List<String> columns, long units, long rows, Filler filler) {
    /** What every row says of its last change: 2026-02-15 04:34:33. */
    static final long LAST_UPDATE = 1_771_130_073L;

    /** Writes the rows of a unit, which is counted from 1; most often a single row with that number as its key. */
    interface Filler {
        void write(long unit, RowSink out) throws SQLException;
    }

    /** A table with a row a unit. */
    static StoreTable of(String name, String columns, long rows, Filler filler) {
        return new StoreTable(name, List.of(columns.split(", ", -1)), rows, rows, filler);
    }

    /** Returns whether the database counts its key on from the last row. */
    boolean hasIdentity() {
        return columns.getFirst().equals(name + "_id");
    }
}
