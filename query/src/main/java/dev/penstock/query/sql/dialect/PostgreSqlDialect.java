package dev.penstock.query.sql.dialect;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate;
import dev.penstock.query.sql.schema.PostgreSqlSchema;
import dev.penstock.query.sql.statement.Capability;
import dev.penstock.query.sql.statement.CaseVariants;
import dev.penstock.query.sql.statement.DecimalDigits;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.JdbcAction;
import dev.penstock.query.sql.statement.Literals;
import dev.penstock.query.sql.statement.PostgreSqlSettings;
import dev.penstock.query.sql.statement.ResultTooLargeException;
import dev.penstock.query.sql.statement.SqlBuilder;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlQuery;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.SqlTemplate;
import dev.penstock.query.sql.statement.UnsupportedPlanException;
import dev.penstock.query.sql.statement.ViewTransactions;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of PostgreSQL from version 12. Read through {@code COPY} where the driver is PostgreSQL's own and lets
 * itself be unwrapped, else through a portal. All values are bound as text and cast by the SQL.
 */
public final class PostgreSqlDialect extends Dialect {
    private static final String REFERENCES =
            """
            SELECT k.oid, c.relname, a.attname, t.relname, b.attname
            FROM pg_catalog.pg_constraint k
            JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_class t ON t.oid = k.confrelid AND t.relnamespace = c.relnamespace
            CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS part (own, target, position)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = part.own
            JOIN pg_catalog.pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = part.target
            WHERE k.contype = 'f' AND n.nspname = ?
            ORDER BY c.relname COLLATE "C", k.oid, part.position
            """;

    private static final String END = "\\Z";

    /** A way to read an answer. */
    public enum Path {
        /** By {@code COPY}. */
        COPY,
        /** A batch at a time, through a portal. */
        PORTAL,
        /** At once, by a prepared statement, without any setting of the session: a single round trip. */
        AT_ONCE
    }

    /** In the first line of a plan: {@code Seq Scan on film t  (cost=0.00..64.00 rows=1000 width=4)}. */
    private static final Pattern PLANNED_ROWS = Pattern.compile("rows=([0-9]{1,18}) ");

    private final Path path;

    public PostgreSqlDialect(Path path) {
        super(capabilities(path));
        this.path = path;
    }

    private static Set<Capability> capabilities(Path path) {
        Set<Capability> capabilities =
                EnumSet.of(
                        Capability.FILTERED_AGGREGATES,
                        Capability.NON_FINITE_NUMBERS,
                        Capability.TEXT_AS_BYTES,
                        Capability.ESTIMATES_ROWS,
                        Capability.NEEDS_NOT_EXISTS,
                        Capability.TESTED);
        if (path == Path.COPY) {
            capabilities.add(Capability.READS_BY_COPY);
        }
        return capabilities;
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public String references() {
        return REFERENCES;
    }

    @Override
    public List<SqlTable> readTables(Connection connection, @Nullable String schema)
            throws SQLException {
        return new PostgreSqlSchema(this).read(connection, schema);
    }

    @Override
    public String parameterMark(int index) {
        return path == Path.COPY ? "current_setting('penstock.p" + index + "')" : "?";
    }

    @Override
    public String answer(String value, ColumnType type, boolean withBinary) {
        return path == Path.COPY && withBinary && type != ColumnType.BINARY
                ? "(" + value + ")::text"
                : value;
    }

    /** Returns the value as the server spells it: the driver would spell what comes in binary in its own way. */
    @Override
    public String value(SqlColumn column) {
        String value = column.value();
        return path == Path.COPY
                ? value
                : switch (column.column().type()) {
                    case BOOLEAN, INT, LONG, FLOAT, DOUBLE, TEXT, BINARY -> value;
                    case DECIMAL, DATE, TIME, TIMESTAMP, UUID, JSON, OTHER ->
                            "(" + value + ")::text";
                    case TIMESTAMP_UTC -> "(" + value + " AT TIME ZONE 'UTC')::text";
                };
    }

    @Override
    public List<String> groups(SqlColumn column) {
        String tie = tie(column);
        return tie == null ? super.groups(column) : List.of(column.comparable(), tie);
    }

    @Override
    public @Nullable String tie(SqlColumn column) {
        return SqlColumn.isOfAnyScale(column.column())
                ? "scale(" + column.comparable() + ")"
                : null;
    }

    @Override
    public SqlColumn made(SqlColumn source, Column column) {
        String name = column(column.name());
        SqlColumn.Equality equality = source.equality();
        if (equality != null && equality.labels() != null) {
            return source.renamed(column, name);
        }
        if (column.type().isTextual()) {
            return SqlColumn.plain(column, name, "?::text", "octet_length(" + name + ")")
                    .withComparable(name + " COLLATE \"C\"", "?::text")
                    .withText(name);
        }
        return column.type() == ColumnType.DECIMAL
                ? SqlColumn.plain(column, name, "?::numeric", "")
                : super.made(source, column);
    }

    @Override
    public SqlColumn number(Column column, String name) {
        String parameter =
                switch (column.type()) {
                    case LONG -> "?::int8";
                    case DECIMAL -> "?::numeric";
                    default -> "?::float8";
                };
        return SqlColumn.plain(column, name, parameter, "");
    }

    @Override
    public Extreme extreme(SqlColumn column, boolean least) {
        return switch (column.column().type()) {
            case BOOLEAN ->
                    new Extreme(column.name(), least ? "bool_and(%s)%f" : "bool_or(%s)%f", "%s");
            case UUID -> new Extreme(column.name() + "::text COLLATE \"C\"", "", "(%s)::uuid");
            case BINARY ->
                    throw new UnsupportedPlanException(name() + " has no least or greatest bytea");
            default -> super.extreme(column, least);
        };
    }

    @Override
    public String negativeZeroLiteral(ColumnType type) {
        return type == ColumnType.FLOAT ? "'-0'::float4" : "'-0'::float8";
    }

    @Override
    public String sum(ColumnType type, int digits) {
        return switch (type) {
            // The cast fails where the sum is beyond 64 bits.
            case LONG -> "SUM(%s)%f::int8";
            // A sum of −0.0 alone is 0.0 in Java.
            case FLOAT, DOUBLE -> "(SUM((%s)::float8)%f + 0e0)";
            default -> "SUM(%s)%f";
        };
    }

    /** AVG also sums squares, which overflow long before the sum does. */
    @Override
    public String floatingAverage() {
        return "(SUM((%s)::float8)%f / COUNT(%s)%f + 0e0)";
    }

    @Override
    public String toDouble() {
        return "(%s)::float8";
    }

    @Override
    public String toLong() {
        return "(%s)::int8";
    }

    @Override
    public String toDecimal(ColumnType type, String databaseType) {
        return "(%s)::numeric";
    }

    @Override
    public String literal(ColumnType type, DecimalDigits digits) {
        return type == ColumnType.LONG ? "?::int8" : "?::numeric";
    }

    @Override
    public String count() {
        return "?::int8";
    }

    @Override
    public void text(
            SqlBuilder sql,
            SqlColumn column,
            Predicate.TextOperation operation,
            boolean ignoringCase,
            Literals.Binding value) {
        if (ignoringCase) {
            sql.add(column.text()).add(" COLLATE \"C\" ~ ");
            sql.bind("?::text", value, v -> CaseVariants.expression(operation, (String) v, END));
        } else {
            like(sql, column.text(), "?::text", operation, value);
        }
    }

    @Override
    public @Nullable Dialect small() {
        return path == Path.AT_ONCE ? null : new PostgreSqlDialect(Path.AT_ONCE);
    }

    /**
     * Returns the dialect of a portal, whose values are constants, and long lists of them hashed; the settings through
     * which COPY gets its values are looked up again for each row.
     */
    @Override
    public @Nullable Dialect many() {
        return path == Path.COPY ? new PostgreSqlDialect(Path.PORTAL) : null;
    }

    @Override
    public long plannedRows(ResultSet plan) throws SQLException {
        Matcher rows = PLANNED_ROWS.matcher(plan.next() ? plan.getString(1) : "");
        return rows.find() ? Long.parseLong(rows.group(1)) : -1;
    }

    /** Returns how many values a query may bind: the protocol counts them in 16 bits. */
    @Override
    public int maxValues() {
        return 65_535;
    }

    @Override
    public Object bindable(Object value) {
        return switch (value) {
            case BigDecimal decimal -> decimal.toPlainString();
            case byte[] bytes -> "\\x" + HexFormat.of().formatHex(bytes);
            case LocalDate date -> date(date);
            case LocalDateTime local -> timestamp(local);
            case Instant instant -> timestamp(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
            case LocalTime time -> time.toString();
            default -> value.toString();
        };
    }

    /** Returns what is bound for a text. An array may come as one of JSON, as it is shown there. */
    @Override
    public Object nativeValue(SqlColumn column, String text) {
        Object value = super.nativeValue(column, text);
        if (column.column().nativeType().element() == null || !text.startsWith("[")) {
            return value;
        }
        Object[] elements = JsonArray.parse(text);
        return elements == null ? value : array(elements);
    }

    private static String array(Object[] elements) {
        StringJoiner array = new StringJoiner(",", "{", "}");
        for (@Nullable Object element : elements) {
            array.add(
                    switch (element) {
                        case null -> "NULL";
                        case Object[] nested -> array(nested);
                        default ->
                                '"'
                                        + element.toString()
                                                .replace("\\", "\\\\")
                                                .replace("\"", "\\\"")
                                        + '"';
                    });
        }
        return array.toString();
    }

    private static String date(LocalDate date) {
        int year = date.getYear();
        return "%04d-%02d-%02d%s"
                .formatted(
                        year > 0 ? year : 1 - year,
                        date.getMonthValue(),
                        date.getDayOfMonth(),
                        year > 0 ? "" : " BC");
    }

    private static String timestamp(LocalDateTime local) {
        String date = date(local.toLocalDate());
        int space = date.indexOf(' ');
        String day = space < 0 ? date : date.substring(0, space);
        return day + ' ' + local.toLocalTime() + "+00" + (space < 0 ? "" : " BC");
    }

    @Override
    public @Nullable String negativeZero(SqlColumn column) {
        return switch (column.column().type()) {
            case FLOAT, DOUBLE -> "(" + column.name() + ")::text = '-0'";
            default -> null;
        };
    }

    /** A number is made an {@code oid} to be compared with one, which fails where it is too great, or negative. */
    @Override
    public boolean comparesExactly(SqlColumn one, SqlColumn other) {
        return one.parameter().endsWith("::oid") == other.parameter().endsWith("::oid");
    }

    @Override
    public int minYear() {
        return -4712;
    }

    @Override
    public int maxYear() {
        return 294_275;
    }

    @Override
    public int maxYearOfDates() {
        return 5_874_897;
    }

    @Override
    public void order(SqlBuilder sql, SqlColumn column, boolean descending, boolean nullsFirst) {
        sql.add(column.comparable()).add(descending ? " DESC" : "");
        if (column.column().nullable() && nullsFirst != descending) {
            sql.add(nullsFirst ? " NULLS FIRST" : " NULLS LAST");
        }
        orderZeros(sql, column, descending);
    }

    @Override
    public String exactLength(SqlColumn column) {
        return column.column().type() == ColumnType.BINARY
                ? "octet_length(" + column.name() + ")"
                : "octet_length(convert_to((" + column.name() + ")::text, 'UTF8'))";
    }

    @Override
    public String digest(SqlColumn column) {
        String bytes =
                column.column().type() == ColumnType.BINARY
                        ? column.name()
                        : "convert_to(" + whole(column) + ", 'UTF8')";
        return "encode(sha256(" + bytes + "), 'hex')";
    }

    /**
     * Returns how a wide value comes. The driver gives the one array that it has read a text into, and to find a part
     * of it the server would have to count characters from its beginning. Binary values come with two digits for each
     * byte.
     */
    @Override
    public WideValue wideValue(ColumnType type) {
        return type == ColumnType.BINARY ? WideValue.IN_PARTS : WideValue.AT_ONCE;
    }

    @Override
    public String part(SqlColumn column, long from, int bytes) {
        return "substr(" + whole(column) + ", " + from + ", " + bytes + ")";
    }

    @Override
    public String whole(SqlColumn column) {
        return column.column().type() == ColumnType.BINARY
                ? column.name()
                : "(" + column.name() + ")::text";
    }

    @Override
    public @Nullable JdbcAction prepare(Connection connection, SqlTemplate query)
            throws SQLException {
        if (path == Path.AT_ONCE) {
            return null;
        }
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(PostgreSqlSettings.SPELLING);
        }
        return () -> connection.setAutoCommit(autoCommit);
    }

    @Override
    public void freeze(ViewTransactions view) throws SQLException {
        int all = view.reserve(view.wanted());
        Connection first = view.begin(Connection.TRANSACTION_REPEATABLE_READ);
        String snapshot;
        try (Statement statement = first.createStatement();
                ResultSet exported = statement.executeQuery("SELECT pg_export_snapshot()")) {
            snapshot = exported.next() ? exported.getString(1) : "";
            boundLocks(statement);
        }
        for (int i = 1; i < all; i++) {
            Connection next = view.begin(Connection.TRANSACTION_REPEATABLE_READ);
            try (Statement statement = next.createStatement()) {
                statement.execute("SET TRANSACTION SNAPSHOT '" + snapshot.replace("'", "''") + "'");
                boundLocks(statement);
            }
        }
    }

    /**
     * Whoever wants a table for himself, such as by TRUNCATE, waits for the transactions that have read it; and those
     * that have not yet wait for him. Where both are of one view, that would never end, and the database can't know.
     */
    private static void boundLocks(Statement statement) throws SQLException {
        statement.execute(
                "SELECT set_config('lock_timeout', '10s', true) WHERE current_setting('lock_timeout') = '0'");
    }

    @Override
    public PreparedStatement statement(Connection connection, SqlQuery query) throws SQLException {
        PreparedStatement statement = super.statement(connection, query);
        if (path == Path.AT_ONCE && !query.isLimited()) {
            statement.setMaxRows(query.template().rowsAtOnce() + 1);
        }
        return statement;
    }

    @Override
    public void setFetchSize(Statement statement, SqlTemplate query) throws SQLException {
        statement.setFetchSize(path == Path.AT_ONCE ? 0 : Math.max(2, query.rowsPerBatch()));
    }

    /** Returns a type that can go back to the first row, which costs nothing: the driver holds all rows anyway. */
    @Override
    public int resultSetType(SqlQuery query) {
        return path == Path.AT_ONCE && !query.isLimited()
                ? ResultSet.TYPE_SCROLL_INSENSITIVE
                : ResultSet.TYPE_FORWARD_ONLY;
    }

    @Override
    public void require(ResultSet result, SqlQuery query) throws SQLException {
        if (path != Path.AT_ONCE || query.isLimited()) {
            return;
        }
        if (result.last() && result.getRow() > query.template().rowsAtOnce()) {
            throw new ResultTooLargeException();
        }
        result.beforeFirst();
    }

    @Override
    public String probe(int rows) {
        return "SELECT i, repeat('x', 200) FROM generate_series(1, " + rows + ") AS s(i)";
    }

    @Override
    public String streamingRemedy() {
        return "let the connection be unwrapped to org.postgresql.PGConnection, or leave preferQueryMode at"
                + " extended and pass setFetchSize and setAutoCommit on to the driver";
    }
}
