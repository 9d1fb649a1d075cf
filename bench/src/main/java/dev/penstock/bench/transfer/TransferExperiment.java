package dev.penstock.bench.transfer;

import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.transfer.cell.CellsPart;
import dev.penstock.bench.transfer.cell.ManyPart;
import dev.penstock.bench.transfer.peer.ColdPart;
import dev.penstock.bench.transfer.peer.DownloadsPart;
import dev.penstock.bench.transfer.peer.HugePart;
import dev.penstock.bench.transfer.peer.UploadsPart;
import dev.penstock.bench.transfer.storm.StormPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Bodies of 200 MB and more in chunks, on the server and on the client. */
public final class TransferExperiment extends Experiment {
    private static final String CELLS = "cells";
    private static final String MANY = "many";
    private static final String UPLOADS = "uploads";
    private static final String DOWNLOADS = "downloads";
    private static final String COLD = "cold";
    private static final String STORM = "storm";

    /** Only of a full run, as it takes 20 GB of disk. */
    private static final String HUGE = "huge";

    /** The experiment. */
    public TransferExperiment() {
        super(
                "transfer",
                "huge bodies whole and in chunks, both ways; beside nginx and tus servers; about half an hour");
    }

    @Override
    public List<String> parts() {
        return List.of(CELLS, MANY, UPLOADS, DOWNLOADS, COLD, STORM, HUGE);
    }

    /** A part as it is run. */
    private record Part(int steps, Measurement measurement) {}

    /** A part of the experiment, measured in a directory for files. */
    private interface Measurement {
        void measure(Outcome outcome, Path directory) throws Exception;
    }

    private static List<Part> parts(Trial trial) {
        List<Part> parts = new ArrayList<>();
        if (trial.includes(CELLS)) {
            CellsPart cells = new CellsPart(trial);
            parts.add(new Part(cells.steps(), cells::measure));
        }
        if (trial.includes(MANY)) {
            ManyPart many = new ManyPart(trial);
            parts.add(new Part(many.steps(), many::measure));
        }
        if (trial.includes(UPLOADS)) {
            UploadsPart uploads = new UploadsPart(trial);
            parts.add(new Part(uploads.steps(), uploads::measure));
        }
        if (trial.includes(DOWNLOADS)) {
            DownloadsPart downloads = new DownloadsPart(trial);
            parts.add(new Part(downloads.steps(), downloads::measure));
        }
        if (trial.includes(COLD)) {
            ColdPart cold = new ColdPart(trial);
            parts.add(new Part(cold.steps(), cold::measure));
        }
        if (trial.includes(STORM)) {
            StormPart storm = new StormPart(trial);
            parts.add(new Part(storm.steps(), storm::measure));
        }
        if (trial.full() && trial.includes(HUGE)) {
            HugePart huge = new HugePart(trial);
            parts.add(new Part(huge.steps(), huge::measure));
        }
        return parts;
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        Outcome outcome = new Outcome(name(), "Huge bodies in chunks");
        List<Part> parts = parts(trial);
        trial.steps(parts.stream().mapToLong(Part::steps).sum());
        Path out = Files.createDirectories(trial.settings().out());
        Path directory = Files.createTempDirectory(out, "transfer").toRealPath();
        try {
            for (Part part : parts) {
                part.measurement.measure(outcome, directory);
            }
        } finally {
            delete(directory);
        }
        return outcome;
    }

    /** Deletes a directory with what is in it: a part that failed has left its files there. */
    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
