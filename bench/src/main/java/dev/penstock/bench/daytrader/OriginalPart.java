package dev.penstock.bench.daytrader;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.server.DatabaseAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The application beside the original's shape: servlets on Jetty with a connection pool. */
final class OriginalPart {
    private static final int INSTANCES = 20;
    private static final int USERS = 300;
    private static final int MOST_REPETITIONS = 3;
    private static final double TIMES = 1.5;
    private static final double QUARTER = 0.25;
    private static final Duration RAMP = Duration.ofSeconds(1);
    private static final Duration WINDOW = Duration.ofSeconds(3);
    private static final Duration MEMORY = Duration.ofMillis(1500);
    private static final Duration LEAST = Duration.ofMillis(200);

    /** A plan on a heap. */
    private record Side(TradePlan plan, String heap, TradeFigures figures) {
        @Override
        public String toString() {
            return plan + ", heap " + heap;
        }
    }

    private final Trial trial;
    private final Side jetty;
    private final Side ours;
    private final Side small;

    OriginalPart(Trial trial, DatabaseAddress address) {
        this.trial = trial;
        TradePlan pool = TradePlan.of(address, TradeWay.POOL, INSTANCES);
        jetty = new Side(TradePlan.of(address, TradeWay.SERVLETS, 0), "256m", new TradeFigures());
        ours = new Side(pool, "256m", new TradeFigures());
        small = new Side(pool, "32m", new TradeFigures());
    }

    private int repetitions() {
        return Math.min(MOST_REPETITIONS, trial.repetitions());
    }

    int steps() {
        return 3 * repetitions();
    }

    void measure(Outcome outcome) throws Exception {
        List<Side> sides = List.of(jetty, ours, small);
        try (LoadDriver driver = trial.loadDriver()) {
            for (int i = 0; i < repetitions(); i++) {
                for (Side side : Trial.order(sides, i)) {
                    trial.doing("beside servlets, " + side);
                    measure(side, driver);
                    trial.step();
                }
            }
        }
        Outcome.Table table =
                outcome.table(
                        "Beside servlets; %s; %s"
                                .formatted(TradeScript.TRADE, GridPart.users(USERS)),
                        TradeFigures.HEADER);
        sides.forEach(side -> table.row(side.toString(), side.figures.columns()));
        double times = small.figures.perSecond.medianRatio(jetty.figures.perSecond);
        double memory = small.figures.resident.medianRatio(jetty.figures.resident);
        outcome.finding(
                "at least 1.5 times the throughput of servlets on Jetty, with a quarter of the memory",
                "heap 32m: %s times the throughput, %s of the resident memory; heap 256m: %s times"
                        .formatted(
                                Figures.number(times),
                                Figures.percent(memory),
                                Figures.number(
                                        ours.figures.perSecond.medianRatio(
                                                jetty.figures.perSecond))),
                times >= TIMES && memory <= QUARTER);
    }

    private void measure(Side side, LoadDriver driver) throws IOException {
        try (TradeUnderTest test =
                TradeUnderTest.start(side.plan, side.heap, List.of(), driver, trial)) {
            test.warmUp();
            side.figures.add(
                    test.watch(
                            new Load.Group(TradeScript.TRADE, trial.scaled(USERS)),
                            trial.scaled(RAMP, LEAST),
                            trial.scaled(WINDOW, LEAST),
                            trial.scaled(MEMORY, LEAST)));
        }
    }
}
