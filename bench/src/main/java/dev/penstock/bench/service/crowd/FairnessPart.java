package dev.penstock.bench.service.crowd;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.service.peer.Bounded;
import dev.penstock.bench.service.peer.Contender;
import dev.penstock.bench.service.peer.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Ten thousand callers of fifty instances: how long each waits, and the memory meanwhile. */
public final class FairnessPart {
    private static final List<Contender> CONTENDERS =
            List.of(
                    Contender.PROXY,
                    Contender.FAIR_SEMAPHORE,
                    Contender.RESILIENCE4J,
                    Contender.SEMAPHORE);

    /** Those of a trial, which shows only that it works. */
    private static final List<Contender> TRIED = List.of(Contender.PROXY);

    private static final int CALLERS = 10_000;
    private static final int INSTANCES = 50;
    private static final long WORK_NANOS = 1_000_000;
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration TIME = Duration.ofSeconds(10);
    private static final Duration WATCHED = Duration.ofSeconds(5);
    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration COLLECTIONS = Duration.ofMillis(250);
    private static final Duration LIMIT = Duration.ofSeconds(150);
    private static final double MOST_TIMES_THE_MEAN = 3;

    /** The factor by which a flat live set may vary. */
    private static final double FLAT = 1.1;

    private final Trial trial;
    private final List<Contender> contenders;
    private final Map<Contender, Callers.Seen> seen = new EnumMap<>(Contender.class);
    private final Map<Contender, Samples> liveBytes = new EnumMap<>(Contender.class);

    /** The part of one run. */
    public FairnessPart(Trial trial) {
        this.trial = trial;
        contenders = trial.settings().scale() < 1 ? TRIED : CONTENDERS;
    }

    /** Returns of how many steps it consists. */
    public int steps() {
        return contenders.size();
    }

    /** Measures it. */
    public void measure(Outcome outcome) throws Exception {
        int callers = trial.scaled(CALLERS);
        Outcome.Chart heap =
                new Outcome("", "")
                        .chart("Live set of %,d callers".formatted(callers), "seconds", "MB");
        for (Contender contender : contenders) {
            trial.doing("fairness, " + contender);
            measure(contender, callers, heap);
            trial.step();
        }
        judge(outcome, callers);
        table(outcome, callers);
        Outcome.Chart shown = outcome.chart(heap.title(), heap.horizontal(), heap.vertical());
        shown.lines().putAll(heap.lines());
    }

    private void measure(Contender contender, int callers, Outcome.Chart heap) throws IOException {
        Duration warmUp = trial.scaled(WARM_UP, LEAST);
        Duration time = trial.scaled(TIME, LEAST);
        Duration watched = trial.scaled(WATCHED, LEAST.multipliedBy(5));
        String name = contender.name();
        try (Child<String> child =
                Child.start(
                        name, trial.heap("256m"), trial.log("service-fairness"), name::toString)) {
            seen.put(contender, child.call(LIMIT, each -> call(each, callers, warmUp, time)));
            // By itself, as forced collections stop everyone.
            child.watchHeap(trial.settings().scale() < 1 ? LEAST : COLLECTIONS);
            child.call(LIMIT, each -> call(each, callers, Duration.ZERO, watched));
            HeapWatch.Seen live = child.heap();
            liveBytes.put(contender, live.draw(heap, contender.toString(), 1.0 / 3));
        }
    }

    private static Callers.Seen call(String contender, int callers, Duration warmUp, Duration time)
            throws Exception {
        try (Bounded bounded =
                Contender.valueOf(contender)
                        .start(INSTANCES, callers, () -> new Work.Wait(WORK_NANOS))) {
            return Callers.run(bounded, callers, warmUp, time);
        }
    }

    private Callers.Seen seen(Contender contender) {
        return seen.getOrDefault(contender, new Callers.Seen(0, 1, 0, 0, 0, 0));
    }

    private Samples live(Contender contender) {
        return liveBytes.getOrDefault(contender, new Samples());
    }

    private static double timesTheMean(Callers.Seen seen) {
        return seen.longestNanos() / seen.meanNanos();
    }

    private void judge(Outcome outcome, int callers) {
        Callers.Seen ours = seen(Contender.PROXY);
        outcome.finding(
                "%s callers on 50 instances: fair (the longest wait at most three times the mean over 10 s)"
                        .formatted(Figures.number((long) callers)),
                "longest %s, mean %s: %s times"
                        .formatted(
                                Figures.time((double) ours.longestNanos()),
                                Figures.time(ours.meanNanos()),
                                Figures.number(timesTheMean(ours))),
                timesTheMean(ours) <= MOST_TIMES_THE_MEAN);
        Samples bytes = live(Contender.PROXY);
        outcome.finding(
                "%s callers on 50 instances: memory flat (live set of the last two thirds within 10 %%)"
                        .formatted(Figures.number((long) callers)),
                Figures.megabytes(bytes.min()) + " to " + Figures.megabytes(bytes.max()),
                bytes.max() <= FLAT * bytes.min());
    }

    private void table(Outcome outcome, int callers) {
        Outcome.Table table =
                outcome.table(
                        "%s callers on 50 instances, work a wait of 1 ms"
                                .formatted(Figures.number((long) callers)),
                        "|calls a second|mean wait, ms|longest wait, ms|longest by mean"
                                + "|callers without an answer|live set, MB");
        for (Contender contender : contenders) {
            Callers.Seen each = seen(contender);
            table.row(
                    contender,
                    each.perSecond(),
                    each.meanNanos() / 1e6,
                    each.longestNanos() / 1e6,
                    timesTheMean(each),
                    Figures.number((long) each.silent()),
                    live(contender).median() / 1e6);
        }
    }
}
