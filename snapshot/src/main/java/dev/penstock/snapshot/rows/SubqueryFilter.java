package dev.penstock.snapshot.rows;

import dev.penstock.query.Subquery;
import dev.penstock.snapshot.index.IndexedColumn;

/** A subquery whose values are known, as a filter of a column. For one thread. */
public interface SubqueryFilter extends Subquery {
    /** Returns the rows whose cell is among the values. */
    Filter filter(IndexedColumn column);
}
