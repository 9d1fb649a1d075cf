package dev.penstock.bench.follow;

import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.databases.TestDatabase;
import dev.penstock.films.store.FilmStore;
import java.sql.Connection;

/** The answers of films in memory, and their age, where a thousand of them change a second. */
public final class FollowExperiment extends Experiment {
    private static final long FILMS = 5_000_000;

    /** The experiment. */
    public FollowExperiment() {
        super("follow", "five million films that follow their database; about 5 minutes");
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        TestDatabase.Kind kind = trial.databases(TestDatabase.Kind.POSTGRESQL).getFirst();
        long films = trial.scaled(FILMS, 10_000);
        trial.steps(3 + 3L * trial.repetitions());
        Outcome outcome = new Outcome(name(), "Films in memory that follow their database");
        outcome.text(
                """
                %s films in memory, loaded from %s, follow its log, while a hundred transactions a second change
                %d films each, of which one is always the same and the others are drawn: another length, which has a
                declared index, and another time of the change. In the same process %d threads ask for a film by its
                key, for three keys, for counts by rating and minutes, for the longest of a rating, for a page behind a
                key, and for averages of ratings, in turns of equal work at fixed times, so often that they use half of
                the processors while nothing changes, as is set before each repetition. Tables, indexes and what
                nobody can reach any more may take 200 bytes a film. Database and changes run on the same
                processors: the same changes without refreshes show what they cost by themselves. A minute of
                changes comes before what is measured, for the JVM compiles meanwhile what refreshes do.
                """
                        .formatted(
                                Figures.number(films),
                                Trial.label(kind),
                                FilmChanges.FILMS,
                                Readers.THREADS));
        try (TestDatabase database = TestDatabase.createLogged(kind)) {
            trial.doing("making " + Figures.number(films) + " films");
            try (Connection connection = database.connect()) {
                FilmStore.of(films / 1000.0).only("film").create(connection);
            }
            if (kind == TestDatabase.Kind.POSTGRESQL) {
                database.execute("VACUUM ANALYZE film");
            }
            trial.step();
            new FollowRun(database, films, trial).measure(outcome);
        }
        return outcome;
    }
}
