package dev.penstock.query.sql.render;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Plan.Slice;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Source;
import dev.penstock.query.sql.statement.BoundComparison;
import dev.penstock.query.sql.statement.Capability;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.Literals;
import dev.penstock.query.sql.statement.Parameter;
import dev.penstock.query.sql.statement.ResultLayout;
import dev.penstock.query.sql.statement.ResultSizePredictor;
import dev.penstock.query.sql.statement.SqlBuilder;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.SqlTemplate;
import dev.penstock.query.sql.statement.UnsupportedPlanException;
import dev.penstock.query.sql.statement.WideColumns;
import dev.penstock.query.sql.statement.WindowParameters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A writer of the shape of a plan as one SELECT. A nested plan becomes a subquery in FROM under the name {@code t},
 * like a table, whose columns go by their names; so that what is known of a column's SQL holds on every level.
 */
final class PlanSql {
    /** Columns whose declared width is within this are not guarded one by one. */
    static final int NARROW_BYTES = 4096;

    /** What columns have at the most that help to find a row. */
    private static final int HINT_BYTES = 256;

    /** How many of them there are. */
    private static final int MAX_HINTS = 8;

    private final Map<String, SqlTable> tables;
    private final Literals literals;
    private final Dialect dialect;
    private final SqlBuilder sql;
    private boolean plain = true;
    private boolean hasInstants;

    PlanSql(Map<String, SqlTable> tables, Literals literals, Dialect dialect, SqlBuilder sql) {
        this.sql = sql;
        this.tables = tables;
        this.literals = literals;
        this.dialect = dialect;
    }

    static SqlTemplate render(
            Map<String, SqlTable> tables, Plan shape, Literals literals, Dialect dialect) {
        Plan plan = PlanNormalizer.withoutNullTest(PlanNormalizer.flat(shape));
        PlanSql rendering = new PlanSql(tables, literals, dialect, new SqlBuilder());
        return switch (plan.output()) {
            case Output.Columns(List<Item> items) -> rendering.rows(plan, items);
            case Output.Distinct _, Output.Count _, Output.Aggregation _ -> rendering.made(plan);
        };
    }

    /** Returns what a plan's columns are called within its SELECT. */
    SqlTable scope(Source source) {
        return switch (source) {
            case dev.penstock.query.Table table -> table(table.name());
            case Plan plan ->
                    plan.output() instanceof Output.Columns
                            ? scope(plan.source())
                            : groups(plan, scope(plan.source())).answer(plan);
        };
    }

    private GroupSql groups(Plan plan, SqlTable scope) {
        boolean isNested = plan.source() instanceof Plan || PlanNormalizer.rank(plan) != null;
        return new GroupSql(scope, dialect, literals, sql, this, isNested);
    }

    private SqlTable table(String name) {
        SqlTable table = tables.get(name);
        if (table == null) {
            throw new QueryException(
                    QueryException.Kind.UNKNOWN_NAME, "there is no table or view \"" + name + "\"");
        }
        return table;
    }

    private SqlTemplate rows(Plan plan, List<Item> items) {
        if (plan.source() instanceof Plan inner
                && inner.output() instanceof Output.Distinct(List<Item> distinct)
                && plan.filter().equals(Predicate.ALL)
                && isGroup(inner, distinct)) {
            return distinct(plan, items, inner, distinct);
        }
        SqlTable scope = scope(plan.source());
        List<Column> columns = new ArrayList<>();
        List<SqlColumn> sources = new ArrayList<>();
        Set<String> needed = new LinkedHashSet<>();
        for (Item item : items) {
            SqlColumn source = scope.column(item.column());
            needed.add(item.column());
            sources.add(source);
            columns.add(labelled(source, item.label()));
        }
        WideColumns wide = guard(scope, sources);
        wide.key().forEach(key -> needed.add(key.column().name()));
        select(sources, wide);
        boolean single = isKeyLookup(plan, scope);
        from(plan, scope, needed, single ? List.of() : order(plan));
        WindowParameters window = window(plan, dialect.has(Capability.SKIPS_IN_CURSOR));
        return template(scope, columns, sources, wide, window, single);
    }

    private static Column labelled(SqlColumn source, String label) {
        return source.column().named(label);
    }

    /**
     * Returns whether distinct rows are groups by columns as they are, none of them wide; so that they can be put in
     * order where they are made.
     */
    private boolean isGroup(Plan inner, List<Item> distinct) {
        SqlTable scope = scope(inner.source());
        List<SqlColumn> sources =
                distinct.stream().map(item -> scope.column(item.column())).toList();
        return PlanNormalizer.rank(inner) == null
                && !guard(scope, sources).isGuarded()
                && sources.stream()
                        .allMatch(source -> dialect.groups(source).equals(List.of(source.name())));
    }

    private SqlTemplate distinct(Plan plan, List<Item> items, Plan inner, List<Item> distinct) {
        SqlTable scope = scope(inner.source());
        Map<String, String> names = new HashMap<>();
        distinct.forEach(item -> names.put(item.label(), item.column()));
        List<SqlColumn> sources =
                items.stream()
                        .map(item -> scope.column(String.valueOf(names.get(item.column()))))
                        .toList();
        select(sources, WideColumns.NONE);
        from(inner, scope, new LinkedHashSet<>(names.values()), List.of());
        String separator = " GROUP BY ";
        for (String name : new LinkedHashSet<>(names.values())) {
            sql.add(separator).add(scope.column(name).name());
            separator = ", ";
        }
        order(
                inner,
                scope,
                new ColumnRenaming(label -> String.valueOf(names.get(label))).order(order(plan)));
        WindowParameters window = window(plan, dialect.has(Capability.SKIPS_IN_CURSOR));
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            columns.add(labelled(sources.get(i), items.get(i).label()));
        }
        return template(scope, columns, sources, WideColumns.NONE, window, false);
    }

    /** FROM, WHERE and ORDER BY of a block that gives rows. */
    void from(Plan plan, SqlTable scope, Set<String> needed, List<Order> order) {
        ColumnRenaming collecting = ColumnRenaming.collecting(needed);
        Predicate filter = collecting.predicate(plan.filter());
        collecting.order(order);
        from(plan.source(), scope, needed);
        where(plan, scope, filter);
        order(plan, scope, order);
    }

    private void from(Source source, SqlTable scope, Set<String> needed) {
        for (String name : needed) {
            plain &= scope.column(name).column().type() != ColumnType.OTHER;
        }
        sql.add(" FROM ");
        switch (source) {
            case dev.penstock.query.Table table -> {
                // A view's own expressions may depend on the session's zone.
                plain &= !table.view();
                hasInstants |= scope.hasInstants();
                sql.add(scope.name());
            }
            case Plan plan -> {
                sql.add("(");
                if (plan.output() instanceof Output.Columns) {
                    block(plan, scope, needed);
                } else {
                    group(plan, true);
                }
                sql.add(") t");
            }
        }
    }

    /** A block that is there for its slices. */
    private void block(Plan plan, SqlTable scope, Set<String> needed) {
        List<Order> order = needed.isEmpty() ? List.of() : order(plan);
        String separator = "SELECT ";
        for (String name : needed) {
            sql.add(separator).add(scope.column(name).name());
            separator = ", ";
        }
        if (needed.isEmpty()) {
            sql.add("SELECT 1 AS one");
        }
        from(plan, scope, new LinkedHashSet<>(needed), order);
        window(plan, false);
    }

    /** Returns a plan that makes other rows of those it reads, such as their number. */
    private SqlTemplate made(Plan plan) {
        SqlTable scope = scope(plan.source());
        List<SqlColumn> sources = groups(plan, scope).answer(plan).columns();
        boolean ordered =
                plan.output() instanceof Output.Distinct(List<Item> items)
                        && !PlanNormalizer.distinctOrder(plan, items).isEmpty();
        if (ordered || guard(scope, sources).isGuarded()) {
            List<Item> all = new ArrayList<>();
            plan.columns().forEach(c -> all.add(new Item(c.name(), c.name())));
            return rows(
                    new Plan(plan, Predicate.ALL, List.of(), List.of(), new Output.Columns(all)),
                    all);
        }
        group(plan, false);
        boolean single =
                switch (plan.output()) {
                    case Output.Count _ -> true;
                    case Output.Aggregation(List<Item> keys, _) -> keys.isEmpty();
                    case Output.Columns _, Output.Distinct _ -> false;
                };
        return template(
                scope, plan.columns(), sources, WideColumns.NONE, WindowParameters.NONE, single);
    }

    private void group(Plan plan, boolean nested) {
        SqlTable scope = scope(plan.source());
        GroupSql group = groups(plan, scope);
        group.select(plan, nested);
        Set<String> needed = new LinkedHashSet<>();
        ColumnRenaming collecting = ColumnRenaming.collecting(needed);
        collecting.output(plan.output());
        String rank = PlanNormalizer.rank(plan);
        if (rank == null) {
            from(plan, scope, needed, List.of());
        } else {
            ranked(plan, scope, needed, rank);
        }
        group.groupBy(plan);
    }

    /** The rows with their place in the order, for those who only keep one of several. */
    private void ranked(Plan plan, SqlTable scope, Set<String> needed, String rank) {
        sql.add(" FROM (SELECT ");
        needed.forEach(name -> sql.add(scope.column(name).name()).add(", "));
        sql.add("ROW_NUMBER() OVER (");
        List<Order> order = order(plan);
        order(plan, scope, order);
        sql.add(") AS ").add(dialect.quote(rank));
        ColumnRenaming.collecting(needed).order(order);
        from(plan, scope, needed, List.of());
        sql.add(") t");
    }

    private SqlTemplate template(
            SqlTable scope,
            List<Column> columns,
            List<SqlColumn> sources,
            WideColumns wide,
            WindowParameters window,
            boolean single) {
        int values = sql.bindings().size();
        if (values > dialect.maxValues()) {
            throw new UnsupportedPlanException(
                    "the query binds %d values, and %s takes %d"
                            .formatted(values, dialect.name(), dialect.maxValues()));
        }
        return new SqlTemplate(
                scope,
                sql.text(dialect::parameterMark),
                sql.text(_ -> "?"),
                sql.bindings(),
                sql.checks(),
                columns,
                sources,
                wide,
                window,
                new SqlTemplate.Traits(single, plain),
                ResultLayout.of(scope, columns, sources, wide, hasInstants),
                new ResultSizePredictor());
    }

    /** Returns whether the filter names one value for each column of the key. */
    private static boolean isKeyLookup(Plan plan, SqlTable scope) {
        List<String> key = scope.table().primaryKey();
        if (key.isEmpty() || !(plan.source() instanceof dev.penstock.query.Table)) {
            return false;
        }
        List<Predicate> all =
                plan.filter() instanceof Predicate.And(List<Predicate> parts)
                        ? parts
                        : List.of(plan.filter());
        Set<String> left = new HashSet<>(key);
        for (Predicate each : all) {
            if (each
                    instanceof
                    Predicate.Comparison(String column, Predicate.Comparator comparator, _)) {
                if (comparator == Predicate.Comparator.EQUAL) {
                    left.remove(column);
                }
            }
        }
        return left.isEmpty();
    }

    /** Returns the columns that declare no narrow bound; they share what the others leave of a row's budget. */
    private WideColumns guard(SqlTable scope, List<SqlColumn> sources) {
        long all = sources.stream().mapToLong(source -> source.column().maxBytes()).sum();
        if (all <= Dialect.ROW_BYTES) {
            return WideColumns.NONE;
        }
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
            return WideColumns.NONE;
        }
        int limit = Math.max((Dialect.ROW_BYTES - fixed) / cells.size(), NARROW_BYTES);
        List<SqlColumn> key = scope.table().primaryKey().stream().map(scope::column).toList();
        boolean byContent = key.isEmpty() && scope.equals(tables.get(scope.table().name()));
        return new WideColumns(limit, cells, byContent ? hints(scope, sources) : key, byContent);
    }

    /** Columns by which the database may find a row without a key quickly; where they change, the row is not found. */
    private static List<SqlColumn> hints(SqlTable scope, List<SqlColumn> sources) {
        SqlColumn address = scope.rowAddress();
        return address != null
                ? List.of(address)
                : sources.stream()
                        .filter(source ->
                                switch (source.column().type()) {
                                    case INT, LONG, UUID -> true;
                                    case TEXT -> source.column().maxBytes() <= HINT_BYTES;
                                    default -> false;
                                })
                        .distinct()
                        .limit(MAX_HINTS)
                        .toList();
    }

    private void select(List<SqlColumn> sources, WideColumns wide) {
        boolean withBinary = SqlTemplate.hasBinary(sources, wide);
        String separator = "SELECT ";
        for (int i = 0; i < sources.size(); i++) {
            String value = value(sources.get(i), wide, i);
            sql.add(separator)
                    .add(dialect.answer(value, sources.get(i).column().type(), withBinary));
            separator = ", ";
        }
        hidden(sources, wide, withBinary);
    }

    private String value(SqlColumn source, WideColumns wide, int index) {
        return wide.cells().contains(index)
                ? "CASE WHEN "
                        + source.length()
                        + " <= "
                        + wide.limit()
                        + " THEN "
                        + dialect.value(source)
                        + " END"
                : dialect.value(source);
    }

    private void hidden(List<SqlColumn> sources, WideColumns wide, boolean withBinary) {
        if (!wide.isGuarded()) {
            return;
        }
        Set<String> lengths = new LinkedHashSet<>();
        // One for each cell: a column that is given twice is also read and held twice.
        List<String> exact = new ArrayList<>();
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
            String value = test + dialect.value(key) + " END";
            sql.add(", " + dialect.answer(value, key.column().type(), withBinary));
        }
        for (int cell : wide.byContent() ? wide.cells() : List.<Integer>of()) {
            SqlColumn source = sources.get(cell);
            String isWide = "CASE WHEN " + source.length() + " > " + wide.limit() + " THEN ";
            String length = isWide + dialect.exactLength(source) + " END";
            String digest = isWide + dialect.digest(source) + " END";
            sql.add(", " + dialect.answer(length, ColumnType.LONG, withBinary));
            sql.add(", " + dialect.answer(digest, ColumnType.TEXT, withBinary));
        }
    }

    private void where(Plan plan, SqlTable scope, Predicate filter) {
        if (!filter.equals(Predicate.ALL)) {
            sql.add(" WHERE ");
            boolean isNested = plan.source() instanceof Plan;
            new PredicateSql(scope, dialect, literals, sql, this, isNested).write(filter);
        }
    }

    /** Returns the order that was asked for, and the key. */
    static List<Order> order(Plan plan) {
        List<Order> asked = PlanNormalizer.order(plan);
        if (asked.isEmpty() && plan.slices().isEmpty()) {
            return List.of();
        }
        Set<String> seen = new HashSet<>();
        List<Order> order = new ArrayList<>();
        for (Order each : asked) {
            if (seen.add(each.column())) {
                order.add(each);
            }
        }
        for (String key : plan.source().key()) {
            if (seen.add(key)) {
                order.add(new Order(key, false, false));
            }
        }
        return order;
    }

    private void order(Plan plan, SqlTable scope, List<Order> order) {
        String separator = " ORDER BY ";
        for (Order each : order) {
            sql.add(separator);
            SqlColumn column = scope.column(each.column());
            SqlColumn sorted = each.nativeOrder() ? column.inNativeOrder(dialect.name()) : column;
            dialect.order(sql, sorted, each.descending(), each.nullsFirst());
            separator = ", ";
        }
        // The key of what was made are its values, which order alone may not tell apart.
        for (Order each : PlanNormalizer.isMade(plan.source()) ? order : List.<Order>of()) {
            String tie = dialect.tie(scope.column(each.column()));
            sql.add(tie == null ? "" : ", " + tie);
        }
    }

    WindowParameters window(Plan plan, boolean skipsInCursor) {
        int skip = -1;
        int limit = -1;
        for (Slice slice : plan.slices()) {
            switch (slice) {
                case Slice.Skip(long parameter) -> skip = (int) parameter;
                case Slice.Limit(long parameter) -> limit = (int) parameter;
            }
        }
        WindowParameters window = new WindowParameters(skip, limit, skipsInCursor && skip >= 0);
        for (int parameter : new int[] {skip, limit}) {
            if (parameter >= 0) {
                literals.bind(Parameter.of(parameter), BoundComparison::count);
            }
        }
        if (!window.isEmpty()) {
            dialect.window(sql, window);
        }
        return window;
    }
}
