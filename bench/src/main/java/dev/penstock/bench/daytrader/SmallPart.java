package dev.penstock.bench.daytrader;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.server.DatabaseAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The whole application in a heap of 32 MB, under the mix of all actions. */
final class SmallPart {
    private static final int INSTANCES = 20;
    private static final int USERS = 50;
    private static final int STARTS = 3;
    private static final double MOST_MEGABYTES = 160;
    private static final double MOST_START_MILLISECONDS = 1000;
    private static final Duration RAMP = Duration.ofSeconds(2);
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final Duration LEAST = Duration.ofMillis(300);
    private static final String HEAP = "32m";

    private final Trial trial;
    private final TradePlan plan;

    SmallPart(Trial trial, DatabaseAddress address) {
        this.trial = trial;
        plan = TradePlan.of(address, TradeWay.POOL, INSTANCES);
    }

    int steps() {
        return 1;
    }

    void measure(Outcome outcome) throws Exception {
        trial.doing("heap of " + HEAP);
        Samples starts = new Samples();
        TradeFigures figures = new TradeFigures();
        List<String> broken;
        try (LoadDriver driver = trial.loadDriver()) {
            for (int i = 1; i < trial.scaled(STARTS); i++) {
                start(driver, starts).close();
            }
            try (TradeUnderTest test = start(driver, starts)) {
                figures.add(
                        test.watch(
                                new Load.Group(TradeScript.MIX, USERS),
                                trial.scaled(RAMP, LEAST),
                                trial.scaled(WINDOW, LEAST),
                                Duration.ZERO));
                broken = test.broken();
            }
        }
        outcome.table("The whole application, heap " + HEAP, TradeFigures.HEADER)
                .row(GridPart.users(USERS) + ", " + TradeScript.MIX, figures.columns());
        outcome.finding(
                "in a heap of 32 MB, 50 users at full speed meet no error, and the books balance",
                "%s pages/s, failures: %s; %s"
                        .formatted(
                                Figures.number(figures.perSecond.median()),
                                figures.failureText(),
                                broken.isEmpty() ? "the books balance" : broken.getFirst()),
                figures.perSecond.min() > 0 && figures.failures.isEmpty() && broken.isEmpty());
        outcome.atMost(
                "in a heap of 32 MB, resident at most 160 MB",
                figures.resident.median(),
                MOST_MEGABYTES,
                megabytes -> Figures.number(megabytes) + " MB");
        outcome.atMost(
                "first page within a second of the JVM's start, without an AOT cache",
                starts.median(),
                MOST_START_MILLISECONDS,
                Figures::milliseconds);
        trial.step();
    }

    private TradeUnderTest start(LoadDriver driver, Samples starts)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        TradeUnderTest test = TradeUnderTest.start(plan, HEAP, List.of(), driver, trial);
        var _ = LoadDriver.get(test.port(), "/daytrader/app");
        starts.add((System.nanoTime() - start) / 1e6);
        return test;
    }
}
