package dev.penstock.snapshot.rows;

import dev.penstock.query.Subquery;
import dev.penstock.query.TruthTest;
import dev.penstock.snapshot.index.IndexedColumn;
import java.util.function.Supplier;

/** A subquery whose values are known, as filters of columns. Thread-safe; filters are for one thread. */
public interface SubqueryFilter extends Subquery {
    /** Returns the rows whose cell is among the values. */
    Filter filter(IndexedColumn column);

    /**
     * Returns what is made of that filter, made once for all threads where it is of codes alone.
     *
     * @param test which values of the condition let a row pass
     */
    Filter tested(IndexedColumn column, TruthTest test, Supplier<Filter> made);
}
