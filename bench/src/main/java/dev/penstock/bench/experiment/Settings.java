package dev.penstock.bench.experiment;

import dev.penstock.databases.TestDatabase;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of how experiments are to be run. */
public final class Settings {
    @Option(names = "--full", description = "Everything, which may take hours, not minutes.")
    boolean full;

    @Option(
            names = "--soak",
            description = "Only the long runs of an experiment that has some: an hour and more.")
    boolean soak;

    @Option(
            names = "--heap",
            split = ",",
            paramLabel = "SIZE",
            description =
                    "Heaps of the servers, such as 64m,1g. Default: what the experiment says.")
    List<String> heaps = List.of();

    @Option(
            names = "--database",
            split = ",",
            paramLabel = "NAME",
            description = "postgresql, mariadb, h2. Default: what the experiment says.")
    List<TestDatabase.Kind> databases = List.of();

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "How often each thing is measured. Default: ${DEFAULT-VALUE}.")
    int repetitions = 5;

    @Option(
            names = "--scale",
            paramLabel = "F",
            description =
                    "Less than 1: that part of the usual size and time, to try whether it works."
                            + " Default: ${DEFAULT-VALUE}.")
    double scale = 1;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where results go. Default: ${DEFAULT-VALUE}.")
    Path out = Path.of("bench", "results");

    @Option(
            names = "--part",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Only these parts of an experiment that has parts; the list of experiments names them."
                            + " Default: all.")
    List<String> parts = List.of();

    /** Checks them: says what is wrong, or nothing. */
    public String mistake() {
        for (String heap : heaps) {
            if (!heap.matches("[1-9]\\d*[mMgG]")) {
                return "--heap " + heap + " is not a size such as 64m or 1g";
            }
        }
        return repetitions < 1 || !(scale > 0) ? "--repetitions and --scale must be positive" : "";
    }

    /** Returns the same settings for one part alone. */
    public Settings only(String part) {
        Settings same = new Settings();
        same.full = full;
        same.heaps = heaps;
        same.databases = databases;
        same.repetitions = repetitions;
        same.scale = scale;
        same.out = out;
        same.parts = List.of(part);
        return same;
    }

    /** Returns the parts that are to be run; empty for all. */
    public List<String> parts() {
        return List.copyOf(parts);
    }

    /** Returns how many times each thing is measured. */
    public int repetitions() {
        return repetitions;
    }

    /** Returns the part of the usual size and time: 1, or less for a trial that shows only that it works. */
    public double scale() {
        return scale;
    }

    /** Returns where results go. */
    public Path out() {
        return out;
    }

    /** Returns where logs go. */
    public Path logs() {
        return out.resolve("logs");
    }
}
