package dev.penstock.bench.sums;

import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.bench.server.TestTables;
import dev.penstock.databases.TestDatabase;
import org.duckdb.DuckDBConnection;

/** Sums and groups that look at a hundred million rows, by a snapshot and by DuckDB. */
public final class SumsExperiment extends Experiment {
    private static final long ROWS = 100_000_000;

    /** The experiment. */
    public SumsExperiment() {
        super(
                "sums",
                "sums and groups over a hundred million rows beside DuckDB; about 4 minutes, and 7 more once");
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        TestDatabase.Kind kind = trial.databases(TestDatabase.Kind.POSTGRESQL).getFirst();
        long rows = trial.scaled(ROWS, 2_000);
        int threads = Runtime.getRuntime().availableProcessors();
        trial.steps(3 + (long) SumsQuestion.values().length * 2 * (1 + trial.repetitions()));
        Outcome outcome = new Outcome(name(), "Sums and groups over many rows in memory");
        outcome.peer("DuckDB", DuckDBConnection.class);
        outcome.text(
                """
                %s readings of meters: a station, whose readings are spread over all of them, an hour, whose readings
                come 3,600 at a time, whole visits and a level in doubles. A snapshot has them from %s, DuckDB makes the
                same ones in memory, each in a JVM of its own; both answer one question at a time, by %d threads, the
                snapshot by parallel streams. The answers are compared. Both are asked for some seconds, and then
                measured in turns. Each question looks at all rows: there are no indexes beyond what each makes by
                itself, and none of these has an answer.
                """
                        .formatted(Figures.number(rows), Trial.label(kind), threads));
        trial.doing("making " + Figures.number(rows) + " readings in " + Trial.label(kind));
        try (TestDatabase database = database(kind, rows)) {
            trial.step();
            try (SumsRun run = new SumsRun(DatabaseAddress.of(database), rows, threads, trial)) {
                run.measure(outcome);
            }
        }
        return outcome;
    }

    private static TestDatabase database(TestDatabase.Kind kind, long rows) throws Exception {
        return TestTables.in(
                kind,
                "readings_" + rows,
                rows >= ROWS,
                database -> {
                    database.execute("DROP TABLE IF EXISTS reading");
                    database.execute(Reading.CREATE);
                    database.execute(Reading.fill(series(kind, rows)));
                    if (kind == TestDatabase.Kind.POSTGRESQL) {
                        database.execute("VACUUM ANALYZE reading");
                    }
                });
    }

    private static String series(TestDatabase.Kind kind, long rows) {
        String numbers =
                switch (kind) {
                    case POSTGRESQL -> "generate_series(1, CAST(%d AS BIGINT)) AS numbers (i)";
                    case MARIADB, MYSQL -> "(SELECT seq AS i FROM seq_1_to_%d) AS numbers";
                    case H2 -> "(SELECT X AS i FROM SYSTEM_RANGE(1, %d)) AS numbers";
                };
        return numbers.formatted(rows);
    }
}
