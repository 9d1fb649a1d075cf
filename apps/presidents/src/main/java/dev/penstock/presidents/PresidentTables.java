package dev.penstock.presidents;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;

/**
 * The two tables: {@code president} has every presidency once; {@code president_repeated} has the first 43, which were
 * all when that page was first measured, {@link #REPETITIONS} times over, in order, numbered from 1.
 */
final class PresidentTables {
    static final String ONCE = "president";
    static final String REPEATED = "president_repeated";

    /** The number of presidencies that are repeated. */
    static final int FIRST = 43;

    static final int REPETITIONS = 23;

    private static final String FACTS = "name, party, office_start, office_end, summary";

    private final Connection connection;
    private final List<Presidency> presidencies = Presidency.all();

    PresidentTables(Connection connection) {
        this.connection = connection;
    }

    /** Creates and fills the tables where that has not been done, in one transaction. */
    void create() throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try {
            define();
            if (!filled()) {
                fill();
            }
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(autoCommit);
        }
    }

    private void define() throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        String bytes = product.equals("PostgreSQL") ? "BYTEA" : "VARBINARY(8192)";
        String columns =
                """
                name VARCHAR(60) NOT NULL, party VARCHAR(30) NOT NULL,
                office_start DATE NOT NULL, office_end DATE,
                thumbnail %s NOT NULL, summary VARCHAR(1000) NOT NULL)\
                """
                        .formatted(bytes);
        execute("CREATE TABLE IF NOT EXISTS president (number INTEGER PRIMARY KEY, " + columns);
        execute(
                "CREATE TABLE IF NOT EXISTS president_repeated (id INTEGER PRIMARY KEY,"
                        + " number INTEGER NOT NULL, "
                        + columns);
    }

    /** Returns whether both tables hold what they should, pictures aside. */
    private boolean filled() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet count =
                        statement.executeQuery("SELECT COUNT(*) FROM president_repeated")) {
            count.next();
            if (count.getInt(1) != FIRST * REPETITIONS) {
                return false;
            }
        }
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT " + FACTS + " FROM president ORDER BY number")) {
            for (Presidency presidency : presidencies) {
                if (!row.next() || !same(presidency, row)) {
                    return false;
                }
            }
            return !row.next();
        }
    }

    private static boolean same(Presidency presidency, ResultSet row) throws SQLException {
        return presidency.name().equals(row.getString(1))
                && presidency.party().equals(row.getString(2))
                && presidency.start().equals(row.getObject(3, LocalDate.class))
                && Objects.equals(presidency.end(), row.getObject(4, LocalDate.class))
                && presidency.summary().equals(row.getString(5));
    }

    private void fill() throws SQLException {
        execute("DELETE FROM president_repeated");
        execute("DELETE FROM president");
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO president (number, "
                                + FACTS
                                + ", thumbnail) VALUES (?, ?, ?, ?, ?, ?, ?)")) {
            for (Presidency presidency : presidencies) {
                insert.setInt(1, presidency.number());
                insert.setString(2, presidency.name());
                insert.setString(3, presidency.party());
                insert.setObject(4, presidency.start());
                insert.setObject(5, presidency.end(), Types.DATE);
                insert.setString(6, presidency.summary());
                insert.setBytes(7, presidency.picture());
                insert.executeUpdate();
            }
        }
        try (PreparedStatement repeat =
                connection.prepareStatement(
                        "INSERT INTO president_repeated (id, number, "
                                + FACTS
                                + ", thumbnail) SELECT number + ?, number, "
                                + FACTS
                                + ", thumbnail FROM president WHERE number <= ?")) {
            for (int repetition = 0; repetition < REPETITIONS; repetition++) {
                repeat.setInt(1, repetition * FIRST);
                repeat.setInt(2, FIRST);
                repeat.executeUpdate();
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
