package dev.penstock.bench.daytrader;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.server.DatabaseAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The five optimisations that the article names at its end, each on and off. */
final class OptimisationsPart {
    private static final int USERS = 300;
    private static final int INSTANCES = 50;
    private static final int MOST_REPETITIONS = 2;
    private static final Duration RAMP = Duration.ofMillis(500);
    private static final Duration WINDOW = Duration.ofMillis(1500);
    private static final Duration MEMORY = Duration.ofMillis(800);
    private static final Duration LEAST = Duration.ofMillis(200);

    /** A plan with the optimisation that it is about. */
    private record Variant(String label, TradePlan plan) {
        @Override
        public String toString() {
            return label;
        }
    }

    private final Trial trial;
    private final List<Variant> variants;

    OptimisationsPart(Trial trial, DatabaseAddress address) {
        this.trial = trial;
        TradePlan base = TradePlan.of(address, TradeWay.POOL, INSTANCES);
        List<Variant> all =
                List.of(
                        new Variant("none but held connections", base),
                        new Variant(
                                "1: a pool each for stocks, users and trades", base.withSplit()),
                        new Variant(
                                "2 off: connections of a shared pool",
                                base.withConnections(INSTANCES)),
                        new Variant("3: stocks of a page at once", base.withItemsAtOnce()),
                        new Variant(
                                "4: parts of a task to a pool of their own, at once",
                                base.withSplit().withItemsAtOnce()),
                        new Variant("5: calls run by one processor", base.withScheduler(1)),
                        new Variant("5: calls run by four threads", base.withScheduler(4)));
        variants = trial.settings().scale() < DayTraderExperiment.TRIAL ? all.subList(3, 5) : all;
    }

    private int repetitions() {
        return Math.min(MOST_REPETITIONS, trial.repetitions());
    }

    int steps() {
        return variants.size() * repetitions();
    }

    void measure(Outcome outcome) throws Exception {
        Map<String, Map<TradeScript, TradeFigures>> all = new LinkedHashMap<>();
        variants.forEach(variant -> all.put(variant.label, new LinkedHashMap<>()));
        try (LoadDriver driver = trial.loadDriver()) {
            for (int i = 0; i < repetitions(); i++) {
                for (Variant variant : Trial.order(variants, i)) {
                    trial.doing("optimisations, " + variant);
                    measure(variant, driver, Objects.requireNonNull(all.get(variant.label)));
                    trial.step();
                }
            }
        }
        for (TradeScript script : GridPart.SCRIPTS) {
            Outcome.Table table =
                    outcome.table(
                            "The article's further optimisations; %s; %s, a pool of %d"
                                    .formatted(script, GridPart.users(USERS), INSTANCES),
                            TradeFigures.HEADER);
            all.forEach((label, figures) -> {
                TradeFigures seen = figures.get(script);
                if (seen != null) {
                    table.row(label, seen.columns());
                }
            });
        }
    }

    private void measure(Variant variant, LoadDriver driver, Map<TradeScript, TradeFigures> figures)
            throws IOException {
        try (TradeUnderTest test =
                TradeUnderTest.start(variant.plan, trial.heap("256m"), List.of(), driver, trial)) {
            test.warmUp();
            for (TradeScript script : GridPart.SCRIPTS) {
                figures.computeIfAbsent(script, _ -> new TradeFigures())
                        .add(
                                test.watch(
                                        new Load.Group(script, trial.scaled(USERS)),
                                        trial.scaled(RAMP, LEAST),
                                        trial.scaled(WINDOW, LEAST),
                                        trial.scaled(MEMORY, LEAST)));
            }
        }
    }
}
