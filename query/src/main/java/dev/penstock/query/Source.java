package dev.penstock.query;

import java.util.List;

/** The source of a {@link Plan}: a table, or the result of another plan. */
public sealed interface Source permits Table, Plan {
    /** Returns the columns that a plan can name, in order. */
    List<Column> columns();

    /**
     * Returns the column of exactly that name.
     *
     * @throws QueryException of kind {@code UNKNOWN_NAME} if there is none
     */
    Column column(String name);

    /**
     * Returns the names of columns that tell any two rows apart, the most significant first; empty where none are known
     * to.
     */
    List<String> key();
}
