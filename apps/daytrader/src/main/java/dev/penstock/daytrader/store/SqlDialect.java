package dev.penstock.daytrader.store;

import java.sql.Connection;
import java.sql.SQLException;

/** The few words in which the databases differ. */
enum SqlDialect {
    H2("TIMESTAMP(6)", " FETCH FIRST %d ROWS ONLY", ""),
    DERBY("TIMESTAMP", " FETCH FIRST %d ROWS ONLY", ""),
    POSTGRESQL("TIMESTAMP(6)", " FETCH FIRST %d ROWS ONLY", ""),

    /** Its {@code TIMESTAMP} does not know the epoch; and texts are to compare by their characters, case included. */
    MARIADB("DATETIME(6)", " LIMIT %d", " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");

    private final String time;
    private final String limit;
    private final String ofTable;

    SqlDialect(String time, String limit, String ofTable) {
        this.time = time;
        this.limit = limit;
        this.ofTable = ofTable;
    }

    /**
     * The one of a connection.
     *
     * @throws SQLException if it is another database
     */
    static SqlDialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "H2" -> H2;
            case "Apache Derby" -> DERBY;
            case "PostgreSQL" -> POSTGRESQL;
            case "MariaDB", "MySQL" -> MARIADB;
            default ->
                    throw new SQLException(
                            "DayTrader does not run on %s: use H2, Derby, MariaDB or PostgreSQL"
                                    .formatted(product));
        };
    }

    /** A type of column for a date and time with microseconds. */
    String time() {
        return time;
    }

    /** The clause at the end of a query for so many rows. */
    String limit(int rows) {
        return limit.formatted(rows);
    }

    /** The clause behind a table's columns. */
    String ofTable() {
        return ofTable;
    }
}
