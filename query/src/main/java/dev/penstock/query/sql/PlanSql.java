package dev.penstock.query.sql;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Writes a plan as one SELECT. */
final class PlanSql {
    /** Columns whose declared width is within this are not guarded one by one. */
    private static final int NARROW_BYTES = 4096;

    private static final Column COUNT = new Column("count", ColumnType.LONG, "bigint", false, 20);

    private final SqlTable table;
    private final Plan plan;
    private final Dialect dialect;
    private final SqlText sql;
    private final Window window;

    private PlanSql(SqlTable table, Plan plan, Dialect dialect) {
        this.table = table;
        this.plan = plan;
        this.dialect = dialect;
        this.sql = new SqlText(dialect::parameterMark);
        this.window = Window.of(plan.slices());
    }

    static SqlQuery render(SqlTable table, Plan plan, Dialect dialect) {
        if (plan.source() instanceof Plan) {
            throw new Refusal("a nested plan is not written as SQL yet");
        }
        PlanSql rendering = new PlanSql(table, plan, dialect);
        return switch (plan.output()) {
            case Plan.Output.Count() -> rendering.count();
            case Plan.Output.Columns(List<Plan.Item> items) -> rendering.rows(items);
            case Plan.Output.Distinct _, Plan.Output.Aggregates _ ->
                    throw new Refusal("it is not written as SQL yet");
        };
    }

    private SqlQuery count() {
        for (Plan.Order order : plan.order()) {
            table.column(order.column());
        }
        boolean sliced = !window.equals(Window.ALL);
        sql.add(sliced ? "SELECT COUNT(*) FROM (SELECT 1 AS one FROM " : "SELECT COUNT(*) FROM ");
        sql.add(table.name());
        where();
        if (sliced) {
            dialect.window(sql, window);
            sql.add(") AS sliced");
        }
        SqlColumn source = SqlColumn.plain(COUNT, "count", "?", "");
        return query(List.of(COUNT), List.of(source), SqlQuery.Wide.NONE, 0);
    }

    private SqlQuery rows(List<Plan.Item> items) {
        List<Column> columns = new ArrayList<>();
        List<SqlColumn> sources = new ArrayList<>();
        for (Plan.Item item : items) {
            SqlColumn source = table.column(item.column());
            Column c = source.column();
            sources.add(source);
            columns.add(
                    new Column(
                            item.label(), c.type(), c.databaseType(), c.nullable(), c.maxBytes()));
        }
        SqlQuery.Wide wide = guard(sources);
        boolean withBinary = SqlQuery.hasBinary(sources, wide);
        String separator = "SELECT ";
        for (int i = 0; i < sources.size(); i++) {
            String value = value(sources.get(i), wide, i);
            sql.add(separator)
                    .add(dialect.answer(value, sources.get(i).column().type(), withBinary));
            separator = ", ";
        }
        hidden(sources, wide, withBinary);
        sql.add(" FROM ").add(table.name());
        where();
        order();
        boolean skips = dialect.skipsInCursor() && window.offset() > 0;
        dialect.window(sql, skips ? unskipped() : window);
        return query(columns, sources, wide, skips ? window.offset() : 0);
    }

    private Window unskipped() {
        long end = window.offset() + window.limit();
        return new Window(0, !window.isLimited() || end < 0 ? Window.UNLIMITED : end);
    }

    private SqlQuery query(
            List<Column> columns, List<SqlColumn> sources, SqlQuery.Wide wide, long skip) {
        return new SqlQuery(table, sql.text(), sql.values(), columns, sources, wide, skip);
    }

    /** The columns that declare no narrow bound share what the others leave of a row's budget. */
    private SqlQuery.Wide guard(List<SqlColumn> sources) {
        List<Integer> cells = new ArrayList<>();
        int fixed = 0;
        for (int i = 0; i < sources.size(); i++) {
            SqlColumn source = sources.get(i);
            if (source.column().maxBytes() > NARROW_BYTES && !source.length().isEmpty()) {
                cells.add(i);
            } else {
                fixed += Math.min(source.column().maxBytes(), NARROW_BYTES);
            }
        }
        if (cells.isEmpty()) {
            return SqlQuery.Wide.NONE;
        }
        int limit = Math.max((Dialect.ROW_BYTES - fixed) / cells.size(), NARROW_BYTES);
        List<SqlColumn> key = table.table().primaryKey().stream().map(table::column).toList();
        return new SqlQuery.Wide(limit, cells, key);
    }

    private static String value(SqlColumn source, SqlQuery.Wide wide, int index) {
        return wide.cells().contains(index)
                ? "CASE WHEN "
                        + source.length()
                        + " <= "
                        + wide.limit()
                        + " THEN "
                        + source.value()
                        + " END"
                : source.value();
    }

    private void hidden(List<SqlColumn> sources, SqlQuery.Wide wide, boolean withBinary) {
        if (!wide.isGuarded()) {
            return;
        }
        Set<String> lengths = new LinkedHashSet<>();
        Set<String> exact = new LinkedHashSet<>();
        for (int cell : wide.cells()) {
            lengths.add(sources.get(cell).length());
            exact.add(dialect.exactLength(sources.get(cell)));
        }
        String any =
                String.join(" OR ", lengths.stream().map(l -> l + " > " + wide.limit()).toList());
        String sum = String.join(" + ", exact.stream().map(l -> "COALESCE(" + l + ", 0)").toList());
        String test = "CASE WHEN " + any + " THEN ";
        sql.add(", " + dialect.answer(test + sum + " END", ColumnType.LONG, withBinary));
        for (SqlColumn key : wide.key()) {
            String value = test + key.value() + " END";
            sql.add(", " + dialect.answer(value, key.column().type(), withBinary));
        }
    }

    private void where() {
        if (!plan.filter().equals(Predicate.ALL)) {
            sql.add(" WHERE ");
            new PredicateSql(table, dialect, sql).write(plan.filter());
        }
    }

    private void order() {
        if (plan.order().isEmpty() && plan.slices().isEmpty()) {
            return;
        }
        Set<String> seen = new LinkedHashSet<>();
        String separator = " ORDER BY ";
        for (Plan.Order order : plan.order()) {
            SqlColumn column = table.column(order.column());
            if (seen.add(order.column())) {
                sql.add(separator);
                dialect.order(sql, column, order.descending(), order.nullsFirst());
                separator = ", ";
            }
        }
        for (String key : table.table().primaryKey()) {
            if (seen.add(key)) {
                sql.add(separator);
                dialect.order(sql, table.column(key), false, false);
                separator = ", ";
            }
        }
    }
}
