package dev.penstock.bench.service.crowd;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.service.peer.Bounded;
import dev.penstock.bench.service.peer.ThreadedPool;
import dev.penstock.bench.service.peer.Work;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The throughput of a pool whose calls run on 1, 2 and 4 platform threads. */
public final class ThreadsPart {
    private static final List<Integer> THREADS = List.of(1, 2, 4);
    private static final int INSTANCES = 8;
    private static final int CALLERS = 100;
    private static final Duration WARM_UP = Duration.ofMillis(500);
    private static final Duration TIME = Duration.ofSeconds(1);
    private static final Duration LEAST = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** Some work; it can be sent to a child. */
    private record Kind(String label, Work.Maker maker) implements Serializable {}

    private static final List<Kind> KINDS =
            List.of(
                    new Kind("no work", Work.Nothing::new),
                    new Kind(
                            "20 µs of computing",
                            () -> new Work.Computation(2 * Work.Computation.TEN_MICROSECONDS)),
                    new Kind("a wait of 1 ms", () -> new Work.Wait(1_000_000)));

    private final Trial trial;

    /** The part of one run. */
    public ThreadsPart(Trial trial) {
        this.trial = trial;
    }

    /** Returns of how many steps it consists. */
    public int steps() {
        return ThreadedPool.Kind.values().length * THREADS.size();
    }

    /** Measures it. */
    public void measure(Outcome outcome) throws Exception {
        List<String> header = new ArrayList<>(List.of("", "threads"));
        KINDS.forEach(kind -> header.add(kind.label()));
        Outcome.Table table =
                outcome.table(
                        "Calls a second of %d instances by %d callers, on so many platform threads"
                                .formatted(INSTANCES, CALLERS),
                        header);
        for (ThreadedPool.Kind pool : ThreadedPool.Kind.values()) {
            for (int threads : THREADS) {
                trial.doing(threads + " threads, " + pool);
                List<Object> row = new ArrayList<>();
                for (double each : measure(pool, threads)) {
                    row.add(each);
                }
                table.row(pool, Figures.number((long) threads), row);
                trial.step();
            }
        }
    }

    private List<Double> measure(ThreadedPool.Kind pool, int threads) throws IOException {
        Duration warmUp = trial.scaled(WARM_UP, LEAST);
        Duration time = trial.scaled(TIME, LEAST);
        String name = pool.name();
        List<Double> perSecond = new ArrayList<>();
        try (Child<String> child =
                Child.start(
                        name, trial.heap("256m"), trial.log("service-threads"), name::toString)) {
            for (Kind kind : KINDS) {
                perSecond.add(child.call(LIMIT, each -> call(each, threads, kind, warmUp, time)));
            }
        }
        return perSecond;
    }

    private static double call(String pool, int threads, Kind kind, Duration warmUp, Duration time)
            throws Exception {
        try (Bounded bounded =
                ThreadedPool.start(
                        ThreadedPool.Kind.valueOf(pool),
                        INSTANCES,
                        CALLERS,
                        threads,
                        kind.maker())) {
            return Callers.run(bounded, CALLERS, warmUp, time).perSecond();
        }
    }
}
