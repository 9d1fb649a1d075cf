package dev.penstock.bench.daytrader;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.server.DatabaseAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Ten times the users that give the best throughput, most of whom are refused and come again a second later. */
final class OverloadPart {
    private static final List<Integer> USERS = List.of(10, 20, 50, 100, 200);
    private static final int INSTANCES = 20;
    private static final int TIMES = 10;
    private static final double WITHIN = 0.85;
    private static final double MOST_REFUSAL_MILLISECONDS = 50;
    private static final Duration RAMP = Duration.ofMillis(500);
    private static final Duration SEARCH = Duration.ofSeconds(2);
    private static final Duration ALONE = Duration.ofSeconds(5);
    private static final Duration OVERLOAD = Duration.ofMinutes(1);

    /** Time for the JVM to compile what accepts and refuses so many, which no other load has run. */
    private static final Duration WARM_UP = Duration.ofSeconds(5);

    private static final Duration RECOVERY = Duration.ofSeconds(5);
    private static final Duration LEAST = Duration.ofMillis(300);

    private final Trial trial;
    private final TradePlan plan;

    OverloadPart(Trial trial, DatabaseAddress address) {
        this.trial = trial;
        plan = TradePlan.of(address, TradeWay.POOL, INSTANCES);
    }

    int steps() {
        return 1;
    }

    void measure(Outcome outcome) throws Exception {
        trial.doing("overload");
        try (LoadDriver driver = trial.loadDriver()) {
            int best = search(driver);
            // As many as are best run and wait; the server refuses the others.
            try (TradeUnderTest test = start(driver, best)) {
                Load.Group few = new Load.Group(TradeScript.TRADE, best);
                Load.Group many = new Load.Group(TradeScript.TRADE, TIMES * best);
                var _ = test.load(trial.scaled(RAMP, LEAST), trial.scaled(WARM_UP, LEAST), many);
                // The best of the JVM that is overloaded afterwards, as warm as it is then.
                LoadFigures alone =
                        test.load(trial.scaled(RAMP, LEAST), trial.scaled(ALONE, LEAST), few);
                TradeUnderTest.Seen over =
                        test.watch(
                                many,
                                trial.scaled(RAMP, LEAST),
                                trial.scaled(OVERLOAD, LEAST),
                                Duration.ZERO);
                LoadFigures after = test.load(Duration.ZERO, trial.scaled(RECOVERY, LEAST), few);
                report(outcome, best, alone, over, after);
            }
        }
        trial.step();
    }

    private TradeUnderTest start(LoadDriver driver, int users) throws IOException {
        TradeUnderTest test =
                TradeUnderTest.start(
                        plan.withRunning((users + 1) / 2),
                        trial.heap("256m"),
                        List.of(),
                        driver,
                        trial);
        test.warmUp();
        return test;
    }

    /** Returns the number of users with the best throughput. */
    private int search(LoadDriver driver) throws IOException {
        int best = 0;
        double most = 0;
        try (TradeUnderTest test = start(driver, 0)) {
            for (int users : USERS) {
                double each =
                        perSecond(
                                test.load(
                                        trial.scaled(RAMP, LEAST),
                                        trial.scaled(SEARCH, LEAST),
                                        new Load.Group(TradeScript.TRADE, users)));
                if (best == 0 || each > most) {
                    best = users;
                    most = each;
                }
            }
        }
        return best;
    }

    private static double perSecond(LoadFigures figures) {
        return figures.requestsPerMinute() / 60;
    }

    private static void report(
            Outcome outcome,
            int users,
            LoadFigures alone,
            TradeUnderTest.Seen over,
            LoadFigures after) {
        double best = perSecond(alone);
        LoadFigures figures = over.figures();
        double recovered = perSecond(after);
        double refused = figures.failures().getOrDefault("status 503", 0L);
        outcome.table(
                        "Overload for a minute, after %d s of the same; %s, a pool of %d"
                                .formatted(WARM_UP.toSeconds(), TradeScript.TRADE, INSTANCES),
                        "users|pages/s|p99, ms|refusals|p99 of refusals, ms|server, cores|client, cores")
                .row(
                        users + ", the best, just before",
                        best,
                        alone.latency().p99(),
                        (double) alone.failed(),
                        "",
                        "",
                        "")
                .row(
                        Integer.toString(TIMES * users),
                        over.perSecond(),
                        figures.latency().p99(),
                        refused,
                        figures.refusal().p99(),
                        over.serverCores(),
                        over.clientCores())
                .row(
                        users + ", in the 5 s after",
                        recovered,
                        after.latency().p99(),
                        (double) after.failed(),
                        "",
                        "",
                        "");
        outcome.atLeast(
                "ten times the best number of users: throughput within 15 % of the best",
                over.perSecond() / best, WITHIN, Figures::percent);
        // Without a refusal there is nothing to judge, and the goal is missed.
        outcome.atMost(
                "p99 of refusals at most 50 ms",
                refused > 0 ? figures.refusal().p99() : Double.NaN,
                MOST_REFUSAL_MILLISECONDS,
                Figures::milliseconds);
        outcome.atLeast(
                "throughput of the 5 s after the overload within 15 % of the best",
                recovered / best, WITHIN, Figures::percent);
    }
}
