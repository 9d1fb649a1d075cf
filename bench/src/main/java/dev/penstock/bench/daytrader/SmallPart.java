package dev.penstock.bench.daytrader;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.server.DatabaseAddress;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

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

    private static final String FIRST_PAGE = "/daytrader/app";
    private static final Duration CACHING = Duration.ofMinutes(1);

    private final Trial trial;
    private final TradePlan plan;
    private final Path cache;

    /**
     * @param directory for the AOT cache
     */
    SmallPart(Trial trial, DatabaseAddress address, Path directory) {
        this.trial = trial;
        cache = directory.resolve("daytrader.aot");
        plan = TradePlan.of(address, TradeWay.POOL, INSTANCES);
    }

    int steps() {
        return 1;
    }

    void measure(Outcome outcome) throws Exception {
        trial.doing("heap of " + HEAP);
        Samples starts = new Samples();
        Samples cached = new Samples();
        TradeFigures figures = new TradeFigures();
        List<String> broken;
        try (LoadDriver driver = trial.loadDriver()) {
            boolean isCached = makeCache(driver);
            for (int i = 0; i < trial.scaled(STARTS); i++) {
                if (isCached) {
                    start(driver, List.of("-XX:AOTCache=" + cache), cached).close();
                }
                start(driver, List.of(), starts).close();
            }
            try (TradeUnderTest test = start(driver, List.of(), new Samples())) {
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
        // Where no cache could be made, the goal is missed.
        outcome.finding(
                "first page within a second of the JVM's start, with an AOT cache",
                "%s; without one %s"
                        .formatted(
                                cached.isEmpty()
                                        ? "no cache was made, as the class path has directories"
                                        : Figures.milliseconds(cached.median()),
                                Figures.milliseconds(starts.median())),
                !cached.isEmpty() && cached.median() <= MOST_START_MILLISECONDS);
        trial.step();
    }

    /**
     * Has a JVM that has shown one page write its classes to a file, as {@code ./penstock cache} does. Returns whether
     * it could: it takes them from jars alone, and tests run the classes of directories.
     */
    private boolean makeCache(LoadDriver driver) throws IOException, InterruptedException {
        if (Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .anyMatch(entry -> Files.isDirectory(Path.of(entry)))) {
            return false;
        }
        TradeUnderTest test = start(driver, List.of("-XX:AOTCacheOutput=" + cache), new Samples());
        test.close(CACHING);
        if (!Files.exists(cache)) {
            throw new IOException("No AOT cache was made");
        }
        return true;
    }

    private TradeUnderTest start(LoadDriver driver, List<String> options, Samples starts)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        TradeUnderTest test = TradeUnderTest.start(plan, HEAP, options, driver, trial);
        var _ = LoadDriver.get(test.port(), FIRST_PAGE);
        starts.add((System.nanoTime() - start) / 1e6);
        return test;
    }
}
