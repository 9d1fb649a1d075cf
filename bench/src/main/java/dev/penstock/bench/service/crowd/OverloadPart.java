package dev.penstock.bench.service.crowd;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.service.peer.Bounded;
import dev.penstock.bench.service.peer.Contender;
import dev.penstock.bench.service.peer.Work;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Ten times the callers that give the best throughput: the throughput, the rejections, and the time to recover. */
public final class OverloadPart {
    private static final List<Contender> CONTENDERS = List.of(Contender.PROXY, Contender.SMALLRYE);

    /** Those of a trial, which shows only that it works. */
    private static final List<Contender> TRIED = List.of(Contender.PROXY);

    private static final int INSTANCES = 8;
    private static final int QUEUE = 64;
    private static final List<Integer> CALLERS = List.of(8, 16, 32, 64);
    private static final int TIMES = 10;
    private static final long WORK_NANOS = 1_000_000;
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration BEST = Duration.ofSeconds(3);
    private static final Duration OVERLOAD = Duration.ofMinutes(1);
    private static final Duration OVERLOAD_OF_PEERS = Duration.ofSeconds(20);
    private static final Duration LEAST = Duration.ofMillis(200);
    private static final Duration RECOVERY = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final double WITHIN = 0.9;
    private static final long MOST_REJECTION_NANOS = 10_000_000;
    private static final Duration MOST_RECOVERY = Duration.ofSeconds(5);

    private final Trial trial;
    private final List<Contender> contenders;

    /**
     * The measurements of one contender.
     *
     * @param callers that gave the best throughput
     * @param best the throughput of these
     * @param overload the calls of ten times as many
     * @param recoveryNanos until the throughput was back when the others had gone
     */
    private record Seen(int callers, double best, Overload.Seen overload, long recoveryNanos)
            implements Serializable {
        double share() {
            return overload.perSecond() / best;
        }
    }

    /** The part of one run. */
    public OverloadPart(Trial trial) {
        this.trial = trial;
        contenders = trial.settings().scale() < 1 ? TRIED : CONTENDERS;
    }

    /** Returns of how many steps it consists. */
    public int steps() {
        return contenders.size();
    }

    /** Measures it. */
    public void measure(Outcome outcome) throws Exception {
        Map<Contender, Seen> all = new EnumMap<>(Contender.class);
        for (Contender contender : contenders) {
            trial.doing("overload, " + contender);
            all.put(contender, measure(contender));
            trial.step();
        }
        all.forEach((contender, seen) -> {
            if (contender == Contender.PROXY) {
                judge(outcome, seen);
            }
        });
        table(outcome, all);
    }

    private Seen measure(Contender contender) throws IOException {
        Duration warmUp = trial.scaled(WARM_UP, LEAST);
        Duration best = trial.scaled(BEST, LEAST);
        Duration overload = trial.scaled(contender.isOurs() ? OVERLOAD : OVERLOAD_OF_PEERS, LEAST);
        String name = contender.name();
        try (Child<String> child =
                Child.start(
                        name, trial.heap("256m"), trial.log("service-overload"), name::toString)) {
            return child.call(LIMIT, each -> run(each, warmUp, best, overload));
        }
    }

    private static Seen run(String contender, Duration warmUp, Duration time, Duration overload)
            throws Exception {
        try (Bounded bounded =
                Contender.valueOf(contender)
                        .start(INSTANCES, QUEUE, () -> new Work.Wait(WORK_NANOS))) {
            Overload callers = new Overload(bounded);
            callers.callers(CALLERS.getLast());
            var _ = callers.measure(warmUp);
            int most = 0;
            double best = 0;
            for (int count : CALLERS) {
                callers.callers(count);
                double seen = callers.measure(time).perSecond();
                if (seen > best) {
                    best = seen;
                    most = count;
                }
            }
            callers.callers(TIMES * most);
            Overload.Seen seen = callers.measure(overload);
            callers.callers(most);
            long recovery = callers.recovery(WITHIN * best, RECOVERY);
            callers.callers(0);
            return new Seen(most, best, seen, recovery);
        }
    }

    private static void judge(Outcome outcome, Seen seen) {
        Overload.Seen overload = seen.overload();
        String goal = "ten times the callers that give the best throughput: ";
        outcome.finding(
                goal + "throughput within 10 % of its best",
                "%s calls a second by %s callers, %s by %s: %s"
                        .formatted(
                                Figures.number(seen.best()),
                                Figures.number((long) seen.callers()),
                                Figures.number(overload.perSecond()),
                                Figures.number((long) TIMES * seen.callers()),
                                Figures.percent(seen.share())),
                seen.share() >= WITHIN);
        outcome.finding(
                goal + "p99 of rejections at most 10 ms",
                "%s, the longest %s, of %s"
                        .formatted(
                                Figures.time((double) overload.rejectionP99Nanos()),
                                Figures.time((double) overload.longestRejectionNanos()),
                                Figures.number(overload.rejections())),
                overload.rejections() > 0 && overload.rejectionP99Nanos() <= MOST_REJECTION_NANOS);
        outcome.finding(
                goal
                        + "full recovery within 5 s (a tenth of a second as before, without rejections)",
                Figures.time((double) seen.recoveryNanos()),
                seen.recoveryNanos() <= MOST_RECOVERY.toNanos());
    }

    private static void table(Outcome outcome, Map<Contender, Seen> all) {
        Outcome.Table table =
                outcome.table(
                        "Overload of %d instances with a queue of %d, work a wait of 1 ms; who is rejected comes back after %d ms"
                                .formatted(INSTANCES, QUEUE, Overload.PAUSE.toMillis()),
                        "|callers for the best|calls a second, best|calls a second, ten times the callers"
                                + "|lowest in a tenth of a second|rejections a second|p99 of a rejection|recovered after");
        all.forEach((contender, seen) -> {
            Overload.Seen overload = seen.overload();
            table.row(
                    contender,
                    Figures.number((long) seen.callers()),
                    seen.best(),
                    overload.perSecond(),
                    overload.lowest(),
                    overload.rejectionsPerSecond(),
                    Figures.time((double) overload.rejectionP99Nanos()),
                    Figures.time((double) seen.recoveryNanos()));
        });
    }
}
