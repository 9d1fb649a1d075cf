package dev.penstock.bench.service.call;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.service.crowd.Callers;
import dev.penstock.bench.service.peer.Bounded;
import dev.penstock.bench.service.peer.Contender;
import dev.penstock.bench.service.peer.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Calls by 2 to 1,000 virtual threads that share two instances, with no work to speak of. */
public final class ContendedPart {
    private static final List<Contender> CONTENDERS =
            Contender.all(each -> each.bounds() && each != Contender.BARE_POOL);

    /** Those of a trial, which shows only that it works. */
    private static final List<Contender> TRIED = List.of(Contender.PROXY, Contender.SMALLRYE);

    private static final List<Integer> CALLERS = List.of(2, 4, 64, 1000);
    private static final int INSTANCES = 2;
    private static final int MOST_REPETITIONS = 2;
    private static final Duration WARM_UP = Duration.ofMillis(300);
    private static final Duration TIME = Duration.ofMillis(400);
    private static final Duration LEAST = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final Trial trial;
    private final List<Contender> contenders;
    private final Map<Contender, Map<Integer, List<Callers.Seen>>> all =
            new EnumMap<>(Contender.class);

    /** The part of one run. */
    public ContendedPart(Trial trial) {
        this.trial = trial;
        contenders = trial.settings().scale() < 1 ? TRIED : CONTENDERS;
    }

    private int repetitions() {
        return Math.min(MOST_REPETITIONS, trial.repetitions());
    }

    /** Returns of how many steps it consists. */
    public int steps() {
        return contenders.size() * repetitions();
    }

    /** Measures it. */
    public void measure(Outcome outcome) throws Exception {
        for (int i = 0; i < repetitions(); i++) {
            for (Contender contender : Trial.order(contenders, i)) {
                trial.doing("contended calls, " + contender);
                calls(contender, outcome);
                trial.step();
            }
        }
        table(
                outcome,
                "Calls a second by virtual threads that share two instances; the work is none",
                seen -> seen.perSecond() / 1e3,
                " callers, thousands");
        table(
                outcome,
                "The longest wait of these calls, ms",
                seen -> seen.longestNanos() / 1e6,
                " callers");
        table(
                outcome,
                "Bytes allocated for each of these calls",
                Callers.Seen::bytesEach,
                " callers");
        Outcome.Chart chart =
                outcome.chart(
                        "Calls a second of two instances, by callers (2, 4, 64, 1,000)",
                        "callers, as powers of two",
                        "thousand calls a second",
                        true);
        for (Contender contender : contenders) {
            for (int callers : CALLERS) {
                double thousands = median(contender, callers, seen -> seen.perSecond() / 1e3);
                // A logarithmic scale has no place for none.
                chart.point(
                        contender.toString(),
                        Math.log(callers) / Math.log(2),
                        thousands > 0 ? thousands : Double.NaN);
            }
        }
    }

    private void calls(Contender contender, Outcome outcome) throws IOException {
        Duration warmUp = trial.scaled(WARM_UP, LEAST);
        Duration time = trial.scaled(TIME, LEAST);
        String name = contender.name();
        try (Child<String> child =
                Child.start(
                        name, trial.heap("256m"), trial.log("service-contended"), name::toString)) {
            for (int callers : CALLERS) {
                // What one level compiled, another has too.
                Callers.Seen seen = child.call(LIMIT, each -> call(each, callers, warmUp, time));
                seen(contender, callers).add(seen);
            }
        } catch (Child.Failed e) {
            outcome.text("Contended calls, " + contender + ": " + e.getMessage());
        }
    }

    private static Callers.Seen call(String contender, int callers, Duration warmUp, Duration time)
            throws Exception {
        try (Bounded bounded =
                Contender.valueOf(contender).start(INSTANCES, callers, Work.Nothing::new)) {
            return Callers.run(bounded, callers, warmUp, time);
        }
    }

    private List<Callers.Seen> seen(Contender contender, int callers) {
        return all.computeIfAbsent(contender, _ -> new TreeMap<>())
                .computeIfAbsent(callers, _ -> new ArrayList<>());
    }

    private Samples samples(
            Contender contender, int callers, ToDoubleFunction<Callers.Seen> figure) {
        return Samples.of(seen(contender, callers).stream().mapToDouble(figure).toArray());
    }

    private double median(Contender contender, int callers, ToDoubleFunction<Callers.Seen> figure) {
        return samples(contender, callers, figure).median();
    }

    private void table(
            Outcome outcome, String title, ToDoubleFunction<Callers.Seen> figure, String unit) {
        List<String> header = new ArrayList<>(List.of(""));
        CALLERS.forEach(callers -> header.add(Figures.number((long) callers) + unit));
        Outcome.Table table = outcome.table(title, header);
        for (Contender contender : contenders) {
            table.row(
                    contender,
                    CALLERS.stream().map(callers -> samples(contender, callers, figure)).toList());
        }
    }
}
