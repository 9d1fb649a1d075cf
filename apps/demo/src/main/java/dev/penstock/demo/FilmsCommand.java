package dev.penstock.demo;

import dev.penstock.films.store.FilmStore;
import dev.penstock.server.config.DatabaseOptions;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.PenstockVersion;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.database.ConnectionFailure;
import dev.penstock.server.database.DriverDataSource;
import dev.penstock.server.log.FirstSentence;
import dev.penstock.server.log.ProgressBar;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code penstock films}: the film store in a database of the user's. */
@Command(
        name = "films",
        description =
                "Makes a film store in a database: the sixteen tables of the Sakila schema with made-up rows,"
                        + " the same ones for the same scale and seed.",
        mixinStandardHelpOptions = true,
        versionProvider = PenstockVersion.class,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  penstock films --jdbc jdbc:postgresql://localhost/store --user me --scale 10",
            "  penstock films --jdbc 'jdbc:h2:./store;IFEXISTS=FALSE' --user sa"
        })
final class FilmsCommand implements Callable<Integer> {
    @Mixin private DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--scale",
            paramLabel = "F",
            description =
                    "How large: 1 has 1,000 films and about 49,000 rows in all. Default: ${DEFAULT-VALUE}.")
    private double scale = 1;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Another seed gives other rows. Default: ${DEFAULT-VALUE}.")
    private long seed = FilmStore.SEED;

    @Option(
            names = "--replace",
            description = "Drops the tables and views of a film store that are there first.")
    private boolean replace;

    @Override
    public Integer call() {
        FilmStore store = store();
        JdbcTarget target = database.target();
        DriverDataSource source = new DriverDataSource(target.driver(), target);
        try (Connection connection = source.getConnection()) {
            fill(store, connection);
        } catch (SQLException e) {
            throw ConnectionFailure.of(e, target);
        }
        return 0;
    }

    private FilmStore store() {
        try {
            return FilmStore.of(scale, seed);
        } catch (IllegalArgumentException e) {
            throw new StartupException("--scale " + scale + ": " + e.getMessage(), e);
        }
    }

    private void fill(FilmStore store, Connection connection) {
        long start = System.nanoTime();
        ProgressBar progress = ProgressBar.onStandardError();
        try {
            if (replace) {
                FilmStore.drop(connection);
            }
            store.create(
                    connection, (doing, rows, of) -> progress.show(doing, (int) (100 * rows / of)));
        } catch (SQLException e) {
            throw new StartupException(
                    "can't make the film store ("
                            + FirstSentence.one(e.getMessage())
                            + "): name a database that the user may create tables in, or --replace the old store",
                    e);
        } finally {
            progress.end();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "The film store is there: %,d rows in %.1f s, %,.0f rows/s.%n",
                store.rows(),
                seconds,
                store.rows() / seconds);
    }
}
