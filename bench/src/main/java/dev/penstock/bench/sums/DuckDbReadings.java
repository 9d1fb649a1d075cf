package dev.penstock.bench.sums;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/** Readings in DuckDB, in memory, asked by SQL on as many threads as there are processors. */
final class DuckDbReadings implements ReadingStore {
    private static final String SUM = "SELECT SUM(%s) FROM reading";
    private static final String GROUPS =
            "SELECT %s, COUNT(*), SUM(%s) FROM reading GROUP BY 1 ORDER BY 1";

    private final Connection connection;
    private final Statement statement;

    /** Makes so many readings. */
    DuckDbReadings(long rows, int threads) throws SQLException {
        connection = DriverManager.getConnection("jdbc:duckdb:");
        statement = connection.createStatement();
        statement.execute("SET threads = " + threads);
        statement.execute(Reading.CREATE.replace(" PRIMARY KEY", " NOT NULL"));
        statement.execute(Reading.fill("range(1, " + (rows + 1) + ") AS numbers (i)"));
    }

    @Override
    public Object answer(SumsQuestion question) throws SQLException {
        return switch (question) {
            case SUM_OF_INTS -> whole(SUM.formatted("reading_id"));
            case SUM_OF_DOUBLES -> number(SUM.formatted("level_now"));
            case SUM_OF_SOME ->
                    whole(
                            SUM.formatted("visits")
                                    + " WHERE station < "
                                    + SumsQuestion.SOME_STATIONS);
            case GROUPS_IN_ORDER -> groups(GROUPS.formatted("hour_of_day", "level_now"));
            case GROUPS_OF_INTS -> groups(GROUPS.formatted("station", "visits"));
            case GROUPS_OF_DOUBLES -> groups(GROUPS.formatted("station", "level_now"));
        };
    }

    private double number(String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getDouble(1);
        }
    }

    private long whole(String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private Map<Integer, Group> groups(String sql) throws SQLException {
        Map<Integer, Group> groups = new TreeMap<>();
        try (ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                groups.put(row.getInt(1), new Group(row.getLong(2), row.getDouble(3)));
            }
        }
        return groups;
    }

    @Override
    public long bytes() throws SQLException {
        return whole("SELECT CAST(SUM(memory_usage_bytes) AS BIGINT) FROM duckdb_memory()");
    }
}
