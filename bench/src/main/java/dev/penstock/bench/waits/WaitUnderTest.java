package dev.penstock.bench.waits;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.child.ResidentWatch;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/**
 * A {@link WaitServer} in a JVM of its own, as the parent sees it.
 *
 * @param child the JVM, whose object is the server's port
 */
record WaitUnderTest(WaitServer server, Child<Integer> child, int port) implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int WARM_CLIENTS = 200;
    private static final int WARM_REQUESTS = 40;
    private static final int WARM_RECONNECTS = 50;

    static WaitUnderTest start(WaitServer server, String heap, Trial trial) throws IOException {
        String log = "suspend-" + server.name().toLowerCase(Locale.ROOT);
        Child<Integer> child =
                Child.start(server.toString(), heap, trial.log(log), () -> server.start());
        return new WaitUnderTest(server, child, child.call(port -> port));
    }

    /** Clients that wait. */
    static Load.Group waits(int clients, int requests, long milliseconds) {
        return new Load.Group(
                        "/hi?wait=" + milliseconds,
                        clients,
                        Load.Expected.text(WaitServer.waited(milliseconds)))
                .requests(requests);
    }

    /**
     * Answers enough, and connections enough, for its code to be compiled: what opens one runs once where a request's
     * runs a hundred times.
     */
    void warmUp(LoadDriver driver, Trial trial) throws IOException {
        int clients = trial.scaled(WARM_CLIENTS);
        int requests = trial.scaled(WARM_REQUESTS);
        driver.runOne(new Load(port, TIMEOUT, waits(clients, requests, 10)));
        for (int i = 0; i < trial.scaled(WARM_RECONNECTS); i++) {
            driver.runOne(new Load(port, TIMEOUT, waits(clients, 1, 10)));
        }
    }

    /** The figures of a load, with the server's memory and threads meanwhile. */
    record Watched(LoadFigures figures, double liveBytes, double residentBytes, int threads) {}

    /**
     * Puts a load on it, and watches it.
     *
     * @param collect how often a full collection is forced; zero for never, and then there are no live bytes
     */
    Watched watch(LoadDriver driver, Load.Group group, Duration timeout, Duration collect)
            throws IOException {
        child.threads();
        child.watchHeap(collect);
        try (ResidentWatch resident = new ResidentWatch(child)) {
            LoadFigures figures = driver.runOne(new Load(port, timeout, group));
            long most = resident.mostBytes();
            return new Watched(figures, child.heap().mostBytes(), most, child.threads().peak());
        }
    }

    @Override
    public String toString() {
        return server.toString();
    }

    @Override
    public void close() {
        child.close();
    }
}
