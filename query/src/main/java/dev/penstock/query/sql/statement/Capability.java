package dev.penstock.query.sql.statement;

/** A property of a database or its driver that not all of them have. */
public enum Capability {
    /** Unquoted names become upper case. */
    FOLDS_TO_UPPER_CASE,
    /** An aggregate may have a FILTER. */
    FILTERED_AGGREGATES,
    /** NaN and the infinities can be stored. */
    NON_FINITE_NUMBERS,
    /** Texts may hold U+0000. */
    NUL_CHARACTER,
    /** An offset is better left to the cursor, because the database would hold the whole answer for it. */
    SKIPS_IN_CURSOR,
    /** Text cells are best read as bytes, because the driver gives them as UTF-8. */
    TEXT_AS_BYTES,
    /** The database runs on the threads of this JVM. */
    EMBEDDED,
    /** Closing a result that is not read to its end would read the rest. */
    DRAINS_ON_CLOSE,
    /** Rows are read through PostgreSQL's {@code COPY}. */
    READS_BY_COPY,
    /** {@code EXPLAIN} says about how many rows a query has. */
    ESTIMATES_ROWS,
    /** Only {@code NOT EXISTS} is an anti-join: {@code NOT IN} may look through a whole SELECT for each row. */
    NEEDS_NOT_EXISTS,
    /** Texts may be lost that a nested SELECT, or a view, gives to one that converts them to look them up. */
    LOSES_NESTED_TEXTS,
    /** The database is one of those that the tests run on. */
    TESTED
}
