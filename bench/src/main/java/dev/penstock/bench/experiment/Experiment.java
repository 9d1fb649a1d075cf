package dev.penstock.bench.experiment;

import dev.penstock.bench.report.Outcome;
import java.util.List;

/** Something to measure, side by side with what it is compared with. Immutable. */
public abstract class Experiment {
    private final String name;
    private final String summary;

    /**
     * An experiment of that name.
     *
     * @param name a word, or words with hyphens
     * @param summary what it measures and how long that takes, in a line
     */
    protected Experiment(String name, String summary) {
        this.name = name;
        this.summary = summary;
    }

    /** Returns what it is called. */
    public final String name() {
        return name;
    }

    /** Returns what it measures, in a line. */
    public final String summary() {
        return summary;
    }

    /** Returns the names of its parts, each of which can be run alone; none unless overridden. */
    public List<String> parts() {
        return List.of();
    }

    /** Runs it. Whatever it starts has ended when it returns or throws. */
    public abstract Outcome run(Trial trial) throws Exception;
}
