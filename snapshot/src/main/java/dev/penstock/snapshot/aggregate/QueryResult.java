package dev.penstock.snapshot.aggregate;

import dev.penstock.snapshot.rows.RowSource;
import java.util.List;

/**
 * The result of a plan, as a cursor reads it.
 *
 * @param cells the columns
 * @param rows by which numbers the cells of each row are read, in the answer's order
 */
public record QueryResult(List<ResultColumn> cells, RowSource rows) {
    public QueryResult {
        cells = List.copyOf(cells);
    }
}
