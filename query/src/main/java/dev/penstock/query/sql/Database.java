package dev.penstock.query.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Explanation;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.query.sql.dialect.GenericDialect;
import dev.penstock.query.sql.dialect.H2Dialect;
import dev.penstock.query.sql.dialect.MariaDbDialect;
import dev.penstock.query.sql.dialect.MySqlDialect;
import dev.penstock.query.sql.dialect.PostgreSqlDialect;
import dev.penstock.query.sql.read.ByteBudget;
import dev.penstock.query.sql.read.ConnectionSource;
import dev.penstock.query.sql.read.CursorFactory;
import dev.penstock.query.sql.read.LeakedCursor;
import dev.penstock.query.sql.read.Session;
import dev.penstock.query.sql.read.SmallResultCursor;
import dev.penstock.query.sql.read.WideCells;
import dev.penstock.query.sql.render.PredicateRelaxation;
import dev.penstock.query.sql.render.PreparedPlan;
import dev.penstock.query.sql.render.QueryPath;
import dev.penstock.query.sql.render.StatementCache;
import dev.penstock.query.sql.schema.MariaDbExactText;
import dev.penstock.query.sql.schema.ReferenceReader;
import dev.penstock.query.sql.statement.Capability;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.DriverMessage;
import dev.penstock.query.sql.statement.SqlQuery;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.SqlTemplate;
import dev.penstock.query.sql.statement.UnsupportedPlanException;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Entity;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database whose dialect was recognised and whose schema was read. Thread-safe. It owns no connection: each cursor
 * takes one from the {@link DataSource} at its first row and gives it back when it is closed or at its end. A row with
 * a cell of more than some ten kilobytes takes a second one for a moment.
 */
public final class Database implements Engine {
    private static final System.Logger LOG = System.getLogger("dev.penstock.query.sql");

    private final ConnectionSource connections;
    private final ConnectionSource wideCellConnections;
    private final Dialect dialect;
    private final ByteBudget wideRows;
    private final Schema schema;
    private final Map<String, SqlTable> tables = new LinkedHashMap<>();
    private final StatementCache statements;
    private final int orderedBytes;
    private final String fingerprint;

    /** What {@link #refusal} was last asked about, since that is usually opened next. */
    private volatile @Nullable PreparedPlan accepted;

    private Database(Builder builder) {
        connections = ConnectionSource.of(builder.source, builder.evictor);
        wideCellConnections =
                builder.wideCellSource == null
                        ? connections
                        : ConnectionSource.of(builder.wideCellSource, null);
        wideRows =
                builder.wideRowBudgetBytes == 0
                        ? ByteBudget.WIDE_CELLS
                        : new ByteBudget(builder.wideRowBudgetBytes, Duration.ofSeconds(30));
        Connection connection = connections.take();
        String driver;
        boolean done = false;
        try {
            DatabaseMetaData metadata = connection.getMetaData();
            driver = metadata.getDriverName() + " " + metadata.getDriverVersion();
            dialect = recognise(connection, metadata);
            orderedBytes = dialect.orderedBytes(connection);
            fingerprint = fingerprint(connection, metadata);
            for (SqlTable table : dialect.readTables(connection, builder.schema)) {
                tables.put(table.table().name(), table);
            }
            List<Table> shown = tables.values().stream().map(SqlTable::table).toList();
            schema =
                    new Schema(
                            shown,
                            dialect.has(Capability.FOLDS_TO_UPPER_CASE),
                            ReferenceReader.read(connection, dialect.references(), shown));
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            done = true;
        } catch (SQLException e) {
            throw new QueryException(
                    QueryException.Kind.DATABASE,
                    "reading the schema failed: " + DriverMessage.of(e),
                    e);
        } finally {
            connections.giveBackQuietly(connection, !done);
        }
        statements = new StatementCache(tables, paths(dialect));
        new StreamingProbe(connections, dialect, driver).check();
    }

    private Database(Database known, ConnectionSource connections, ConnectionSource forWideCells) {
        this.connections = connections;
        wideCellConnections = forWideCells;
        dialect = known.dialect;
        wideRows = known.wideRows;
        schema = known.schema;
        tables.putAll(known.tables);
        statements = known.statements;
        orderedBytes = known.orderedBytes;
        fingerprint = known.fingerprint;
    }

    /**
     * Returns a digest of the product, the address without parameters, among which there may be a password, the
     * database's own name, and the user, who may see other rows than others.
     */
    private static String fingerprint(Connection connection, DatabaseMetaData metadata)
            throws SQLException {
        String url = Objects.requireNonNullElse(metadata.getURL(), "");
        String user = Objects.requireNonNullElse(metadata.getUserName(), "");
        if (url.startsWith("jdbc:mysql:")) {
            // Its driver adds the host of the client, which may be another after a restart.
            user = user.replaceFirst("@[^@]*$", "");
        }
        String all =
                String.join(
                        "\n",
                        metadata.getDatabaseProductName(),
                        url.split("[?;]", 2)[0],
                        Objects.requireNonNullElse(connection.getCatalog(), ""),
                        user);
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(all.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static Map<QueryPath, Dialect> paths(Dialect dialect) {
        Map<QueryPath, Dialect> paths = new EnumMap<>(QueryPath.class);
        paths.put(QueryPath.STREAMING, dialect);
        Dialect small = dialect.small();
        if (small != null) {
            paths.put(QueryPath.AT_ONCE, small);
        }
        Dialect many = dialect.many();
        if (many != null) {
            paths.put(QueryPath.MANY_VALUES, many);
        }
        return paths;
    }

    /**
     * Returns the same database over connections of another source, such as a second pool, so that one kind of query
     * can't take those of the other. Nothing is read again; the budget for wide cells is shared, and their connections
     * where they have a source of their own.
     *
     * @param source connects to the same database with the same driver
     * @param evictor how the source is told not to use a connection again; null for {@link Builder#evictor}'s default
     */
    public Database over(DataSource source, @Nullable Consumer<Connection> evictor) {
        ConnectionSource others = ConnectionSource.of(requireNonNull(source), evictor);
        boolean shared = wideCellConnections.equals(connections);
        return new Database(this, others, shared ? others : wideCellConnections);
    }

    /**
     * Returns the database as it is now, for as long as the view is open. It holds connections: up to one more than are
     * wanted, and of MariaDB and MySQL another one while it begins.
     *
     * @param wanted how many queries shall run at once, at least 1; there may be fewer, see {@link ConsistentView}
     * @param tables what will be read
     * @throws QueryException if the connections are not to be had, or the transactions can't begin
     */
    public ConsistentView view(int wanted, List<Table> tables) {
        if (wanted < 1) {
            throw new IllegalArgumentException("a view of " + wanted + " connections");
        }
        List<SqlTable> known =
                tables.stream()
                        .map(table -> requireNonNull(this.tables.get(table.name()), table.name()))
                        .toList();
        return opened(wanted, known);
    }

    /**
     * Returns the database as it is now likewise, for one query after the other, without a lock of any table: whoever
     * writes does not wait. Where several transactions would need one, on MariaDB and MySQL, wide cells are read
     * outside of the view.
     *
     * @throws QueryException if the connections are not to be had, or the transactions can't begin
     */
    public ConsistentView view() {
        return opened(dialect.locksToFreeze() ? 0 : 1, List.of());
    }

    private ConsistentView opened(int wanted, List<SqlTable> tables) {
        return ConsistentView.open(
                connections,
                dialect,
                wanted,
                tables,
                (pool, wide) ->
                        new Database(this, pool, wide == null ? wideCellConnections : wide));
    }

    /** Connects with the connection's own schema and the settings' defaults. */
    public static Database connect(DataSource source) {
        return builder(source).connect();
    }

    /**
     * Reads the schema of that name, or of the connection where it is null, and checks that the driver streams.
     *
     * @throws QueryException if the database can't be reached, or its driver would buffer whole results
     */
    public static Database connect(DataSource source, @Nullable String schema) {
        return builder(source).schema(schema).connect();
    }

    /**
     * Settings of a database. The defaults: the connection's own schema; wide rows share half of the largest heap
     * (below 256 MiB less, down to a quarter) with those of all other databases of this process.
     */
    public static Builder builder(DataSource source) {
        return new Builder(source);
    }

    private static Dialect recognise(Connection connection, DatabaseMetaData metadata)
            throws SQLException {
        String product = metadata.getDatabaseProductName().toLowerCase(Locale.ROOT);
        boolean mySqlDriver = metadata.getDriverName().toLowerCase(Locale.ROOT).contains("mysql");
        return switch (product) {
            case "postgresql" ->
                    new PostgreSqlDialect(
                            copies(connection)
                                    ? PostgreSqlDialect.Path.COPY
                                    : PostgreSqlDialect.Path.PORTAL);
            case "mariadb", "mysql" -> {
                String collation = MariaDbDialect.exactCollation(connection);
                yield mySqlDriver
                        ? new MySqlDialect(collation)
                        : new MariaDbDialect(
                                new MariaDbExactText(
                                        collation, MariaDbDialect.spellsDays(metadata)));
            }
            case "h2" -> new H2Dialect(isEmbedded(metadata.getURL()));
            default -> {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0} is not among the databases that are tested; texts compare as it has them",
                        metadata.getDatabaseProductName());
                yield new GenericDialect(metadata);
            }
        };
    }

    private static boolean copies(Connection connection) throws SQLException {
        try {
            return connection.isWrapperFor(org.postgresql.PGConnection.class);
        } catch (NoClassDefFoundError e) {
            return false;
        }
    }

    private static boolean isEmbedded(@Nullable String url) {
        return url != null && !url.startsWith("jdbc:h2:tcp:") && !url.startsWith("jdbc:h2:ssl:");
    }

    /** Returns the database's name, such as {@code PostgreSQL}. */
    @Override
    public String name() {
        return dialect.name();
    }

    /**
     * Returns what tells this database from others, in hexadecimal digits: a digest of its product, its address as the
     * driver has it without parameters, its name, and the user. Databases that stand at one address after each other
     * have the same.
     */
    public String fingerprint() {
        return fingerprint;
    }

    /** Returns the schema as it was read. */
    @Override
    public Schema schema() {
        return schema;
    }

    /**
     * Returns the table of that name: exactly, else ignoring case.
     *
     * @throws QueryException of kind {@code UNKNOWN_NAME} if there is none, or more than one
     */
    public Table table(String name) {
        return schema.table(name)
                .orElseThrow(() ->
                        new QueryException(
                                QueryException.Kind.UNKNOWN_NAME,
                                "there is no table or view \"" + name + "\""));
    }

    /**
     * The table of an entity, as a source of streams.
     *
     * @throws IllegalArgumentException if the schema does not fit the entity
     */
    public <R> TypedTable<R> table(Entity<R> entity) {
        return TypedTable.of(this, entity);
    }

    /**
     * Prepares a plan to run. The connection is taken and the query started by the first {@link Cursor#next}, and only
     * there; whoever calls this closes the cursor. A cursor that is dropped instead is closed some time after the
     * collector found it, and the log says where it was opened.
     *
     * @throws QueryException if the plan names what is not there, or compares a column with a value that does not fit
     *     it
     */
    @Override
    public Cursor open(Plan plan) {
        return open(plan, new LeakedCursor.Origin(plan.table().name()));
    }

    @Override
    public Cursor openScoped(Plan plan) {
        return open(plan, null);
    }

    private Cursor open(Plan plan, LeakedCursor.@Nullable Origin origin) {
        PreparedPlan prepared = prepared(plan);
        if (!statements.has(QueryPath.AT_ONCE) || !prepared.isShort()) {
            return streaming(prepared, origin);
        }
        SqlQuery whole = prepared.query(QueryPath.AT_ONCE);
        return whole.isSmall()
                ? cursor(QueryPath.AT_ONCE, whole, origin)
                : new SmallResultCursor(
                        whole,
                        ByteBudget.AT_ONCE,
                        () -> cursor(QueryPath.AT_ONCE, whole, origin),
                        () -> streaming(prepared, origin),
                        origin != null);
    }

    private PreparedPlan prepared(Plan plan) {
        PreparedPlan last = accepted;
        if (last != null && last.isOf(plan)) {
            accepted = null;
            return last;
        }
        return statements.prepare(plan);
    }

    private Cursor streaming(PreparedPlan prepared, LeakedCursor.@Nullable Origin origin) {
        QueryPath path =
                statements.has(QueryPath.MANY_VALUES) && prepared.values() > Dialect.MANY_VALUES
                        ? QueryPath.MANY_VALUES
                        : QueryPath.STREAMING;
        return cursor(path, prepared.query(path), origin);
    }

    private Cursor cursor(QueryPath path, SqlQuery query, LeakedCursor.@Nullable Origin origin) {
        Dialect reading = statements.dialect(path);
        WideCells wideCells =
                query.wide().isGuarded()
                        ? new WideCells(wideCellConnections, reading, query, wideRows)
                        : null;
        Session session = new Session(connections);
        Cursor cursor = CursorFactory.cursor(reading, session, query, wideCells);
        if (origin != null) {
            LeakedCursor.watch(cursor, session, wideCells, origin);
        }
        return cursor;
    }

    @Override
    public Optional<String> refusal(Plan plan) {
        try {
            accepted = prepared(plan);
            return Optional.empty();
        } catch (UnsupportedPlanException refusal) {
            return Optional.ofNullable(refusal.getMessage());
        }
    }

    @Override
    public boolean hasNativeOrder(Table table) {
        return true;
    }

    @Override
    public int orderedBytes() {
        return orderedBytes;
    }

    @Override
    public Predicate superset(Table table, Predicate predicate) {
        return new PredicateRelaxation(
                        leaf -> refusal(Plan.of(table).where(leaf).count()).isEmpty())
                .of(predicate);
    }

    @Override
    public OptionalLong estimate(Table table, Predicate filter) {
        if (!dialect.has(Capability.ESTIMATES_ROWS)) {
            return OptionalLong.empty();
        }
        Predicate asked =
                refusal(Plan.of(table).where(filter)).isEmpty() ? filter : superset(table, filter);
        SqlTable known = tables.get(table.name());
        if (known == null) {
            throw new QueryException(
                    QueryException.Kind.UNKNOWN_NAME,
                    "there is no table or view \"" + table.name() + "\"");
        }
        return new RowEstimate(connections, dialect, tables).rows(known, asked);
    }

    @Override
    public Explanation explain(Plan plan) {
        try {
            SqlTemplate template = statements.prepare(plan).template();
            List<String> notes = new ArrayList<>();
            if (template.window().skipsInCursor()) {
                notes.add(
                        "the rows to skip are read and left out: for an offset, %s would hold the whole answer"
                                .formatted(name()));
            }
            return Explanation.of(name(), plan, template.shown(), notes);
        } catch (UnsupportedPlanException refusal) {
            return Explanation.of(name(), plan, "", List.of("refused: " + refusal.getMessage()));
        }
    }

    /** The settings of a connection to a database; see {@link Database#builder}. Not thread-safe. */
    public static final class Builder {
        private final DataSource source;
        private @Nullable String schema;
        private @Nullable Consumer<Connection> evictor;
        private @Nullable DataSource wideCellSource;
        private long wideRowBudgetBytes;

        private Builder(DataSource source) {
            this.source = requireNonNull(source);
        }

        /** Returns the schema that is read; null for the connection's own. */
        public Builder schema(@Nullable String schema) {
            this.schema = schema;
            return this;
        }

        /**
         * Returns how a pool is told not to use a connection again. By default by its method {@code evictConnection},
         * which HikariCP's has, and by breaking the connection where there is none.
         */
        public Builder evictor(Consumer<Connection> evictor) {
            this.evictor = requireNonNull(evictor);
            return this;
        }

        /** Heap that the wide cells of all this database's cursors may take together, in bytes; at least 1024. */
        public Builder wideRowBudgetBytes(long bytes) {
            if (bytes < 1024) {
                throw new IllegalArgumentException(
                        "wideRowBudgetBytes " + bytes + " is below 1024");
            }
            this.wideRowBudgetBytes = bytes;
            return this;
        }

        /**
         * Returns where the second connections for wide cells come from; by default the same source. Where that is a
         * pool which cursors alone can empty, give a small one of its own here, so that no cursor waits in vain.
         */
        public Builder wideCellSource(DataSource source) {
            this.wideCellSource = requireNonNull(source);
            return this;
        }

        /**
         * Reads the schema and checks that the driver streams.
         *
         * @throws QueryException of kind {@code UNAVAILABLE} if the database can't be reached, of kind {@code
         *     NOT_STREAMING} if its driver would read whole results into memory
         */
        public Database connect() {
            return new Database(this);
        }
    }
}
