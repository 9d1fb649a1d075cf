package dev.penstock.bench.daytrader;

import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The tables, charts and goals of a {@link GridPart}. */
final class GridReport {
    private static final double BEHIND_SEMAPHORE = 0.97;
    private static final double AHEAD_OF_PEKKO = 1.2;
    private static final double LESS_THAN_PEKKO = 0.8;
    private static final double HALF = 0.5;

    /** Live sets that differ by less are the same. */
    private static final double NOISE_MEGABYTES = 1;

    private final GridPart.Setting setting;
    private final List<TradePlan> plans;
    private final List<Integer> users;
    private final Map<GridPart.Cell, TradeFigures> figures;

    GridReport(
            GridPart.Setting setting,
            List<TradePlan> plans,
            List<Integer> users,
            Map<GridPart.Cell, TradeFigures> figures) {
        this.setting = setting;
        this.plans = plans;
        this.users = users;
        this.figures = figures;
    }

    private @Nullable TradeFigures of(TradeWay way, int atOnce, TradeScript script, int count) {
        return figures.get(new GridPart.Cell(way, atOnce, script, count));
    }

    private List<Integer> sizes() {
        return plans.stream()
                .filter(plan -> plan.way() == TradeWay.POOL)
                .map(TradePlan::atOnce)
                .toList();
    }

    void write(Outcome outcome) {
        goals(outcome);
        for (TradeScript script : GridPart.SCRIPTS) {
            shares(outcome, script);
            gains(outcome, script);
            for (int count : users) {
                table(outcome, script, count);
            }
            chart(outcome, script, "pages a second", each -> each.perSecond);
            chart(outcome, script, "additional memory, MB", each -> each.additional);
        }
    }

    private void table(Outcome outcome, TradeScript script, int count) {
        Outcome.Table table =
                outcome.table(
                        "%s; %s, %s".formatted(script, GridPart.users(count), setting),
                        TradeFigures.HEADER);
        for (TradePlan plan : plans) {
            TradeFigures seen = of(plan.way(), plan.atOnce(), script, count);
            if (seen != null) {
                table.row(plan.toString(), seen.columns());
            }
        }
    }

    /** As in the article's plots; ways without a number of calls at once are level lines. */
    private void chart(
            Outcome outcome,
            TradeScript script,
            String figure,
            Function<TradeFigures, Samples> samples) {
        int most = users.getLast();
        Outcome.Chart chart =
                outcome.chart(
                        "%s; %s".formatted(script, GridPart.users(most)),
                        "instances, actors or permits",
                        figure);
        for (TradePlan plan : plans) {
            TradeFigures seen = of(plan.way(), plan.atOnce(), script, most);
            for (int size : plan.way().isBounded() ? List.of(plan.atOnce()) : sizes()) {
                if (seen != null) {
                    chart.point(plan.way().toString(), size, samples.apply(seen).median());
                }
            }
        }
    }

    /** A table of throughput and memory of each way against a new object a request, beside the article's figures. */
    private void shares(Outcome outcome, TradeScript script) {
        int most = users.getLast();
        TradeFigures base = of(TradeWay.DIRECT, 0, script, most);
        if (base == null) {
            return;
        }
        Outcome.Table table =
                outcome.table(
                        "%s; %s, beside a new object a request with a connection pool of 20"
                                .formatted(script, GridPart.users(most)),
                        "|throughput|additional memory");
        for (TradePlan plan : plans) {
            TradeFigures seen = of(plan.way(), plan.atOnce(), script, most);
            if (seen != null && plan.way() != TradeWay.DIRECT) {
                table.row(
                        plan.toString(),
                        change(seen.perSecond.medianRatio(base.perSecond)),
                        change(positiveRatio(seen.additional, base.additional)));
            }
        }
        table.row("the article's actors, Akka 2.0 on Derby, 2012", "+18 %, +8 %", "-38 %");
    }

    /** A table of what bounding alone gives, and what the pool gives beside that. */
    private void gains(Outcome outcome, TradeScript script) {
        int most = users.getLast();
        TradeFigures base = of(TradeWay.DIRECT, 0, script, most);
        Outcome.Table table =
                outcome.table(
                        "%s; %s: which part of the throughput comes of what"
                                .formatted(script, GridPart.users(most)),
                        "at once|bounding alone: semaphore beside a new object a request|the pool beside the semaphore"
                                + "|repetitions of the semaphore differ by");
        for (int size : sizes()) {
            TradeFigures semaphore = of(TradeWay.SEMAPHORE, size, script, most);
            TradeFigures pool = of(TradeWay.POOL, size, script, most);
            if (base != null && semaphore != null && pool != null) {
                table.row(
                        Integer.toString(size),
                        change(semaphore.perSecond.medianRatio(base.perSecond)),
                        change(pool.perSecond.medianRatio(semaphore.perSecond)),
                        Figures.percent(spread(semaphore.perSecond)));
            }
        }
    }

    private static double spread(Samples samples) {
        return (samples.max() - samples.min()) / samples.median();
    }

    /** The ratio of figures that are both more than the noise of a collection around nothing; else not a number. */
    private static double positiveRatio(Samples ours, Samples theirs) {
        return ours.median() > 0 && theirs.median() > 0
                ? ours.median() / theirs.median()
                : Double.NaN;
    }

    private static String change(double ratio) {
        return Double.isNaN(ratio) ? "" : "%+.1f %%".formatted((ratio - 1) * 100);
    }

    /** A cell of our pools, with a ratio to another contender's. */
    private record Ratio(double value, String at) {}

    private void goals(Outcome outcome) {
        Ratio semaphore = least(cell -> ratio(cell, TradeWay.SEMAPHORE, each -> each.perSecond));
        outcome.finding(
                setting + ": our pool is behind the semaphore of the same size by 3 % at most",
                "%s of its throughput at the least: %s"
                        .formatted(Figures.percent(semaphore.value), semaphore.at),
                semaphore.value >= BEHIND_SEMAPHORE);
        Ratio faster = least(cell -> ratio(cell, TradeWay.PEKKO, each -> each.perSecond));
        Ratio pekko = least(this::aheadOfPekko);
        outcome.finding(
                setting + ": ahead of as many Pekko actors by 20 % in throughput or memory",
                "%s of its throughput at the least: %s; in the cell that is furthest from the goal, by throughput or memory, %s of it: %s"
                        .formatted(
                                Figures.percent(faster.value),
                                faster.at,
                                Figures.percent(pekko.value),
                                pekko.at),
                pekko.value >= 1);
        Ratio tail = least(cell -> 1 / ratioToUnpooled(cell));
        outcome.finding(
                setting
                        + ": p99 at most half of that of a new object a request without a connection pool",
                "%s of it at the most: %s%s"
                        .formatted(
                                Figures.percent(1 / tail.value),
                                tail.at,
                                isUnpooledBounded() ? "; its times are lower bounds" : ""),
                tail.value >= 1 / HALF);
        long failures =
                pools().stream()
                        .flatMap(cell -> of(cell).failures.values().stream())
                        .mapToLong(Long::longValue)
                        .sum();
        outcome.finding(
                setting + ": no request to our pools fails", failures + " failures", failures == 0);
    }

    private List<GridPart.Cell> pools() {
        return figures.keySet().stream().filter(cell -> cell.way() == TradeWay.POOL).toList();
    }

    private TradeFigures of(GridPart.Cell cell) {
        return Objects.requireNonNull(figures.get(cell));
    }

    /** The least ratio of all our cells; not a number where there is none. */
    private Ratio least(ToDoubleFunction<GridPart.Cell> ratio) {
        Ratio least = new Ratio(Double.NaN, "nothing was measured");
        for (GridPart.Cell cell : pools()) {
            double value = ratio.applyAsDouble(cell);
            if (Double.isNaN(least.value) || value < least.value) {
                least =
                        new Ratio(
                                value,
                                "%d instances, %s, %s"
                                        .formatted(
                                                cell.atOnce(),
                                                GridPart.users(cell.users()),
                                                cell.script()));
            }
        }
        return least;
    }

    /** Of throughput and memory the one that is further ahead, by its goal. */
    private double aheadOfPekko(GridPart.Cell cell) {
        double throughput = ratio(cell, TradeWay.PEKKO, each -> each.perSecond);
        return Math.max(throughput / AHEAD_OF_PEKKO, smallerThanPekko(cell));
    }

    /** Returns 1 where our additional memory is as much smaller as the goal says; not a number where none is known. */
    private double smallerThanPekko(GridPart.Cell cell) {
        TradeFigures pekko = of(TradeWay.PEKKO, cell.atOnce(), cell.script(), cell.users());
        double ours = of(cell).additional.median();
        double theirs = pekko == null ? Double.NaN : pekko.additional.median();
        if (theirs - ours < NOISE_MEGABYTES) {
            return 0;
        }
        // None to speak of is as good as can be.
        return ours <= 0 ? 1 : LESS_THAN_PEKKO * theirs / ours;
    }

    private boolean isUnpooledBounded() {
        return figures.entrySet().stream()
                .filter(cell -> cell.getKey().way() == TradeWay.DIRECT_UNPOOLED)
                .anyMatch(cell -> cell.getValue().isLowerBound());
    }

    private double ratioToUnpooled(GridPart.Cell cell) {
        TradeFigures unpooled = of(TradeWay.DIRECT_UNPOOLED, 0, cell.script(), cell.users());
        return unpooled == null ? Double.NaN : of(cell).p99.medianRatio(unpooled.p99);
    }

    private double ratio(GridPart.Cell cell, TradeWay way, Function<TradeFigures, Samples> figure) {
        TradeFigures other = of(way, cell.atOnce(), cell.script(), cell.users());
        return other == null ? Double.NaN : figure.apply(of(cell)).medianRatio(figure.apply(other));
    }
}
