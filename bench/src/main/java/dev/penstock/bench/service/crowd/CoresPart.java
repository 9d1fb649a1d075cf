package dev.penstock.bench.service.crowd;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.service.peer.Bounded;
import dev.penstock.bench.service.peer.Contender;
import dev.penstock.bench.service.peer.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The throughput of fifty instances with 1, 2 and 4 processors, as callers grow from 10 to 10,000. */
public final class CoresPart {
    private static final List<Contender> CONTENDERS =
            List.of(Contender.PROXY, Contender.FAIR_SEMAPHORE);
    private static final List<Integer> PROCESSORS = List.of(1, 2, 4);

    /** Those of a trial, which shows only that it works. */
    private static final List<Contender> TRIED = List.of(Contender.PROXY);

    private static final List<Integer> CALLERS = List.of(10, 100, 1000, 10_000);
    private static final int INSTANCES = 50;
    private static final int MOST_REPETITIONS = 1;
    private static final Duration WARM_UP = Duration.ofMillis(300);
    private static final Duration TIME = Duration.ofMillis(500);
    private static final Duration LEAST = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** The share by which repetitions of one measurement may differ. */
    private static final double NOISE = 0.05;

    /** Work of one kind. */
    private enum Kind {
        WAIT("a wait of 1 ms"),
        COMPUTATION("20 µs of computing, with a yield in the middle");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        private Work make() {
            return switch (this) {
                case WAIT -> new Work.Wait(1_000_000);
                case COMPUTATION -> new Work.Computation(2 * Work.Computation.TEN_MICROSECONDS);
            };
        }
    }

    /** A throughput that was measured. */
    private record Cell(Contender contender, Kind kind, int processors, int callers) {}

    private final Trial trial;
    private final List<Contender> contenders;
    private final Map<Cell, Samples> perSecond = new LinkedHashMap<>();

    /** The part of one run. */
    public CoresPart(Trial trial) {
        this.trial = trial;
        contenders = trial.settings().scale() < 1 ? TRIED : CONTENDERS;
    }

    private int repetitions() {
        return Math.min(MOST_REPETITIONS, trial.repetitions());
    }

    /** Returns of how many steps it consists. */
    public int steps() {
        return contenders.size() * PROCESSORS.size() * repetitions();
    }

    /** Measures it. */
    public void measure(Outcome outcome) throws Exception {
        for (int i = 0; i < repetitions(); i++) {
            for (int processors : PROCESSORS) {
                for (Contender contender : Trial.order(contenders, i)) {
                    trial.doing(processors + " processors, " + contender);
                    measure(contender, processors);
                    trial.step();
                }
            }
        }
        for (Kind kind : Kind.values()) {
            judge(outcome, kind);
            table(outcome, kind);
        }
    }

    private void measure(Contender contender, int processors) throws IOException {
        Duration warmUp = trial.scaled(WARM_UP, LEAST);
        Duration time = trial.scaled(TIME, LEAST);
        String name = contender.name();
        List<String> options = List.of("-XX:ActiveProcessorCount=" + processors);
        try (Child<String> child =
                Child.start(
                        name,
                        trial.heap("256m"),
                        options,
                        trial.log("service-cores"),
                        name::toString)) {
            for (Kind kind : Kind.values()) {
                for (int callers : CALLERS) {
                    int scaled = Math.min(callers, Math.max(10, trial.scaled(callers)));
                    Callers.Seen seen =
                            child.call(LIMIT, each -> call(each, kind, scaled, warmUp, time));
                    samples(new Cell(contender, kind, processors, callers)).add(seen.perSecond());
                }
            }
        }
    }

    private static Callers.Seen call(
            String contender, Kind kind, int callers, Duration warmUp, Duration time)
            throws Exception {
        try (Bounded bounded = Contender.valueOf(contender).start(INSTANCES, callers, kind::make)) {
            return Callers.run(bounded, callers, warmUp, time);
        }
    }

    private Samples samples(Cell cell) {
        return perSecond.computeIfAbsent(cell, _ -> new Samples());
    }

    private void judge(Outcome outcome, Kind kind) {
        double least = Double.POSITIVE_INFINITY;
        List<String> measured = new ArrayList<>();
        for (int processors : PROCESSORS) {
            Samples few = samples(new Cell(Contender.PROXY, kind, processors, CALLERS.getFirst()));
            double lowest = Double.POSITIVE_INFINITY;
            for (int callers : CALLERS) {
                Samples many = samples(new Cell(Contender.PROXY, kind, processors, callers));
                lowest = Math.min(lowest, many.median() / few.median());
            }
            measured.add(Figures.percent(lowest));
            least = Math.min(least, lowest);
        }
        outcome.finding(
                "throughput with 1, 2 and 4 processors does not fall (by more than 5 %) as callers grow from"
                        + " 10 to 10,000; work "
                        + kind.label,
                "the lowest is " + String.join(", ", measured) + " of that by 10 callers",
                least >= 1 - NOISE);
    }

    private void table(Outcome outcome, Kind kind) {
        List<String> header = new ArrayList<>(List.of("", "processors"));
        CALLERS.forEach(callers -> header.add(Figures.number((long) callers) + " callers"));
        Outcome.Table table =
                outcome.table("Calls a second of fifty instances, work " + kind.label, header);
        Outcome.Chart chart =
                outcome.chart(
                        "Calls a second of fifty instances, work " + kind.label,
                        "callers, as powers of ten",
                        "thousand calls a second");
        for (Contender contender : contenders) {
            for (int processors : PROCESSORS) {
                List<Samples> row = new ArrayList<>();
                for (int callers : CALLERS) {
                    Samples each = samples(new Cell(contender, kind, processors, callers));
                    row.add(each);
                    if (contender == Contender.PROXY) {
                        chart.point(
                                processors == 1 ? "1 processor" : processors + " processors",
                                Math.log10(callers),
                                each.median() / 1e3);
                    }
                }
                table.row(contender, Integer.toString(processors), row);
            }
        }
    }
}
