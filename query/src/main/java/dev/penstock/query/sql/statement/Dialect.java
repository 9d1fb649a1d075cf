package dev.penstock.query.sql.statement;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.NativeValue;
import dev.penstock.query.Predicate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The SQL and the driver settings that one kind of database needs to be queried and read exactly. Immutable. */
public abstract class Dialect implements ValueLimits {
    /**
     * What a text column may fill of a cursor's batch: bytes that a row comes to at the most before its cells count as
     * wide.
     */
    public static final int ROW_BYTES = 96 * 1024;

    /** From how many values on it matters that the database takes them for constants. */
    public static final int MANY_VALUES = 8;

    private final Set<Capability> capabilities;

    protected Dialect(Set<Capability> capabilities) {
        this.capabilities = EnumSet.copyOf(capabilities);
    }

    @Override
    public final boolean has(Capability capability) {
        return capabilities.contains(capability);
    }

    /** Returns the tables and views of a schema, or of the connection's own where it is null. */
    public abstract List<SqlTable> readTables(Connection connection, @Nullable String schema)
            throws SQLException;

    /** The query that reads foreign keys; null where nothing is known of foreign keys. */
    public @Nullable String references() {
        return null;
    }

    /** Returns how the SQL names its n-th bound value, counted from 1. */
    public String parameterMark(int index) {
        return "?";
    }

    /**
     * Returns an expression of the answer.
     *
     * @param withBinary whether columns of the answer are binary
     */
    public String answer(String value, ColumnType type, boolean withBinary) {
        return value;
    }

    /** Returns how many values a query may bind. */
    public int maxValues() {
        return Integer.MAX_VALUE;
    }

    /** Returns the value as it is handed to the driver. */
    public Object bindable(Object value) {
        return value;
    }

    /**
     * A condition that tells −0.0 from 0.0 where the column's own comparison does not; null where there is nothing to
     * tell.
     */
    public @Nullable String negativeZero(SqlColumn column) {
        return null;
    }

    /** Returns whether two columns of exact numbers compare with one another as their values do, without a failure. */
    public boolean comparesExactly(SqlColumn one, SqlColumn other) {
        return true;
    }

    /**
     * Returns what is bound for a {@link dev.penstock.query.NativeValue} of this text.
     *
     * @throws dev.penstock.query.QueryException of kind {@code INVALID_PLAN} if it is known to be no value of the
     *     column's type
     */
    public Object nativeValue(SqlColumn column, String text) {
        if (column.nativeComparison() == null) {
            throw NativeValueCheck.noValue(column.column(), null);
        }
        return text;
    }

    /** Returns a comparison with a column, as the database can say it. */
    public final BoundComparison bind(
            SqlColumn column, Predicate.Comparator comparator, Object value) {
        if (value instanceof NativeValue(String text)) {
            Object bound = nativeValue(column, BoundComparison.text(column.column(), text, this));
            return new BoundComparison.Bound(comparator, bound, SqlColumn.NATIVE);
        }
        BoundComparison comparison = BoundComparison.of(column.column(), comparator, value, this);
        SqlColumn.Equality equality = column.equality();
        return equality != null
                        && comparison instanceof BoundComparison.Bound(var by, var bound, _)
                        && equality.takes(bound)
                ? new BoundComparison.Bound(by, bound, SqlColumn.TAKEN)
                : comparison;
    }

    /** Returns how many bytes of a value decide its place in an order. */
    public int orderedBytes(Connection connection) throws SQLException {
        return Integer.MAX_VALUE;
    }

    /** Adds one column of an ORDER BY. */
    public abstract void order(
            SqlBuilder sql, SqlColumn column, boolean descending, boolean nullsFirst);

    /** Adds the order of −0.0 and 0.0, where the column's own does not tell them apart. */
    protected final void orderZeros(SqlBuilder sql, SqlColumn column, boolean descending) {
        String negative = negativeZero(column);
        if (negative != null) {
            sql.add(", CASE WHEN " + column.name() + " = 0 AND " + negative + " THEN 0 ELSE 1 END");
            sql.add(descending ? " DESC" : "");
        }
    }

    /** Adds the end of a SELECT that cuts its rows. */
    public void window(SqlBuilder sql, WindowParameters window) {
        if (window.limit() >= 0) {
            sql.add(" LIMIT ").bind(count(), rows(window), this::bindable);
        }
        offset(sql, window);
    }

    public final void offset(SqlBuilder sql, WindowParameters window) {
        if (window.skip() >= 0 && !window.skipsInCursor()) {
            sql.add(" OFFSET ");
            sql.bind(
                    count(),
                    comparisons -> bindable(SqlTemplate.count(comparisons, window.skip())));
        }
    }

    /** Returns how many rows the SQL gives at the most: those that the cursor leaves out as well. */
    public static Literals.Binding rows(WindowParameters window) {
        return comparisons -> {
            long limit = SqlTemplate.count(comparisons, window.limit());
            long all =
                    window.skipsInCursor()
                            ? limit + SqlTemplate.count(comparisons, window.skip())
                            : limit;
            return all < 0 ? Long.MAX_VALUE : all;
        };
    }

    /** Returns a bound number of rows. */
    public String count() {
        return "?";
    }

    /** Returns what gives a column's value in the answer. */
    public String value(SqlColumn column) {
        return column.value();
    }

    /** Returns what two cells have in common where their values are the same, and only there. */
    public List<String> groups(SqlColumn column) {
        String negative = negativeZero(column);
        return negative == null || negative.equals("FALSE")
                ? List.of(column.equatable())
                : List.of(column.equatable(), "(" + column.name() + " = 0 AND " + negative + ")");
    }

    /** What puts values in order that differ, yet are equal in the column's order; null where there are none. */
    public @Nullable String tie(SqlColumn column) {
        return null;
    }

    /** Returns a column in a SELECT that is grouped by {@link #groups}. */
    public String keyed(SqlColumn column) {
        return column.equatable();
    }

    /** Returns how a SELECT knows what is {@link #keyed} or {@link #extreme} in a subquery. */
    public SqlColumn made(SqlColumn source, Column column) {
        return source.renamed(column, column(column.name()));
    }

    /** Returns how a SELECT knows a number that a subquery calculates. */
    public SqlColumn number(Column column, String name) {
        return SqlColumn.plain(column, name, "?", "");
    }

    /**
     * The expressions that find the least or greatest value of a column.
     *
     * @param argument what is compared
     * @param function the aggregate function; empty for MIN and MAX
     * @param restored makes a value of the column of it again
     */
    public record Extreme(String argument, String function, String restored) {}

    public Extreme extreme(SqlColumn column, boolean least) {
        return new Extreme(column.comparable(), "", "%s");
    }

    /** −0.0 of a type of floating-point numbers. */
    public String negativeZeroLiteral(ColumnType type) {
        return "-0e0";
    }

    /**
     * Returns the sum of numbers; of the functions, {@code %f} is the place of a filter.
     *
     * @param type what is added: a sum of {@code LONG} is one too
     * @param digits how many of them one has at the most
     */
    public String sum(ColumnType type, int digits) {
        return "SUM(%s)%f";
    }

    /**
     * Returns what a CASE gives of rows that a filter leaves out, where nothing is not enough; {@code %s} is what else
     * it gives.
     */
    public String noArgument() {
        return "";
    }

    /** Returns the average of floating-point numbers. */
    public String floatingAverage() {
        return "AVG(%s)%f";
    }

    /** Returns an exact number, rounded to binary64. */
    public String toDouble() {
        return "CAST(%s AS DOUBLE PRECISION)";
    }

    /** Returns a whole number as one of 64 bits. */
    public String toLong() {
        return "CAST(%s AS BIGINT)";
    }

    /** Returns a number as a decimal. */
    public String toDecimal(ColumnType type, String databaseType) {
        return type == ColumnType.DECIMAL ? "%s" : "CAST(%s AS DECIMAL(20,0))";
    }

    /** Returns a bound number in arithmetic: a {@code LONG} or a {@code DECIMAL}. */
    public String literal(ColumnType type, DecimalDigits digits) {
        return type == ColumnType.LONG
                ? "CAST(? AS BIGINT)"
                : "CAST(? AS DECIMAL(" + digits.all() + "," + digits.fraction() + "))";
    }

    /** Adds a condition on a text that is not NULL. */
    public void text(
            SqlBuilder sql,
            SqlColumn column,
            Predicate.TextOperation operation,
            boolean ignoringCase,
            Literals.Binding value) {
        if (ignoringCase) {
            throw new UnsupportedPlanException(name() + " ignores case in its own way");
        }
        like(sql, column.text().isEmpty() ? column.name() : column.text(), "?", operation, value);
    }

    public static void like(
            SqlBuilder sql,
            String text,
            String parameter,
            Predicate.TextOperation operation,
            Literals.Binding value) {
        sql.add(text).add(" LIKE ");
        sql.bind(parameter, value, looked -> pattern(operation, (String) looked));
        sql.add(" ESCAPE '|'");
    }

    private static String pattern(Predicate.TextOperation operation, String text) {
        String exact = text.replace("|", "||").replace("%", "|%").replace("_", "|_");
        return switch (operation) {
            case EQUAL -> exact;
            case STARTS_WITH -> exact + "%";
            case ENDS_WITH -> "%" + exact;
            case CONTAINS -> "%" + exact + "%";
        };
    }

    /** Adds a condition that an index may serve, and that holds at least where one on the start of a text does. */
    public static void indexedStart(
            SqlBuilder sql,
            SqlColumn column,
            Predicate.TextOperation operation,
            Literals.Binding value) {
        SqlColumn.Equality equality = column.equality();
        if (equality != null
                && equality.labels() == null
                && operation == Predicate.TextOperation.STARTS_WITH) {
            like(sql, equality.expression(), equality.parameter(), operation, value);
            sql.add(" AND ");
        }
    }

    /** The dialect for small answers, which need no preparation and are read at once; null if it is this one. */
    public @Nullable Dialect small() {
        return null;
    }

    /** The dialect for queries that bind more than {@link #MANY_VALUES}; null if it is this one. */
    public @Nullable Dialect many() {
        return null;
    }

    /** Returns bytes of UTF-8 (or of binary) in one value, exactly. */
    public abstract String exactLength(SqlColumn column);

    /** SHA-256 of a value, in hexadecimal digits: two cells with the same length and digest have the same value. */
    public abstract String digest(SqlColumn column);

    /** A way in which the value of a wide cell comes over a connection. */
    public enum WideValue {
        /** In parts, each by a query, because the driver holds a whole row at least once beside what it gives. */
        IN_PARTS,
        /** At once: the driver gives the one array that it has read the value into. */
        AT_ONCE,
        /** By a stream of the driver. */
        AS_STREAM
    }

    public WideValue wideValue(ColumnType type) {
        return WideValue.IN_PARTS;
    }

    /** Returns the whole of a long value. */
    public String whole(SqlColumn column) {
        return column.value();
    }

    /** Returns how many bytes of a long value can come at once. */
    public int largestPart(Connection connection) throws SQLException {
        return 16 << 20;
    }

    /** Returns a part of a long value: of a binary one, or of the UTF-8 of a text, from a byte counted from 1. */
    public String part(SqlColumn column, long from, int bytes) {
        return "SUBSTRING(CAST(" + column.value() + " AS BINARY), " + from + ", " + bytes + ")";
    }

    /** Returns what ends a running query from another thread. */
    public JdbcAction canceller(Connection connection, Statement statement) {
        return statement::cancel;
    }

    /** Prepares the connection for one query; gives what undoes it, or null. */
    public @Nullable JdbcAction prepare(Connection connection, SqlTemplate query)
            throws SQLException {
        return null;
    }

    /** Returns whether several transactions that see the same state begin under a lock of the tables. */
    public boolean locksToFreeze() {
        return false;
    }

    /** Begins transactions that see the same state of the database: one, where there is no way to more. */
    public void freeze(ViewTransactions view) throws SQLException {
        Connection _ = view.begin(Connection.TRANSACTION_SERIALIZABLE);
    }

    /** Returns the JDBC type of a result. */
    public int resultSetType(SqlQuery query) {
        return ResultSet.TYPE_FORWARD_ONLY;
    }

    /** Sets a session up for a single statement, as {@link #sent} has it; it gives what undoes that, or null. */
    public @Nullable JdbcAction prepareForOne(Connection connection, SqlQuery query)
            throws SQLException {
        return prepare(connection, query.template());
    }

    /** Returns the text of a statement, with what else the session is told by it. */
    public String sent(SqlQuery query) {
        return query.text();
    }

    /** Returns a statement whose rows come a few at a time. */
    public PreparedStatement statement(Connection connection, SqlQuery query) throws SQLException {
        PreparedStatement statement =
                connection.prepareStatement(
                        sent(query), resultSetType(query), ResultSet.CONCUR_READ_ONLY);
        try {
            setFetchSize(statement, query.template());
            int index = 1;
            for (Object value : query.values()) {
                statement.setObject(index++, value);
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /**
     * Looks at a result before its first row is read.
     *
     * @throws ResultTooLargeException if it was to be had at once and is not all there
     */
    public void require(ResultSet result, SqlQuery query) throws SQLException {}

    /** Makes the driver stream; about as many rows as fit a batch. */
    public void setFetchSize(Statement statement, SqlTemplate query) throws SQLException {
        statement.setFetchSize(query.rowsPerBatch());
    }

    /** Asks for the plan of a query. */
    public String explained(String select) {
        return "EXPLAIN " + select;
    }

    /**
     * Returns about how many rows the query has that was explained; −1 where the answer does not tell.
     *
     * @param plan the answer to {@code EXPLAIN}, before its first row
     */
    public long plannedRows(ResultSet plan) throws SQLException {
        return -1;
    }

    /** Returns a SELECT of many rows of a few hundred bytes, for the check that the driver streams. */
    public abstract String probe(int rows);

    /** Returns what to do when the driver does not stream. */
    public abstract String streamingRemedy();

    /** Returns an identifier in quotes. */
    public String quote(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** Returns a table in a FROM clause, under the name {@code t}. */
    public final String table(@Nullable String schema, String table) {
        return qualified(schema, table) + " t";
    }

    /** Returns the whole name of a table, in quotes. */
    protected final String qualified(@Nullable String schema, String table) {
        return schema == null ? quote(table) : quote(schema) + '.' + quote(table);
    }

    /** Returns a column of the table, which can't be taken for a column of the answer. */
    public final String column(String name) {
        return "t." + quote(name);
    }
}
