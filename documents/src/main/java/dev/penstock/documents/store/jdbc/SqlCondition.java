package dev.penstock.documents.store.jdbc;

import java.util.ArrayList;
import java.util.List;

/**
 * A condition in SQL with the values to bind, never null or unknown.
 *
 * @param sql what it is in SQL
 * @param values the values of its question marks, in order
 * @param exact whether it holds for exactly the documents that fulfil the filter; otherwise it holds for all of them
 *     and for others
 * @param indexes the declared paths whose index serves it
 */
record SqlCondition(String sql, List<Object> values, boolean exact, List<List<String>> indexes) {
    static final SqlCondition ALL = of("1 = 1");
    static final SqlCondition NONE = of("1 = 0");

    /** A condition of which a store knows nothing. */
    static final SqlCondition UNKNOWN = new SqlCondition("1 = 1", List.of(), false, List.of());

    SqlCondition {
        values = List.copyOf(values);
        indexes = List.copyOf(indexes);
    }

    static SqlCondition of(String sql, Object... values) {
        return new SqlCondition(sql, List.of(values), true, List.of());
    }

    SqlCondition superset() {
        return new SqlCondition(sql, values, false, indexes);
    }

    SqlCondition servedBy(List<String> index) {
        return new SqlCondition(sql, values, exact, List.of(index));
    }

    /** The opposite; of more than was asked for, nothing is known of the opposite. */
    SqlCondition negated() {
        if (equals(NONE)) {
            return ALL;
        }
        return exact ? new SqlCondition("NOT (" + sql + ")", values, true, List.of()) : UNKNOWN;
    }

    /** All of several conditions; an index of one serves them all. */
    static SqlCondition all(List<SqlCondition> parts) {
        if (parts.contains(NONE)) {
            return NONE;
        }
        return parts.isEmpty() ? ALL : joined("AND", parts.stream().distinct().toList());
    }

    /** Any of several conditions; those that no document fulfils are left out, and indexes serve if each has one. */
    static SqlCondition any(List<SqlCondition> parts) {
        List<SqlCondition> possible =
                parts.stream().filter(part -> !part.equals(NONE)).distinct().toList();
        if (possible.isEmpty()) {
            return NONE;
        }
        SqlCondition joined = joined("OR", possible);
        boolean served = possible.stream().noneMatch(part -> part.indexes().isEmpty());
        return served
                ? joined
                : new SqlCondition(joined.sql(), joined.values(), joined.exact(), List.of());
    }

    private static SqlCondition joined(String operator, List<SqlCondition> parts) {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        var sql = new StringBuilder();
        var values = new ArrayList<Object>();
        var indexes = new ArrayList<List<String>>();
        boolean exact = true;
        for (SqlCondition part : parts) {
            sql.append(sql.isEmpty() ? "(" : " " + operator + " (").append(part.sql()).append(')');
            values.addAll(part.values());
            indexes.addAll(part.indexes());
            exact &= part.exact();
        }
        return new SqlCondition(sql.toString(), values, exact, indexes);
    }
}
