package dev.penstock.bench.daytrader;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.server.DatabaseAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The article's long runs: 45 minutes of the first scenario, and 15 of the second. */
final class SoakPart {
    private static final int USERS = 300;
    private static final Duration RAMP = Duration.ofSeconds(60);
    private static final Duration MEMORY = Duration.ofSeconds(5);
    private static final Duration LEAST = Duration.ofMillis(300);

    /** A long run. */
    private record Run(TradeScript script, int instances, Duration time) {}

    private static final List<Run> RUNS =
            List.of(
                    new Run(TradeScript.TRADE, 100, Duration.ofMinutes(15)),
                    new Run(TradeScript.QUOTES, 200, Duration.ofMinutes(45)));

    private final Trial trial;
    private final DatabaseAddress address;

    SoakPart(Trial trial, DatabaseAddress address) {
        this.trial = trial;
        this.address = address;
    }

    int steps() {
        return RUNS.size();
    }

    void measure(Outcome outcome) throws Exception {
        Outcome.Table table =
                outcome.table("Long runs, " + GridPart.users(USERS), TradeFigures.HEADER);
        try (LoadDriver driver = trial.loadDriver()) {
            for (Run run : RUNS) {
                trial.doing(run.script.toString());
                measure(run, driver, outcome, table);
                trial.step();
            }
        }
    }

    private void measure(Run run, LoadDriver driver, Outcome outcome, Outcome.Table table)
            throws IOException {
        TradePlan plan = TradePlan.of(address, TradeWay.POOL, run.instances);
        try (TradeUnderTest test =
                TradeUnderTest.start(plan, trial.heap("256m"), List.of(), driver, trial)) {
            TradeFigures figures = new TradeFigures();
            figures.add(
                    test.watch(
                            new Load.Group(run.script, trial.scaled(USERS)),
                            trial.scaled(RAMP, LEAST),
                            trial.scaled(run.time, LEAST),
                            trial.scaled(MEMORY, LEAST)));
            table.row(
                    "%s, %d instances, %d minutes"
                            .formatted(run.script, run.instances, run.time.toMinutes()),
                    figures.columns());
            List<String> broken = test.broken();
            outcome.finding(
                    "no failure, and the books balance after " + run.script,
                    figures.failureText() + (broken.isEmpty() ? "" : "; " + broken.getFirst()),
                    figures.failures.isEmpty() && broken.isEmpty());
        }
    }
}
