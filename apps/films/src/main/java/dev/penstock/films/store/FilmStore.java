package dev.penstock.films.store;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A film store's tables, made and filled: sixteen of them, with five views, after the Sakila sample schema, on
 * PostgreSQL, MariaDB, MySQL and H2. The rows are made up, the same ones for the same scale and seed.
 *
 * <pre>{@code
 * try (Connection connection = source.getConnection()) {
 *     FilmStore.of(1).create(connection);
 * }
 * }</pre>
 *
 * <p>Scale 1 has 1,000 films, 16,044 rentals and about 49,000 rows in all; other scales are in proportion. At scale 1,
 * the films 1 to 3 are ACADEMY DINOSAUR (86 minutes), ACE GOLDFINGER (48) and ADAPTATION HOLES (50), 896 films are
 * longer than an hour, and 223 are rated PG-13.
 *
 * <p>Immutable. Memory: one batch of rows, whatever the scale.
 */
public final class FilmStore {
    /** The seed unless another one is given. */
    public static final long SEED = 1;

    private static final List<String> VIEWS =
            List.of(
                    "film_list",
                    "customer_list",
                    "staff_list",
                    "sales_by_film_category",
                    "sales_by_store");

    private static final int REPORT_EVERY = 2000;

    /** Before the name of each table that a statement speaks of. */
    private static final Pattern MENTION =
            Pattern.compile("\\b(?:TABLE|ON|REFERENCES|FROM|JOIN) (\\w+)");

    private final List<StoreTable> tables;

    private FilmStore(List<StoreTable> tables) {
        this.tables = tables;
    }

    /** Is told how far the filling is. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Called from time to time, by the filling thread.
         *
         * @param doing what is being done, in a word or two
         * @param rows how many rows are on their way to the database
         * @param of how many there will be
         */
        void at(String doing, long rows, long of);
    }

    /** A store of that scale, with the usual seed. */
    public static FilmStore of(double scale) {
        return of(scale, SEED);
    }

    /**
     * A store of that scale and seed.
     *
     * @param scale 1 for 1,000 films; more than 0, at most 100,000
     */
    public static FilmStore of(double scale, long seed) {
        Counts counts = Counts.of(scale);
        FilmTables films = new FilmTables(counts, seed);
        return new FilmStore(
                Stream.of(
                                films.tables(),
                                new PlaceTables(counts, seed).tables(),
                                new TradeTables(counts, seed, films).tables())
                        .flatMap(List::stream)
                        .toList());
    }

    /**
     * Of this store some tables only, with the same rows, their indexes, and the keys and views that need no other
     * table.
     *
     * @param names such as {@code film}
     * @throws IllegalArgumentException if this store has no such table
     */
    public FilmStore only(String... names) {
        List<StoreTable> chosen = new ArrayList<>(tables);
        chosen.removeIf(table -> !List.of(names).contains(table.name()));
        if (chosen.size() != names.length) {
            throw new IllegalArgumentException(
                    "a film store with only "
                            + List.of(names)
                            + ": each must be one of "
                            + tables.stream().map(StoreTable::name).toList()
                            + ", once");
        }
        return new FilmStore(List.copyOf(chosen));
    }

    /** How many rows its tables have together. */
    public long rows() {
        return tables.stream().mapToLong(StoreTable::rows).sum();
    }

    /** Creates and fills the tables in the connection's schema. */
    public void create(Connection connection) throws SQLException {
        create(connection, (_, _, _) -> {});
    }

    /**
     * Creates and fills the tables in the connection's schema. If that fails, whatever was made is dropped again.
     *
     * @param connection left open; with PostgreSQL, its driver's own or one that can be unwrapped to it
     * @throws SQLException if the database refuses, or one of the tables or views is there already
     */
    public void create(Connection connection, Progress progress) throws SQLException {
        requireNonNull(progress);
        Dialect dialect = Dialect.of(connection);
        List<String> present = present(connection);
        if (!present.isEmpty()) {
            throw new SQLException(
                    "there is a table or view "
                            + String.join(", ", present)
                            + " already: choose an empty schema, or drop the old film store first");
        }
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try {
            make(connection, dialect, progress);
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            undo(connection, dialect, e);
            throw e;
        } finally {
            connection.setAutoCommit(autoCommit);
        }
    }

    private void make(Connection connection, Dialect dialect, Progress progress)
            throws SQLException {
        for (String sql : statements(dialect, "tables.sql", connection)) {
            Dialect.execute(connection, sql);
        }
        dialect.checkKeys(connection, false);
        long done = 0;
        for (StoreTable table : tables) {
            fill(connection, dialect, table, done, progress);
            done += table.rows();
        }
        for (String sql : statements(dialect, "keys.sql", connection)) {
            progress.at("making keys and indexes", done, done);
            Dialect.execute(connection, sql);
        }
        dialect.checkKeys(connection, true);
        dialect.analyse(connection, tables.stream().map(StoreTable::name).toList());
    }

    /** The statements of a resource that speak of these tables alone. */
    private List<String> statements(Dialect dialect, String resource, Connection connection)
            throws SQLException {
        Set<String> names =
                tables.stream().map(StoreTable::name).collect(Collectors.toUnmodifiableSet());
        return dialect.statements(resource, connection).stream()
                .filter(sql ->
                        MENTION.matcher(sql)
                                .results()
                                .allMatch(mention -> names.contains(mention.group(1))))
                .toList();
    }

    private void fill(
            Connection connection,
            Dialect dialect,
            StoreTable table,
            long before,
            Progress progress)
            throws SQLException {
        long of = rows();
        try (RowSink sink = dialect.sink(connection, table)) {
            for (long unit = 1; unit <= table.units(); unit++) {
                if (unit % REPORT_EVERY == 1) {
                    long rows = before + table.rows() * (unit - 1) / table.units();
                    progress.at("filling " + table.name(), rows, of);
                }
                table.filler().write(unit, sink);
            }
            sink.finish();
        }
        if (table.hasIdentity()) {
            dialect.countOn(connection, table);
        }
    }

    private static void undo(Connection connection, Dialect dialect, Exception failure) {
        try {
            connection.rollback();
            drop(connection, dialect);
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    /** Drops the tables and views of a film store from the connection's schema, those that are there. */
    public static void drop(Connection connection) throws SQLException {
        drop(connection, Dialect.of(connection));
    }

    private static void drop(Connection connection, Dialect dialect) throws SQLException {
        List<String> names = of(1).tables.stream().map(StoreTable::name).toList();
        dialect.drop(connection, VIEWS, names);
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
    }

    /** Which of the store's names are taken in the connection's schema. */
    private List<String> present(Connection connection) throws SQLException {
        Set<String> ours =
                Set.copyOf(
                        Stream.concat(tables.stream().map(StoreTable::name), VIEWS.stream())
                                .toList());
        List<String> present = new ArrayList<>();
        try (ResultSet row =
                connection
                        .getMetaData()
                        .getTables(connection.getCatalog(), connection.getSchema(), "%", null)) {
            while (row.next()) {
                String name = row.getString("TABLE_NAME").toLowerCase(Locale.ROOT);
                String type = row.getString("TABLE_TYPE");
                if (ours.contains(name) && (type.contains("TABLE") || type.contains("VIEW"))) {
                    present.add(name);
                }
            }
        }
        return present;
    }
}
