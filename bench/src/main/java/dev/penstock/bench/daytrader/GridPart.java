package dev.penstock.bench.daytrader;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.server.DatabaseAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Both scenarios of the article by every way to call the services, for some numbers of users and of calls at once. */
final class GridPart {
    static final List<TradeScript> SCRIPTS = List.of(TradeScript.QUOTES, TradeScript.TRADE);

    private static final int MOST_REPETITIONS = 3;
    private static final Duration RAMP = Duration.ofMillis(800);
    private static final Duration WINDOW = Duration.ofSeconds(2);

    /** The window without a connection pool, where hardly a request ends in two seconds. */
    private static final Duration UNPOOLED_WINDOW = Duration.ofSeconds(10);

    private static final Duration FULL_RAMP = Duration.ofSeconds(10);
    private static final Duration FULL_WINDOW = Duration.ofSeconds(20);
    private static final Duration MEMORY = Duration.ofMillis(900);
    private static final Duration LEAST = Duration.ofMillis(300);

    /** A database, a heap and a collector that contenders run on. */
    record Setting(DatabaseAddress address, String database, String heap, String collector) {
        List<String> options() {
            return collector.equals("Serial")
                    ? List.of()
                    : List.of("-XX:-UseSerialGC", "-XX:+Use" + collector + "GC");
        }

        @Override
        public String toString() {
            return "%s, heap %s, %s collector".formatted(database, heap, collector);
        }
    }

    /** A load on a contender. */
    record Cell(TradeWay way, int atOnce, TradeScript script, int users) {}

    private final Trial trial;
    private final Setting setting;
    private final List<Integer> users;
    private final List<TradePlan> plans = new ArrayList<>();
    private final Map<Cell, TradeFigures> figures = new LinkedHashMap<>();

    GridPart(Trial trial, Setting setting) {
        this.trial = trial;
        this.setting = setting;
        boolean isTrial = trial.settings().scale() < DayTraderExperiment.TRIAL;
        users = isTrial ? List.of(2, 4) : List.of(300, 700);
        for (TradeWay way : List.of(TradeWay.DIRECT_UNPOOLED, TradeWay.DIRECT)) {
            plans.add(TradePlan.of(setting.address, way, 0));
        }
        for (int atOnce : atOnce(isTrial)) {
            for (TradeWay way : TradeWay.BOUNDED) {
                plans.add(TradePlan.of(setting.address, way, atOnce));
            }
        }
    }

    private List<Integer> atOnce(boolean isTrial) {
        if (isTrial) {
            return List.of(20);
        }
        return trial.full() ? List.of(20, 50, 75, 100, 200, 300) : List.of(20, 50, 100, 300);
    }

    private int repetitions() {
        return Math.min(MOST_REPETITIONS, trial.repetitions());
    }

    int steps() {
        return plans.size() * repetitions();
    }

    void measure(Outcome outcome) throws Exception {
        try (LoadDriver driver = trial.loadDriver()) {
            for (int i = 0; i < repetitions(); i++) {
                for (TradePlan plan : Trial.order(plans, i)) {
                    trial.doing(setting.database + ", " + plan);
                    measure(plan, driver, outcome);
                    trial.step();
                }
            }
        }
        new GridReport(setting, plans, users, figures).write(outcome);
    }

    private void measure(TradePlan plan, LoadDriver driver, Outcome outcome) throws IOException {
        Duration ramp = trial.scaled(trial.full() ? FULL_RAMP : RAMP, LEAST);
        Duration some = plan.way() == TradeWay.DIRECT_UNPOOLED ? UNPOOLED_WINDOW : WINDOW;
        Duration window = trial.scaled(trial.full() ? FULL_WINDOW : some, LEAST);
        Duration memory = trial.scaled(MEMORY, LEAST);
        try (TradeUnderTest test =
                TradeUnderTest.start(plan, setting.heap, setting.options(), driver, trial)) {
            test.warmUp();
            for (TradeScript script : SCRIPTS) {
                for (int count : users) {
                    Cell cell = new Cell(plan.way(), plan.atOnce(), script, count);
                    figures.computeIfAbsent(cell, _ -> new TradeFigures())
                            .add(test.watch(new Load.Group(script, count), ramp, window, memory));
                }
            }
        } catch (Child.Failed e) {
            outcome.text("%s, %s: %s".formatted(setting, plan, e.getMessage()));
        }
    }

    static String users(int count) {
        return "%,d users".formatted(count);
    }
}
