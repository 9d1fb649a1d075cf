package dev.penstock.query.sql.statement;

import dev.penstock.query.Column;
import dev.penstock.query.QueryException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A check, by the database, of the native values of a query before it is run. What a database makes of a text that is
 * none of a type, in a condition that it may never come to evaluate, is anything from a failure to NULL.
 */
public final class NativeValueCheck {
    /** How many texts one statement looks at. */
    private static final int AT_ONCE = 500;

    /** How many values of an enum are named. */
    private static final int SHOWN = 20;

    private NativeValueCheck() {}

    /**
     * Has all looked at.
     *
     * @param texts one for each check
     * @throws QueryException of kind {@code INVALID_PLAN} if a text is no value of its column's type
     */
    public static void run(Connection connection, List<SqlBuilder.Check> checks, List<Object> texts)
            throws SQLException {
        Map<Column, List<Object>> values = new LinkedHashMap<>();
        Map<Column, String> conditions = new LinkedHashMap<>();
        for (int i = 0; i < checks.size(); i++) {
            SqlBuilder.Check check = checks.get(i);
            conditions.put(check.column(), check.isNone());
            values.computeIfAbsent(check.column(), _ -> new ArrayList<>()).add(texts.get(i));
        }
        for (Map.Entry<Column, List<Object>> each : values.entrySet()) {
            List<Object> all = each.getValue().stream().distinct().toList();
            String condition = conditions.getOrDefault(each.getKey(), "");
            for (int from = 0; from < all.size(); from += AT_ONCE) {
                int end = Math.min(all.size(), from + AT_ONCE);
                run(connection, each.getKey(), condition, all.subList(from, end));
            }
        }
    }

    private static void run(
            Connection connection, Column column, String isNone, List<Object> values)
            throws SQLException {
        String sql = "SELECT " + String.join(", ", values.stream().map(_ -> isNone).toList());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            try (ResultSet row = statement.executeQuery()) {
                boolean found = row.next();
                for (int i = 0; found && i < values.size(); i++) {
                    if (row.getBoolean(i + 1)) {
                        throw noValue(column, null);
                    }
                }
            }
        } catch (SQLException e) {
            if (isAboutValues(e)) {
                throw noValue(column, e);
            }
            throw e;
        }
    }

    /** Returns the failure of a plan that compares a column with what is no value of its type. */
    public static QueryException noValue(Column column, @Nullable SQLException cause) {
        return new QueryException(
                QueryException.Kind.INVALID_PLAN,
                "column %s is compared with what is no value of its type %s%s"
                        .formatted(column.name(), column.databaseType(), labels(column)),
                cause);
    }

    private static String labels(Column column) {
        List<String> labels = column.nativeType().labels();
        return labels.isEmpty()
                ? ""
                : "; its values are "
                        + String.join(", ", labels.subList(0, Math.min(SHOWN, labels.size())))
                        + (labels.size() > SHOWN ? ", ..." : "");
    }

    /**
     * Returns whether a failure is one of SQLSTATE's classes of data and of syntax, which some types have of their own;
     * not of the connection, or a cancel.
     */
    private static boolean isAboutValues(SQLException e) {
        String state = e.getSQLState();
        return state != null
                && (state.startsWith("22") || state.startsWith("42") || state.startsWith("HY"));
    }
}
