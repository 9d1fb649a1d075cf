package dev.penstock.bench.transfer.cell;

import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.transfer.load.DiskSpace;
import dev.penstock.bench.transfer.load.RawServer;
import dev.penstock.bench.transfer.load.TestFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The operations in chunks, many at once in one small heap. */
public final class ManyPart {
    private static final List<Integer> COUNTS = List.of(1, 16, 128);
    private static final int REQUIRED = 16;

    /** A trial has only the number that is required. */
    private static final double TRIAL = 0.1;

    /** Of 128 bodies in a short run, as they are all on the disk at once. */
    private static final long LESS_BYTES = 25_000_000;

    private static final int CHUNK = 64 * 1024;
    private static final String HEAP = "32m";
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int MOST_ROUNDS = 3;

    private final Trial trial;
    private final List<Integer> counts;
    private final List<Operation> operations;

    /** The part of a run. */
    public ManyPart(Trial trial) {
        this.trial = trial;
        boolean isTrial = trial.settings().scale() < TRIAL;
        counts = isTrial ? List.of(REQUIRED) : COUNTS;
        // Those that a trial of single bodies leaves out.
        operations =
                isTrial
                        ? List.of(
                                Operation.SERVER_READS,
                                Operation.SERVER_RETURNS,
                                Operation.CLIENT_SENDS)
                        : List.of(Operation.values());
    }

    /** Returns how many steps it has. */
    public int steps() {
        return operations.size() * counts.size();
    }

    /** Measures, in a directory for files. */
    public void measure(Outcome outcome, Path directory) throws IOException {
        Outcome.Table table =
                outcome.table(
                        "Many bodies at once, in chunks of 64 KiB, -Xmx" + HEAP,
                        "|at once|each, MB|MB/s|CPU (s/GB)|old generation, most (MB)|collections (ms/GB)|arrived");
        for (int count : counts) {
            boolean isLess = count > REQUIRED && !trial.full();
            long bytes = trial.scaled(isLess ? LESS_BYTES : CellsPart.BYTES, 1000);
            DiskSpace.require(directory, (count + 1) * bytes);
            TestFile file = TestFile.write(directory.resolve("file"), bytes, count);
            try (RawServer other = RawServer.start(file)) {
                CellUnderTest.Place place = new CellUnderTest.Place(file, directory, other, trial);
                measure(outcome, table, count, place);
            }
        }
    }

    private void measure(
            Outcome outcome, Outcome.Table table, int count, CellUnderTest.Place place) {
        int passed = 0;
        StringBuilder failures = new StringBuilder();
        for (Operation operation : operations) {
            trial.doing(operation + ", " + count + " at once");
            Seen seen = new Seen();
            try (CellUnderTest cell =
                    CellUnderTest.start(new Cell(operation, CHUNK), HEAP, place)) {
                int rounds = Math.min(MOST_ROUNDS, trial.repetitions());
                for (int i = 0; i <= rounds; i++) {
                    CellUnderTest.Round round = cell.run(count, LIMIT);
                    // The first one warms up.
                    seen.add(round, i == 0 ? 0 : count * (double) place.file().bytes());
                }
                passed++;
            } catch (IOException e) {
                failures.append("\n- ").append(e.getMessage());
            }
            seen.row(table, operation, count, place.file().bytes());
            trial.step();
        }
        if (count == REQUIRED) {
            outcome.finding(
                    "All four operations, 16 bodies of %s at once, in chunks of 64 KiB in a heap of %s"
                            .formatted(Figures.megabytes(place.file().bytes()), HEAP),
                    "%d of %d%s"
                            .formatted(
                                    passed,
                                    operations.size(),
                                    failures.toString().replace("\n-", ";")),
                    passed == operations.size());
        } else if (!failures.isEmpty()) {
            outcome.text("Not all passed with %d bodies at once:\n%s".formatted(count, failures));
        }
    }

    private static final class Seen {
        private final Samples rate = new Samples();
        private final Samples processor = new Samples();
        private final Samples old = new Samples();
        private final Samples collections = new Samples();

        void add(CellUnderTest.Round round, double bytes) {
            if (bytes > 0) {
                rate.add(bytes / 1e3 / round.milliseconds());
                processor.add(round.use().processorNanos() / bytes);
                old.add(round.use().oldBytes() / 1e6);
                collections.add(round.use().collectionMilliseconds() / (bytes / 1e9));
            }
        }

        void row(Outcome.Table table, Operation operation, int count, long bytes) {
            table.row(
                    operation.toString(),
                    Integer.toString(count),
                    bytes / 1e6,
                    rate,
                    processor,
                    old,
                    collections,
                    rate.isEmpty() ? "no" : "yes");
        }
    }
}
