package dev.penstock.bench.upload;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/** The memory that many large uploads take at once, by forms with files (multipart/form-data). */
public final class UploadsExperiment extends Experiment {
    private static final int UPLOADS = 100;
    private static final long BYTES = 100_000_000;

    /** What a form has besides its file. */
    private static final long MORE = 10_000;

    private static final Duration COLLECT = Duration.ofMillis(500);

    /** The experiment. */
    public UploadsExperiment() {
        super(
                "uploads",
                "100 uploads of 100 MB at once, by forms, at 64 MB: heap; needs 10 GB of disk; some minutes");
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        String heap = trial.heap("64m");
        int uploads = (int) trial.scaled(UPLOADS, 2);
        long bytes = trial.scaled(BYTES, 100_000);
        trial.steps(trial.repetitions());
        Outcome outcome =
                new Outcome(
                        name(),
                        "%d uploads of %s at once, heap %s"
                                .formatted(uploads, Figures.megabytes(bytes), heap));
        outcome.text(
                """
                Each client sends a form with one file, and the server, in a JVM of its own, writes the files part by
                part as they come. Its heap is collected fully every %d ms meanwhile, so that the time is that of a
                server that is disturbed. Afterwards each file is compared with what was sent.
                """
                        .formatted(COLLECT.toMillis()));
        Outcome.Table table =
                outcome.table(
                        "Uploads",
                        "|seconds|MB/s|live heap, most (MB)|resident, most (MB)|whole files");
        Path folder =
                Files.createTempDirectory(
                        Files.createDirectories(trial.settings().out()), "uploads");
        try {
            measure(trial, outcome, table, new Run(heap, uploads, bytes, folder.toString()));
        } finally {
            delete(folder);
        }
        return outcome;
    }

    /** Deletes a directory with the files in it: those of a run that failed are still there. */
    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /**
     * The settings of one measurement.
     *
     * @param folder where the files go
     */
    private record Run(String heap, int uploads, long bytes, String folder) {
        Child<UploadServer> start(Path log) throws IOException {
            String target = folder;
            long most = bytes + MORE;
            return Child.start(
                    "upload-server", heap, log, () -> new UploadServer(Path.of(target), most));
        }
    }

    private static void measure(Trial trial, Outcome outcome, Outcome.Table table, Run run)
            throws IOException, InterruptedException {
        Outcome.Chart chart =
                outcome.chart("Live heap after full collections, during uploads", "seconds", "MB");
        Samples seconds = new Samples();
        Samples speed = new Samples();
        Samples live = new Samples();
        Samples resident = new Samples();
        int failed = 0;
        UploadClients clients = new UploadClients(run.uploads(), run.bytes());
        for (int i = 0; i < trial.repetitions(); i++) {
            trial.doing("uploads");
            try (Child<UploadServer> server = run.start(trial.log("upload-server"))) {
                int port = server.call(UploadServer::port);
                server.watchHeap(COLLECT);
                long start = System.nanoTime();
                int notAnswered = clients.send(port);
                double time = (System.nanoTime() - start) / 1e9;
                HeapWatch.Seen seen = server.heap();
                seen.draw(chart, "run " + (i + 1), 0);
                seconds.add(time);
                speed.add(run.uploads() * run.bytes() / 1e6 / time);
                live.add(seen.mostBytes() / 1e6);
                resident.add(server.peakResidentBytes() / 1e6);
                int whole = clients.whole(Path.of(run.folder()));
                failed += Math.max(notAnswered, run.uploads() - whole);
            }
            trial.step();
        }
        String wanted = run.uploads() + " uploads of " + Figures.megabytes(run.bytes());
        int all = run.uploads() * trial.repetitions();
        table.row(wanted, seconds, speed, live, resident, all - failed);
        outcome.finding(
                "%s at once in a heap of %s".formatted(wanted, run.heap()),
                "%d failed or not whole in %d runs; at most %s live"
                        .formatted(failed, trial.repetitions(), Figures.number(live.max()) + " MB"),
                failed == 0);
    }
}
