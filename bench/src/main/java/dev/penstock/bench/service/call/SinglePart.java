package dev.penstock.bench.service.call;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.service.peer.Contender;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The call of a service by one thread, whose turn it is always: what each contender adds to a direct one. */
public final class SinglePart {
    private static final List<Contender> CONTENDERS = List.of(Contender.values());

    /** Those of a trial, which shows only that it works. */
    private static final List<Contender> TRIED =
            List.of(Contender.DIRECT, Contender.PROXY, Contender.PEKKO);

    private static final int ROUNDS = 5;
    private static final int ROUND_MILLISECONDS = 250;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** The most that deadlines and metrics may cost. */
    private static final double MOST_NANOS = 100;

    /** The factor by which repetitions of one measurement may differ. */
    private static final double NOISE = 1.02;

    /** The bytes a call that JMH reports where nothing is allocated, at most. */
    private static final double NO_BYTES = 0.01;

    private static final double TIMES_AN_ASK = 100;

    private final Trial trial;
    private final List<Contender> contenders;
    private final Map<Contender, Samples> nanos = new EnumMap<>(Contender.class);
    private final Map<Contender, Samples> bytes = new EnumMap<>(Contender.class);

    /** The part of one run. */
    public SinglePart(Trial trial) {
        this.trial = trial;
        contenders = trial.settings().scale() < 1 ? TRIED : CONTENDERS;
    }

    /** Returns of how many steps it consists. */
    public int steps() {
        return contenders.size() * trial.repetitions();
    }

    /** Measures it. */
    public void measure(Outcome outcome) throws Exception {
        trial.interleave(0, "single call, ", contenders, (contender, _) -> call(contender));
        judge(outcome);
        Outcome.Table table =
                outcome.table(
                        "A call by one thread, whose turn it is always (JMH): the work is an addition",
                        "|ns|over the direct call, ns|bytes|calls a second");
        for (Contender contender : contenders) {
            double each = median(contender);
            table.row(
                    contender,
                    nanos(contender),
                    each - median(Contender.DIRECT),
                    Figures.number(Math.rint(bytes(contender).median())),
                    1e9 / each);
        }
    }

    private void call(Contender contender) throws IOException {
        int rounds = trial.settings().scale() < 1 ? 1 : ROUNDS;
        long round = trial.scaled(ROUND_MILLISECONDS, 10);
        String name = contender.name();
        try (Child<String> child =
                Child.start(
                        name, trial.heap("256m"), trial.log("service-single"), name::toString)) {
            CallTimes times = child.call(LIMIT, each -> CallTimes.measure(each, rounds, round));
            nanos(contender).add(times.nanos());
            bytes(contender).add(times.bytes());
        }
    }

    private Samples nanos(Contender contender) {
        return nanos.computeIfAbsent(contender, _ -> new Samples());
    }

    private Samples bytes(Contender contender) {
        return bytes.computeIfAbsent(contender, _ -> new Samples());
    }

    private double median(Contender contender) {
        return nanos(contender).median();
    }

    private void judge(Outcome outcome) {
        double direct = median(Contender.DIRECT);
        double proxy = median(Contender.PROXY) - direct;
        double lambda = median(Contender.POOL) - direct;
        outcome.finding(
                "pooled call without contention, with deadlines and metrics: at most 100 ns over the direct call",
                "proxy %s, call(...) %s".formatted(Figures.time(proxy), Figures.time(lambda)),
                Math.max(proxy, lambda) <= MOST_NANOS);
        double stormpot = Math.min(median(Contender.STORMPOT), median(Contender.STORMPOT_VIRTUAL));
        double bareProxy = median(Contender.BARE_PROXY);
        double bareLambda = median(Contender.BARE_POOL);
        outcome.finding(
                "with both off no slower than Stormpot's claim and release in the same run",
                "proxy %s, call(...) %s; Stormpot %s"
                        .formatted(
                                Figures.time(bareProxy),
                                Figures.time(bareLambda),
                                Figures.time(stormpot)),
                Math.max(bareProxy, bareLambda) <= NOISE * stormpot);
        double most =
                Contender.all(Contender::isOurs).stream()
                        .mapToDouble(each -> bytes(each).median())
                        .max()
                        .orElse(Double.NaN);
        outcome.finding(
                "0 B on the blocking path", Figures.bytes(Math.rint(most)), most < NO_BYTES);
        double times =
                median(Contender.PEKKO) / Math.max(median(Contender.PROXY), median(Contender.POOL));
        outcome.atLeast(
                "a single synchronous caller gets at least 100 times a Pekko ask's throughput",
                times,
                TIMES_AN_ASK,
                Figures::number);
    }
}
