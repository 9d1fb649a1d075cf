package dev.penstock.bench.films;

import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.server.TestTables;
import dev.penstock.databases.TestDatabase;
import dev.penstock.films.store.FilmStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** The time from a restart to the first answer, where the films come from a file instead of the database. */
public final class RestartExperiment extends Experiment {
    private static final long FILMS = 5_000_000;

    /** The experiment. */
    public RestartExperiment() {
        super("restart", "five million films from a file after a restart; about 5 minutes");
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        TestDatabase.Kind kind = trial.databases(TestDatabase.Kind.POSTGRESQL).getFirst();
        long films = trial.scaled(FILMS, 2_000);
        trial.steps(3 + 2L * trial.repetitions());
        Outcome outcome = new Outcome(name(), "Films in memory after a restart");
        outcome.text(
                """
                %s films in %s, loaded into memory, saved to a file, and started from there by JVMs that have just
                started and connected. "Cold" is a file of which the system has nothing in memory; every block of it is
                read for its checksum before anything is answered. Answers are measured of the films that were loaded,
                and of those that a process has mapped, after each question was asked for two seconds. Then %s
                films change, and a refresh reads what has changed.
                """
                        .formatted(
                                Figures.number(films),
                                Trial.label(kind),
                                Figures.number(RestartRun.CHANGED)));
        Path file = trial.log("restart").toAbsolutePath().resolveSibling("films.penstock");
        Files.createDirectories(file.getParent());
        Files.deleteIfExists(file);
        trial.doing("making " + films + " films in " + Trial.label(kind));
        try (TestDatabase database = database(kind, films)) {
            new RestartRun(database, films, file, trial).measure(outcome);
        } finally {
            Files.deleteIfExists(file);
        }
        return outcome;
    }

    private static TestDatabase database(TestDatabase.Kind kind, long films)
            throws SQLException, IOException {
        return TestTables.in(
                kind,
                "restart_" + films,
                films >= FILMS,
                database -> {
                    try (Connection connection = database.connect()) {
                        FilmStore.drop(connection);
                        FilmStore.of(films / 1000.0).only("film").create(connection);
                    }
                    // All others have the same, so that what has changed would be all of them.
                    database.execute(
                            "UPDATE film SET last_update = TIMESTAMP '2020-01-01 00:00:00' WHERE film_id = 1");
                    if (kind != TestDatabase.Kind.H2) {
                        FilmDatabase.analyse(database);
                    }
                });
    }
}
