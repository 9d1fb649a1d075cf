package dev.penstock.query.sql.dialect;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate;
import dev.penstock.query.Table;
import dev.penstock.query.sql.schema.MariaDbExactText;
import dev.penstock.query.sql.schema.MariaDbSchema;
import dev.penstock.query.sql.schema.MariaDbValues;
import dev.penstock.query.sql.statement.Capability;
import dev.penstock.query.sql.statement.CaseVariants;
import dev.penstock.query.sql.statement.DecimalDigits;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.DriverMessage;
import dev.penstock.query.sql.statement.JdbcAction;
import dev.penstock.query.sql.statement.Literals;
import dev.penstock.query.sql.statement.SqlBuilder;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlQuery;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.SqlTemplate;
import dev.penstock.query.sql.statement.UnsupportedPlanException;
import dev.penstock.query.sql.statement.ViewTransactions;
import dev.penstock.query.sql.statement.WindowParameters;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of MariaDB and MySQL servers, through MariaDB's driver. It reads a result forward, so many rows at a time
 * as the fetch size says; closing early would read the rest, so the query is cancelled first.
 */
public class MariaDbDialect extends Dialect {
    private static final String REFERENCES =
            """
            SELECT constraint_name, table_name, column_name, referenced_table_name, referenced_column_name
            FROM information_schema.key_column_usage
            WHERE table_schema = ? AND referenced_table_schema = table_schema AND referenced_table_name IS NOT NULL
            ORDER BY table_name, constraint_name, ordinal_position
            """;

    private static final System.Logger LOG = System.getLogger("dev.penstock.query.sql");

    /** The session's zone decides what a TIMESTAMP reads; it is put back afterwards. */
    private static final String TO_UTC =
            "SET @penstock_time_zone = @@session.time_zone, time_zone = '+00:00'";

    private static final String FROM_UTC = "SET time_zone = @penstock_time_zone";

    /** The same for one statement, without a round trip of its own. Only MariaDB has it. */
    private static final String IN_UTC = "SET STATEMENT time_zone = '+00:00' FOR ";

    private static final String COLLATION_OF_MARIADB = "utf8mb4_nopad_bin";

    /** Has a session wait two seconds for a table that another one has for itself, instead of a day. */
    private static final String BOUND_WAIT =
            "SET @penstock_wait = @@lock_wait_timeout, lock_wait_timeout = 2";

    private static final String USUAL_WAIT = "SET lock_wait_timeout = @penstock_wait";

    /** Rows beyond this make reading no faster. */
    private static final int MAX_FETCH_SIZE = 64;

    /** Order texts of utf8mb4 by code point, and pad none: MariaDB's from version 10.2, MySQL's from 8.0.17. */
    private static final String EXACT_COLLATIONS =
            "SELECT collation_name FROM information_schema.collations"
                    + " WHERE collation_name IN ('"
                    + COLLATION_OF_MARIADB
                    + "', 'utf8mb4_0900_bin')"
                    + " ORDER BY collation_name DESC";

    private final MariaDbExactText columns;

    public MariaDbDialect(MariaDbExactText columns) {
        this(
                columns,
                Capability.NUL_CHARACTER,
                Capability.TEXT_AS_BYTES,
                Capability.DRAINS_ON_CLOSE,
                Capability.ESTIMATES_ROWS,
                Capability.LOSES_NESTED_TEXTS,
                Capability.TESTED);
    }

    MariaDbDialect(MariaDbExactText columns, Capability first, Capability... more) {
        super(EnumSet.of(first, more));
        this.columns = columns;
    }

    /** Returns whether MariaDB's driver gets a day as a text, and so gives even one such as 2026-00-15. */
    public static boolean spellsDays(DatabaseMetaData metadata) throws SQLException {
        String url = metadata.getURL();
        return url != null && !url.contains("useServerPrepStmts=true");
    }

    public static String exactCollation(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(EXACT_COLLATIONS)) {
            return row.next() ? row.getString(1) : "";
        }
    }

    @Override
    public String name() {
        return "MariaDB";
    }

    @Override
    public String references() {
        return REFERENCES;
    }

    @Override
    public List<SqlTable> readTables(Connection connection, @Nullable String schema)
            throws SQLException {
        return new MariaDbSchema(this, columns).read(connection, schema);
    }

    @Override
    public String quote(String identifier) {
        return '`' + identifier.replace("`", "``") + '`';
    }

    @Override
    public Object bindable(Object value) {
        return switch (value) {
            case LocalDate date -> date.toString();
            case LocalTime time -> time.toString();
            case LocalDateTime local -> local.toString();
            case Instant instant -> LocalDateTime.ofInstant(instant, ZoneOffset.UTC).toString();
            case UUID uuid -> uuid.toString();
            case Boolean truth -> truth ? 1 : 0;
            case Float number -> number.doubleValue();
            default -> value;
        };
    }

    @Override
    public Object nativeValue(SqlColumn column, String text) {
        Object value = super.nativeValue(column, text);
        return value instanceof String known ? MariaDbValues.bound(column.column(), known) : value;
    }

    @Override
    public @Nullable String negativeZero(SqlColumn column) {
        return switch (column.column().type()) {
            case FLOAT, DOUBLE -> "CAST(" + column.name() + " AS CHAR) = '-0'";
            default -> null;
        };
    }

    @Override
    public int minYear() {
        return 0;
    }

    @Override
    public int maxYear() {
        return 9999;
    }

    @Override
    public int decimalDigits() {
        return 65;
    }

    @Override
    public int decimalScale() {
        return 38;
    }

    @Override
    public int orderedBytes(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@max_sort_length")) {
            return row.next() ? row.getInt(1) : super.orderedBytes(connection);
        }
    }

    @Override
    public void order(SqlBuilder sql, SqlColumn column, boolean descending, boolean nullsFirst) {
        // NULL is the least here, of negated numbers too: so one key does for both.
        boolean apart = column.column().nullable() && nullsFirst == descending;
        if (apart
                && column.column().type() == ColumnType.INT
                && column.comparable().equals(column.name())) {
            sql.add("-").add(column.name()).add(descending ? "" : " DESC");
            return;
        }
        if (apart) {
            sql.add(column.name()).add(nullsFirst ? " IS NOT NULL, " : " IS NULL, ");
        }
        sql.add(column.comparable()).add(descending ? " DESC" : "");
        orderZeros(sql, column, descending);
    }

    @Override
    public void window(SqlBuilder sql, WindowParameters window) {
        if (window.limit() < 0 && window.skip() >= 0) {
            sql.add(" LIMIT 18446744073709551615");
        }
        super.window(sql, window);
    }

    @Override
    public String keyed(SqlColumn column) {
        return isText(column) && !column.equatable().equals(column.name())
                ? "CONVERT(MIN(" + column.comparable() + ") USING utf8mb4)"
                : column.equatable();
    }

    private static boolean isText(SqlColumn column) {
        ColumnType type = column.column().type();
        return type.isTextual() || type == ColumnType.UUID;
    }

    @Override
    public SqlColumn made(SqlColumn source, Column column) {
        String name = column(column.name());
        return isText(source)
                ? MariaDbExactText.bytes(
                        SqlColumn.plain(column, name, "?", "OCTET_LENGTH(" + name + ")"), name)
                : super.made(source, column);
    }

    @Override
    public Extreme extreme(SqlColumn column, boolean least) {
        return isText(column)
                ? new Extreme(column.comparable(), "", "CONVERT(%s USING utf8mb4)")
                : super.extreme(column, least);
    }

    /**
     * Returns the sum of numbers. One of decimals has 22 digits more than what is added; one of −0.0 alone is 0.0 in
     * Java.
     */
    @Override
    public String sum(ColumnType type, int digits) {
        if (!type.isFloating() && digits + 22 > decimalDigits()) {
            throw new UnsupportedPlanException(
                    "a sum of numbers of %d digits may have more than the %d of %s"
                            .formatted(digits, decimalDigits(), name()));
        }
        return type.isFloating() ? "(SUM(%s)%f + 0e0)" : "SUM(%s)%f";
    }

    /** Returns the average of floating-point numbers; one of −0.0 alone is 0.0 in Java. */
    @Override
    public String floatingAverage() {
        return "(AVG(%s)%f + 0e0)";
    }

    @Override
    public String toDouble() {
        return "(%s + 0e0)";
    }

    @Override
    public String toLong() {
        return "CAST(%s AS SIGNED)";
    }

    @Override
    public String toDecimal(ColumnType type, String databaseType) {
        return type == ColumnType.DECIMAL
                        && (databaseType.isEmpty() || databaseType.startsWith("decimal"))
                ? "%s"
                : "CAST(%s AS DECIMAL(20,0))";
    }

    @Override
    public String literal(ColumnType type, DecimalDigits digits) {
        return type == ColumnType.LONG ? "CAST(? AS SIGNED)" : super.literal(type, digits);
    }

    @Override
    public void text(
            SqlBuilder sql,
            SqlColumn column,
            Predicate.TextOperation operation,
            boolean ignoringCase,
            Literals.Binding value) {
        if (ignoringCase) {
            sql.add("CONVERT(" + column.text() + " USING utf8mb4) COLLATE utf8mb4_bin REGEXP ");
            sql.bind("?", value, v -> CaseVariants.expression(operation, (String) v, "\\z"));
            return;
        }
        sql.add("(");
        indexedStart(sql, column, operation, value);
        like(sql, column.comparable(), column.parameter(), operation, value);
        sql.add(")");
    }

    /** Returns a value's bytes, of a text in UTF-8; only a text in another character set is made again for that. */
    private static String octets(SqlColumn column) {
        String value = column.value();
        return column.column().type() == ColumnType.BINARY
                ? column.name()
                : ("CASE WHEN CHARSET(%s) LIKE 'utf8%%' THEN CONVERT(%s USING binary)"
                                + " ELSE CONVERT(CONVERT(%s USING utf8mb4) USING binary) END")
                        .formatted(value, value, value);
    }

    @Override
    public String exactLength(SqlColumn column) {
        return "OCTET_LENGTH(" + octets(column) + ")";
    }

    @Override
    public String digest(SqlColumn column) {
        return "SHA2(" + octets(column) + ", 256)";
    }

    /**
     * Returns a part of the bytes, which are found at once; the characters of a text would be counted from its
     * beginning for each part.
     */
    @Override
    public String part(SqlColumn column, long from, int bytes) {
        return "SUBSTRING(" + octets(column) + ", " + from + ", " + bytes + ")";
    }

    /** Returns half of the server's {@code max_allowed_packet}, beyond which it gives no row. */
    @Override
    public int largestPart(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@max_allowed_packet")) {
            long packet = row.next() ? row.getLong(1) : 0;
            return Math.clamp(packet / 2, 1, super.largestPart(connection));
        }
    }

    /** Returns the product of the rows of each table that is joined, without the lines of what is nested in them. */
    @Override
    public long plannedRows(ResultSet plan) throws SQLException {
        double rows = -1;
        int outermost = 0;
        while (plan.next()) {
            int select = plan.getInt("id");
            outermost = rows < 0 ? select : outermost;
            if (select == outermost) {
                double share = share(plan);
                rows = Math.abs(rows) * plan.getDouble("rows") * share;
            }
        }
        return (long) Math.min(Math.ceil(rows), Long.MAX_VALUE);
    }

    /** Returns the share of the rows that passes the conditions, where the database says it. */
    private static double share(ResultSet plan) throws SQLException {
        ResultSetMetaData columns = plan.getMetaData();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            if (columns.getColumnLabel(i).equals("filtered")) {
                double percent = plan.getDouble(i);
                return plan.wasNull() ? 1 : percent / 100;
            }
        }
        return 1;
    }

    @Override
    public String explained(String select) {
        return "EXPLAIN EXTENDED " + select;
    }

    @Override
    public @Nullable JdbcAction prepare(Connection connection, SqlTemplate query)
            throws SQLException {
        if (!query.layout().hasInstants) {
            return null;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(TO_UTC);
        }
        return () -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(FROM_UTC);
            }
        };
    }

    @Override
    public @Nullable JdbcAction prepareForOne(Connection connection, SqlQuery query)
            throws SQLException {
        return setsByStatement() ? null : super.prepareForOne(connection, query);
    }

    @Override
    public String sent(SqlQuery query) {
        return setsByStatement() && query.template().layout().hasInstants
                ? IN_UTC + query.text()
                : query.text();
    }

    /** Returns whether a statement may say what the session's zone is for it. */
    public boolean setsByStatement() {
        return columns.exactCollation().equals(COLLATION_OF_MARIADB);
    }

    @Override
    public boolean locksToFreeze() {
        return true;
    }

    /**
     * A lock for reading waits for the transactions that have changed the tables, so that all that begin under it see
     * the same.
     */
    @Override
    public void freeze(ViewTransactions view) throws SQLException {
        // One holds the lock while the others begin.
        int all = view.wanted() > 1 ? view.reserve(view.wanted() + 1) - 1 : 1;
        if (all > 1) {
            view.apart(connection -> begin(connection, all, view));
        }
        if (view.isEmpty()) {
            Connection _ = begin(view);
        }
    }

    private void begin(Connection locking, int count, ViewTransactions view) throws SQLException {
        try (Statement statement = locking.createStatement()) {
            if (lock(statement, view.tables())) {
                try {
                    for (int i = 0; i < count; i++) {
                        use(begin(view), view.tables());
                    }
                } finally {
                    statement.execute("UNLOCK TABLES");
                }
            }
        }
    }

    /** Who changes the tables waits behind a lock that waits: so it doesn't for long. */
    private boolean lock(Statement statement, List<SqlTable> tables) throws SQLException {
        // By their own names: two tables can't be locked under one alias.
        String names =
                tables.stream()
                        .map(table -> qualified(table.table().schema(), table.table().name()))
                        .distinct()
                        .collect(Collectors.joining(" READ, "));
        statement.execute(BOUND_WAIT);
        try {
            statement.execute("LOCK TABLES " + names + " READ");
            return true;
        } catch (SQLException e) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "{0} reads with one connection, because the tables can''t be locked while more transactions"
                            + " begin: {1}",
                    name(),
                    DriverMessage.of(e));
            return false;
        } finally {
            statement.execute(USUAL_WAIT);
        }
    }

    private static Connection begin(ViewTransactions view) throws SQLException {
        Connection connection = view.begin(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = connection.createStatement()) {
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
        }
        return connection;
    }

    /**
     * Has a transaction use tables from its beginning. Whoever wants a table for himself, such as by ALTER TABLE, waits
     * for those that have used it; and those that have not yet wait for him. Where both are of one view, that would
     * never end, and the database can't know. One that comes in this moment makes it fail.
     */
    private void use(Connection connection, List<SqlTable> tables) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(BOUND_WAIT);
            try {
                for (SqlTable each : tables) {
                    Table table = each.table();
                    String name = qualified(table.schema(), table.name());
                    statement.execute("SELECT 1 FROM " + name + " LIMIT 0");
                }
            } finally {
                statement.execute(USUAL_WAIT);
            }
        }
    }

    @Override
    public void setFetchSize(Statement statement, SqlTemplate query) throws SQLException {
        statement.setFetchSize(Math.min(query.rowsPerBatch(), MAX_FETCH_SIZE));
    }

    @Override
    public String probe(int rows) {
        return "WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 1000)"
                + " SELECT a.i, REPEAT('x', 200) FROM s AS a CROSS JOIN s AS b LIMIT "
                + rows;
    }

    @Override
    public String streamingRemedy() {
        return "pass setFetchSize on to MariaDB Connector/J, and use its version 3 or later";
    }
}
