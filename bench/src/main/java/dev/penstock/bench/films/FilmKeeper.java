package dev.penstock.bench.films;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import dev.penstock.films.store.FilmStore;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.snapshot.Snapshot;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Function;
import java.util.stream.Stream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * A loaded store of films, which is asked until its process ends.
 *
 * @param asks makes what a thread asks with; another one for each thread
 * @param offHeapBytes measures what the store takes in this process outside the JVM's heap
 * @param reload loads a new version beside the old one, which goes
 */
record FilmKeeper(Asks asks, Bytes offHeapBytes, Runnable reload) {
    /** For the snapshot to load by. */
    private static final int CONNECTIONS = 4;

    /** The making of what a thread asks with. */
    interface Asks {
        FilmAsks make() throws Exception;
    }

    /** A measurement of memory. */
    interface Bytes {
        long measure() throws Exception;
    }

    /** The stores that are compared, in the order in which they are shown. */
    enum Kind {
        PENSTOCK("Penstock", 100, 300),
        MARIADB("MariaDB", 0, 0),
        POSTGRESQL("PostgreSQL", 0, 0),
        H2("H2", 1500, 0),
        DUCKDB("DuckDB", 0, 300),
        LIST("List", 700, 0),
        CQENGINE("CQEngine", 2800, 0);

        /** A heap without films. */
        private static final long EMPTY_MEGABYTES = 256;

        private final String label;
        private final long heapBytesPerFilm;
        private final long outsideBytesPerFilm;

        Kind(String label, long heapBytesPerFilm, long outsideBytesPerFilm) {
            this.label = label;
            this.heapBytesPerFilm = heapBytesPerFilm;
            this.outsideBytesPerFilm = outsideBytesPerFilm;
        }

        /** Returns whether it is a database's server, which others' films come from as well. */
        boolean isServer() {
            return this == MARIADB || this == POSTGRESQL;
        }

        /** Returns how large its heap is to be. */
        long heapMegabytes(long films) {
            return EMPTY_MEGABYTES + heapBytesPerFilm * films / 1_000_000;
        }

        /** Returns what the process takes in all, about. */
        long megabytes(long films) {
            return heapMegabytes(films) + outsideBytesPerFilm * films / 1_000_000;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    private static FilmKeeper onHeap(Asks asks) {
        return new FilmKeeper(asks, () -> 0, FilmKeeper::refuseReload);
    }

    private static void refuseReload() {
        throw new UnsupportedOperationException("only Penstock's films are loaded again");
    }

    /** Loads so many films from a database, or, if it is the database's, asks there. */
    static FilmKeeper load(Kind kind, DatabaseAddress source, long films, int threads)
            throws SQLException {
        int key = (int) (films / 2);
        return switch (kind) {
            case PENSTOCK -> {
                HikariDataSource pool = source.pool(CONNECTIONS);
                Snapshot snapshot = Snapshot.load(DatabaseAddress.engine(pool), Film.TABLE);
                yield new FilmKeeper(
                        () -> new StreamFilms(snapshot.table(Film.TABLE), key),
                        snapshot::memoryUsed,
                        snapshot::refresh);
            }
            case MARIADB, POSTGRESQL -> {
                TypedTable<Film> table = table(source.pool(threads));
                yield onHeap(() -> new StreamFilms(table, key));
            }
            case H2 -> h2(films, key);
            case DUCKDB -> duckDb(source, key);
            case LIST -> {
                FilmAsks list =
                        read(
                                source,
                                table ->
                                        new ListFilms(
                                                table.stream().sorted(Film.FILM_ID).toList()));
                yield onHeap(() -> list);
            }
            case CQENGINE -> {
                FilmAsks indexed = read(source, table -> new CqEngineFilms(table.stream()));
                yield onHeap(() -> indexed);
            }
        };
    }

    private static TypedTable<Film> table(HikariDataSource pool) {
        return TypedTable.of(DatabaseAddress.engine(pool), Film.TABLE);
    }

    private static FilmAsks read(
            DatabaseAddress source, Function<TypedTable<Film>, FilmAsks> reader) {
        try (HikariDataSource pool = source.pool(1)) {
            return reader.apply(table(pool));
        }
    }

    /**
     * H2's table is that of every film store, with its indexes and those that the questions ask for. A statement that
     * is executed again with the same values would give what it gave last, which would not be an answer.
     */
    private static FilmKeeper h2(long films, int key) throws SQLException {
        String url = "jdbc:h2:mem:films;DB_CLOSE_DELAY=-1;OPTIMIZE_REUSE_RESULTS=FALSE";
        try (Connection connection = DriverManager.getConnection(url)) {
            FilmStore.of(films / 1000.0).only("film").create(connection);
            FilmDatabase.index(connection);
        }
        return onHeap(() -> SqlFilms.on(DriverManager.getConnection(url), key));
    }

    /** DuckDB's way to answer is the scan; beside the key it has no index. */
    private static FilmKeeper duckDb(DatabaseAddress source, int key) throws SQLException {
        DuckDBConnection connection =
                DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
        execute(connection, "CREATE TYPE mpaa_rating AS ENUM ('G', 'PG', 'PG-13', 'R', 'NC-17')");
        execute(
                connection,
                """
                CREATE TABLE film (film_id INTEGER PRIMARY KEY, title VARCHAR NOT NULL, description VARCHAR,
                    release_year SMALLINT, language_id INTEGER NOT NULL, original_language_id INTEGER,
                    rental_duration SMALLINT NOT NULL, rental_rate DECIMAL(4, 2) NOT NULL, length SMALLINT,
                    replacement_cost DECIMAL(5, 2) NOT NULL,
                    rating mpaa_rating, special_features VARCHAR, last_update TIMESTAMP NOT NULL)
                """);
        try (HikariDataSource pool = source.pool(1);
                DuckDBAppender appender = connection.createAppender("film");
                Stream<Film> films = table(pool).stream()) {
            for (Film film : (Iterable<Film>) films::iterator) {
                append(film, appender);
            }
        }
        return new FilmKeeper(
                () -> SqlFilms.on(connection.duplicate(), key),
                () -> duckDbBytes(connection),
                FilmKeeper::refuseReload);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long duckDbBytes(Connection connection) throws SQLException {
        String sql = "SELECT CAST(SUM(memory_usage_bytes) AS BIGINT) FROM duckdb_memory()";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void append(Film film, DuckDBAppender appender) throws SQLException {
        appender.beginRow();
        appender.append(film.filmId()).append(film.title()).append(film.description());
        appender.append(narrow(film.releaseYear()));
        appender.append(film.languageId()).append(film.originalLanguageId());
        appender.append((short) film.rentalDuration());
        appender.append(film.rentalRate()).append(narrow(film.length()));
        appender.append(film.replacementCost());
        Rating rating = film.rating();
        appender.append(rating == null ? null : rating.text());
        appender.append(film.specialFeatures()).append(film.lastUpdate());
        appender.endRow();
    }

    private static @Nullable Short narrow(@Nullable Integer number) {
        return number == null ? null : number.shortValue();
    }
}
