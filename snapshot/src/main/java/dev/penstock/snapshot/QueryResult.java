package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What a cursor reads.
 *
 * @param cells the columns
 * @param rows by which numbers the cells of each row are read, in the answer's order
 */
record QueryResult(List<ResultColumn> cells, RowSource rows) {
    QueryResult {
        cells = List.copyOf(cells);
        requireNonNull(rows);
    }
}
