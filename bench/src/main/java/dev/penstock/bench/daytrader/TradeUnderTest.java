package dev.penstock.bench.daytrader;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.child.ResidentWatch;
import dev.penstock.bench.child.ThreadUse;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An application under measurement as the parent sees it, with the client that puts load on it. */
final class TradeUnderTest implements AutoCloseable {
    /** So many users warm it up. */
    private static final int WARM_USERS = 300;

    /** Most of the code is compiled after that; the throughput of a JVM of 2 s is half of what it is in the end. */
    private static final Duration WARM_UP = Duration.ofSeconds(7);

    private static final Duration LEAST = Duration.ofMillis(300);
    private static final Duration COLLECT = Duration.ofMillis(400);

    private static final Duration BOOKS = Duration.ofMinutes(2);

    private final Child<TradeServer> child;
    private final LoadDriver driver;
    private final Trial trial;
    private final int port;

    /** The live set after the warm-up; not a number before. */
    private double idleBytes = Double.NaN;

    private TradeUnderTest(Child<TradeServer> child, LoadDriver driver, Trial trial)
            throws IOException {
        this.child = child;
        this.driver = driver;
        this.trial = trial;
        port = child.call(TradeServer::port);
    }

    /**
     * Starts it.
     *
     * @param options more of them for the JVM
     */
    static TradeUnderTest start(
            TradePlan plan, String heap, List<String> options, LoadDriver driver, Trial trial)
            throws IOException {
        String log = "daytrader-" + plan.way().name().toLowerCase(Locale.ROOT);
        Child<TradeServer> child =
                Child.start(
                        plan.toString(),
                        heap,
                        allOptions(plan, options),
                        trial.log(log),
                        () -> TradeServer.start(plan));
        try {
            return new TradeUnderTest(child, driver, trial);
        } catch (IOException e) {
            child.close();
            throw e;
        }
    }

    private static List<String> allOptions(TradePlan plan, List<String> options) {
        List<String> all = new ArrayList<>(options);
        if (plan.scheduler() > 0) {
            all.add("-Djdk.virtualThreadScheduler.parallelism=" + plan.scheduler());
        }
        return all;
    }

    int port() {
        return port;
    }

    /** The holdings of a user, which can be sold. */
    List<Integer> holdings(String userID) throws IOException {
        return List.copyOf(child.call(server -> new ArrayList<>(server.holdings(userID))));
    }

    /** The rules of the books that are broken. */
    List<String> broken() throws IOException {
        return List.copyOf(child.call(BOOKS, server -> new ArrayList<>(server.broken())));
    }

    double populatedSeconds() throws IOException {
        return child.call(TradeServer::populatedSeconds);
    }

    /**
     * The figures of a load.
     *
     * @param additionalBytes the live set after collections under load, less that after the warm-up
     * @param serverCores the processor time of the server a second
     * @param clientCores that of the load client
     */
    record Seen(
            LoadFigures figures,
            double additionalBytes,
            double residentBytes,
            int threads,
            double serverCores,
            double clientCores) {
        double perSecond() {
            return figures.requestsPerMinute() / 60;
        }
    }

    /** Puts load on it that does not count. */
    void warmUp() throws IOException {
        Load.Group group = new Load.Group(TradeScript.TRADE, trial.scaled(WARM_USERS));
        load(Duration.ZERO, trial.scaled(WARM_UP, LEAST), group);
        idleBytes = child.idleHeapBytes();
    }

    LoadFigures load(Duration ramp, Duration window, Load.Group group) throws IOException {
        return driver.runOne(new Load(port, ramp, window, List.of(group)));
    }

    /**
     * Puts a load on it, and the same once more while its heap is collected, which would cost throughput before.
     *
     * @param ramp the time over which users begin
     * @param window the time that counts, after it
     * @param memory the time of the load under which the heap is collected; zero for none
     */
    Seen watch(Load.Group group, Duration ramp, Duration window, Duration memory)
            throws IOException {
        if (Double.isNaN(idleBytes)) {
            idleBytes = child.idleHeapBytes();
        }
        ThreadUse before = child.threads();
        ThreadUse client = driver.threads();
        LoadFigures figures;
        double resident;
        try (ResidentWatch watch = new ResidentWatch(child)) {
            figures = load(ramp, window, group.rampUp(ramp));
            resident = watch.mostBytes();
        }
        ThreadUse after = child.threads();
        double nanos = ramp.plus(window).toNanos();
        double server = (after.processorNanos() - before.processorNanos()) / nanos;
        double clients = (driver.threads().processorNanos() - client.processorNanos()) / nanos;
        double additional = memory.isZero() ? Double.NaN : live(group, memory) - idleBytes;
        return new Seen(figures, additional, resident, after.peak(), server, clients);
    }

    private double live(Load.Group group, Duration time) throws IOException {
        child.watchHeap(COLLECT);
        var _ = load(Duration.ZERO, time, group);
        long most = child.heap().mostBytes();
        // Where no collection came in that time, nothing is known.
        return most > 0 ? most : Double.NaN;
    }

    @Override
    public void close() {
        child.close();
    }

    /** Closes it, and leaves its JVM time to write a file that it was asked for. */
    void close(Duration longest) {
        child.close(longest);
    }
}
