package dev.penstock.query.sql.statement;

/** The settings of a PostgreSQL session on which the spelling of values depends. */
public final class PostgreSqlSettings {
    /** A SELECT that sets them for one transaction. */
    public static final String SPELLING =
            "SELECT set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, YMD', true),"
                    + " set_config('IntervalStyle', 'postgres', true), set_config('bytea_output', 'hex', true),"
                    + " set_config('extra_float_digits', '1', true)";

    private PostgreSqlSettings() {}
}
