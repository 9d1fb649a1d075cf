package dev.penstock.query.sql;

import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.read.ConnectionSource;
import dev.penstock.query.sql.render.PlanShape;
import dev.penstock.query.sql.render.PredicateSql;
import dev.penstock.query.sql.statement.BoundComparison;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.DriverMessage;
import dev.penstock.query.sql.statement.Literals;
import dev.penstock.query.sql.statement.NativeValueCheck;
import dev.penstock.query.sql.statement.SqlBuilder;
import dev.penstock.query.sql.statement.SqlTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The number of rows that a database expects of a query, which it is asked to explain and does not run. */
record RowEstimate(ConnectionSource connections, Dialect dialect, Map<String, SqlTable> tables) {
    private static final int TIMEOUT_SECONDS = 10;

    OptionalLong rows(SqlTable table, Predicate filter) {
        Connection connection = connections.take();
        boolean done = false;
        try {
            long rows = rows(connection, table, filter);
            end(connection);
            done = true;
            return rows < 0 ? OptionalLong.empty() : OptionalLong.of(rows);
        } catch (SQLException e) {
            throw new QueryException(
                    QueryException.Kind.DATABASE,
                    "estimating the rows of table %s failed: %s"
                            .formatted(table.table().name(), DriverMessage.of(e)),
                    e);
        } finally {
            connections.giveBackQuietly(connection, !done);
        }
    }

    private long rows(Connection connection, SqlTable table, Predicate filter) throws SQLException {
        SqlBuilder select = new SqlBuilder();
        BoundComparison[] comparisons = select(table, filter, select);
        List<Object> values = values(select.bindings().stream(), comparisons);
        List<Object> checked =
                values(select.checks().stream().map(SqlBuilder.Check::binding), comparisons);
        try {
            NativeValueCheck.run(connection, select.checks(), checked);
        } finally {
            // What the database does not take for a value may have ended a transaction.
            end(connection);
        }
        String sql = dialect.explained(select.text(_ -> "?"));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            try (ResultSet plan = statement.executeQuery()) {
                return dialect.plannedRows(plan);
            }
        }
    }

    /** Writes the query; gives what it binds. */
    private BoundComparison[] select(SqlTable table, Predicate filter, SqlBuilder sql) {
        PlanShape shape = PlanShape.of(Plan.of(table.table()).where(filter));
        Literals literals = new Literals(shape.literals());
        sql.add("SELECT 1 FROM ").add(table.name());
        if (!filter.equals(Predicate.ALL)) {
            sql.add(" WHERE ");
            PredicateSql.of(tables, table, dialect, literals, sql).write(shape.plan().filter());
        }
        return literals.comparisons();
    }

    private static List<Object> values(
            Stream<Literals.Binding> bindings, BoundComparison[] comparisons) {
        return bindings.map(binding -> binding.value(comparisons)).toList();
    }

    private static void end(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
    }
}
