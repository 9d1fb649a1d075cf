package dev.penstock.bench.experiment;

import dev.penstock.bench.report.Outcome;

/** Something to measure, side by side with what it is compared with. Immutable. */
public interface Experiment {
    /** Returns what it is called: a word, or words with hyphens. */
    String name();

    /** Returns what it measures, in a line. */
    String summary();

    /** Runs it. Whatever it starts has ended when it returns or throws. */
    Outcome run(Trial trial) throws Exception;
}
