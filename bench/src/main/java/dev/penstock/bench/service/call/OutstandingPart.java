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
import java.util.concurrent.CompletableFuture;

/** A thousand calls outstanding, of eight instances: asynchronous calls of one thread, and calls of virtual threads. */
public final class OutstandingPart {
    private static final List<Contender> CONTENDERS = List.of(Contender.POOL, Contender.PEKKO);
    private static final int INSTANCES = 8;
    private static final int OUTSTANDING = 1000;
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final Duration TIME = Duration.ofSeconds(1);
    private static final Duration LEAST = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final double TIMES = 3;

    private final Trial trial;
    private final Map<Contender, Samples> futures = new EnumMap<>(Contender.class);
    private final Map<Contender, Samples> threads = new EnumMap<>(Contender.class);

    /** The part of one run. */
    public OutstandingPart(Trial trial) {
        this.trial = trial;
    }

    /** Returns of how many steps it consists. */
    public int steps() {
        return CONTENDERS.size() * trial.repetitions();
    }

    /** Measures it. */
    public void measure(Outcome outcome) throws Exception {
        CONTENDERS.forEach(contender -> {
            futures.put(contender, new Samples());
            threads.put(contender, new Samples());
        });
        trial.interleave(0, "outstanding calls, ", CONTENDERS, (each, _) -> measure(each));
        double byFutures = ratio(futures);
        double byThreads = ratio(threads);
        outcome.finding(
                "with many outstanding calls at least 3 times a Pekko ask's throughput",
                "asynchronous calls %s times, 1,000 virtual threads %s times"
                        .formatted(Figures.number(byFutures), Figures.number(byThreads)),
                Math.min(byFutures, byThreads) >= TIMES);
        Outcome.Table table =
                outcome.table(
                        "Calls a second with 1,000 outstanding, of eight instances; the work is none",
                        "|asynchronous calls of one thread, thousands|calls of 1,000 virtual threads, thousands");
        for (Contender contender : CONTENDERS) {
            table.row(
                    contender,
                    futures.getOrDefault(contender, new Samples()),
                    threads.getOrDefault(contender, new Samples()));
        }
    }

    private static double ratio(Map<Contender, Samples> samples) {
        Samples ours = samples.getOrDefault(Contender.POOL, new Samples());
        return ours.medianRatio(samples.getOrDefault(Contender.PEKKO, new Samples()));
    }

    private void measure(Contender contender) throws IOException {
        Duration warmUp = trial.scaled(WARM_UP, LEAST);
        Duration time = trial.scaled(TIME, LEAST);
        String name = contender.name();
        try (Child<String> child =
                Child.start(
                        name,
                        trial.heap("256m"),
                        trial.log("service-outstanding"),
                        name::toString)) {
            double asked = child.call(LIMIT, each -> futures(each, warmUp, time));
            futures.getOrDefault(contender, new Samples()).add(asked / 1e3);
            double called = child.call(LIMIT, each -> threads(each, warmUp, time));
            threads.getOrDefault(contender, new Samples()).add(called / 1e3);
        }
    }

    private static double threads(String contender, Duration warmUp, Duration time)
            throws Exception {
        try (Bounded bounded = start(contender)) {
            return Callers.run(bounded, OUTSTANDING, warmUp, time).perSecond();
        }
    }

    private static Bounded start(String contender) throws Exception {
        return Contender.valueOf(contender).start(INSTANCES, OUTSTANDING, Work.Nothing::new);
    }

    private static double futures(String contender, Duration warmUp, Duration time)
            throws Exception {
        try (Bounded bounded = start(contender)) {
            List<CompletableFuture<Long>> ring = new ArrayList<>();
            for (int i = 0; i < OUTSTANDING; i++) {
                ring.add(bounded.later(System.nanoTime()).toCompletableFuture());
            }
            ask(bounded, ring, warmUp.toNanos());
            double perSecond = ask(bounded, ring, time.toNanos());
            var _ = CompletableFuture.allOf(ring.toArray(CompletableFuture[]::new)).get();
            return perSecond;
        }
    }

    /** Waits for the oldest answer and asks again, for so long. Returns the answers a second. */
    private static double ask(Bounded bounded, List<CompletableFuture<Long>> ring, long nanos)
            throws Exception {
        long start = System.nanoTime();
        long now = start;
        long answers = 0;
        while (now - start < nanos) {
            for (int i = 0; i < ring.size(); i++) {
                var _ = ring.get(i).get();
                ring.set(i, bounded.later(now).toCompletableFuture());
            }
            answers += ring.size();
            now = System.nanoTime();
        }
        return answers * 1e9 / (now - start);
    }
}
