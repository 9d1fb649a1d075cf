package dev.penstock.query.sql.dialect;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate;
import dev.penstock.query.sql.schema.H2Schema;
import dev.penstock.query.sql.statement.Capability;
import dev.penstock.query.sql.statement.CaseVariants;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.JdbcAction;
import dev.penstock.query.sql.statement.Literals;
import dev.penstock.query.sql.statement.NativeValueCheck;
import dev.penstock.query.sql.statement.SqlBuilder;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.SqlTemplate;
import dev.penstock.query.sql.statement.ViewTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of H2 from version 2, embedded or remote. It streams if it is told to be lazy, and then only what it can
 * read in the order that is asked for: it would hold the whole answer for an offset, so the cursor skips those rows
 * itself; and it sorts what no index gives in order, in memory or in a file of its own. While a view computes within a
 * step of a lazy result, H2 does not look for a cancel.
 */
public final class H2Dialect extends Dialect {
    private static final String REFERENCES =
            """
            SELECT r.constraint_name, f.table_name, f.column_name, t.table_name, t.column_name
            FROM information_schema.referential_constraints r
            JOIN information_schema.key_column_usage f
              ON f.constraint_schema = r.constraint_schema AND f.constraint_name = r.constraint_name
            JOIN information_schema.key_column_usage t
              ON t.constraint_schema = r.unique_constraint_schema AND t.constraint_name = r.unique_constraint_name
              AND t.ordinal_position = f.position_in_unique_constraint
            WHERE f.table_schema = ? AND t.table_schema = f.table_schema
            ORDER BY f.table_name, r.constraint_name, f.ordinal_position
            """;

    /** Its own level of isolation, above those of JDBC that tables may change under. */
    private static final int SNAPSHOT = 6;

    public H2Dialect(boolean embedded) {
        super(capabilities(embedded));
    }

    /** Not {@code FILTERED_AGGREGATES}: H2 2 errs in aggregates whose FILTER leaves some groups empty. */
    private static Set<Capability> capabilities(boolean embedded) {
        Set<Capability> capabilities =
                EnumSet.of(
                        Capability.FOLDS_TO_UPPER_CASE,
                        Capability.NON_FINITE_NUMBERS,
                        Capability.NUL_CHARACTER,
                        Capability.SKIPS_IN_CURSOR,
                        Capability.TESTED);
        if (embedded) {
            capabilities.add(Capability.EMBEDDED);
        }
        return capabilities;
    }

    @Override
    public String name() {
        return "H2";
    }

    @Override
    public String references() {
        return REFERENCES;
    }

    @Override
    public List<SqlTable> readTables(Connection connection, @Nullable String schema)
            throws SQLException {
        return new H2Schema(this).read(connection, schema);
    }

    /**
     * H2 stores −0.0 as 0.0, and binds it as that too: so a comparison with −0.0 is one with what lies just below 0.
     */
    @Override
    public @Nullable String negativeZero(SqlColumn column) {
        return switch (column.column().type()) {
            case FLOAT, DOUBLE -> "FALSE";
            default -> null;
        };
    }

    @Override
    public Object nativeValue(SqlColumn column, String text) {
        Object value = super.nativeValue(column, text);
        if (column.column().nativeType().element() == null) {
            return value;
        }
        Object[] elements = JsonArray.parse(text);
        if (elements == null) {
            throw NativeValueCheck.noValue(column.column(), null);
        }
        return elements;
    }

    @Override
    public List<String> groups(SqlColumn column) {
        // Instants are equal whatever their zone.
        return column.column().type() == ColumnType.TIMESTAMP_UTC
                ? List.of(instant(column))
                : super.groups(column);
    }

    /**
     * H2 takes conditions of a SELECT into its subqueries, and forgets the parentheses around {@code AT TIME ZONE}
     * there.
     */
    private static String instant(SqlColumn column) {
        return "CAST(" + column.value() + " AS TIMESTAMP(9) WITH TIME ZONE)";
    }

    @Override
    public String keyed(SqlColumn column) {
        return switch (column.column().type()) {
            case TEXT, JSON, OTHER -> "CAST(" + column.comparable() + " AS VARCHAR)";
            case TIMESTAMP_UTC -> instant(column);
            case BOOLEAN, INT, LONG, DECIMAL, FLOAT, DOUBLE, DATE, TIME, TIMESTAMP, BINARY, UUID ->
                    column.comparable();
        };
    }

    @Override
    public SqlColumn made(SqlColumn source, Column column) {
        if (!column.type().isTextual()) {
            return super.made(source, column);
        }
        String name = column(column.name());
        return H2Schema.exact(
                SqlColumn.plain(column, name, "?", "(3 * CHAR_LENGTH(" + name + "))"), name);
    }

    @Override
    public Extreme extreme(SqlColumn column, boolean least) {
        return column.column().type().isTextual()
                ? new Extreme(column.comparable(), "", "CAST(%s AS VARCHAR)")
                : super.extreme(column, least);
    }

    @Override
    public String sum(ColumnType type, int digits) {
        return type.isFloating() ? floating("SUM") : "SUM(%s)%f";
    }

    /** H2 takes a CASE that comes to nothing for a NULL without type, of which there is no sum. */
    @Override
    public String noArgument() {
        return " ELSE NULLIF(%s, %s)";
    }

    @Override
    public String floatingAverage() {
        return floating("AVG");
    }

    /**
     * H2 adds as decimals, which know no NaN and no infinity. Where there are any, the extremes add up to what
     * everything does.
     */
    private static String floating(String function) {
        String most = "1.7976931348623157E308";
        return "CASE WHEN MAX(%s)%f > "
                + most
                + " OR MIN(%s)%f < -"
                + most
                + " THEN MAX(%s)%f + MIN(%s)%f ELSE CAST("
                + function
                + "(CASE WHEN (%s) BETWEEN -"
                + most
                + " AND "
                + most
                + " THEN (%s) END)%f AS DOUBLE PRECISION) END";
    }

    @Override
    public String toDecimal(ColumnType type, String databaseType) {
        return type == ColumnType.DECIMAL ? "%s" : "CAST(%s AS NUMERIC(20))";
    }

    /** LIKE and the equality of characters may be told to fold; the place of a text in another, and bytes, can't. */
    @Override
    public void text(
            SqlBuilder sql,
            SqlColumn column,
            Predicate.TextOperation operation,
            boolean ignoringCase,
            Literals.Binding value) {
        String text = "CAST(" + column.text() + " AS VARCHAR)";
        if (ignoringCase) {
            sql.add("REGEXP_LIKE(" + text + ", ");
            sql.bind("?", value, v -> CaseVariants.expression(operation, (String) v, "\\z"));
            sql.add(", 'c')");
            return;
        }
        sql.add("(");
        indexedStart(sql, column, operation, value);
        switch (operation) {
            case EQUAL -> sql.add(column.comparable()).add(" = ").bind(H2Schema.BYTES, value);
            case STARTS_WITH -> sql.bind("LOCATE(CAST(? AS VARCHAR), ", value).add(text + ") = 1");
            case CONTAINS -> sql.bind("LOCATE(CAST(? AS VARCHAR), ", value).add(text + ") > 0");
            case ENDS_WITH -> {
                String bytes = column.comparable();
                sql.add("SUBSTRING(" + bytes + " FROM GREATEST(1, OCTET_LENGTH(" + bytes + ") - ");
                sql.bind("OCTET_LENGTH(" + H2Schema.BYTES + ") + 1)) = ", value)
                        .bind(H2Schema.BYTES, value);
            }
        }
        sql.add(")");
    }

    @Override
    public int maxValues() {
        return 100_000;
    }

    @Override
    public Object bindable(Object value) {
        return value instanceof Instant instant ? instant.atOffset(ZoneOffset.UTC) : value;
    }

    @Override
    public int nanosecondsUnit() {
        return 1;
    }

    @Override
    public void order(SqlBuilder sql, SqlColumn column, boolean descending, boolean nullsFirst) {
        sql.add(column.comparable()).add(descending ? " DESC" : "");
        if (column.column().nullable()) {
            sql.add(nullsFirst ? " NULLS FIRST" : " NULLS LAST");
        }
    }

    @Override
    public String exactLength(SqlColumn column) {
        return "OCTET_LENGTH(" + column.value() + ")";
    }

    @Override
    public String digest(SqlColumn column) {
        return "RAWTOHEX(HASH('SHA-256', " + column.value() + "))";
    }

    /** To cut a part of a large object, H2 would hold all of it. */
    @Override
    public WideValue wideValue(ColumnType type) {
        return WideValue.AS_STREAM;
    }

    @Override
    public JdbcAction prepare(Connection connection, SqlTemplate query) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        execute(connection, "SET LAZY_QUERY_EXECUTION 1");
        return () -> {
            execute(connection, "SET LAZY_QUERY_EXECUTION 0");
            connection.setAutoCommit(autoCommit);
        };
    }

    @Override
    public void freeze(ViewTransactions view) throws SQLException {
        Connection _ = view.begin(SNAPSHOT);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public String probe(int rows) {
        return "SELECT X, REPEAT('x', 200) FROM SYSTEM_RANGE(1, " + rows + ")";
    }

    @Override
    public String streamingRemedy() {
        return "use H2 2.2 or later, and let SET LAZY_QUERY_EXECUTION through";
    }
}
