package dev.penstock.bench.waits;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.Child;
import dev.penstock.bench.child.ThreadsAndTime;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.experiment.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A {@link WaitServer} in a JVM of its own, as the parent sees it. */
final class WaitUnderTest implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int WARM_CLIENTS = 200;
    private static final int WARM_REQUESTS = 40;
    private static final int WARM_RECONNECTS = 50;

    private final WaitServer server;
    private final Child child;

    private WaitUnderTest(WaitServer server, Child child) {
        this.server = server;
        this.child = child;
    }

    static WaitUnderTest start(WaitServer server, String heap, Settings settings)
            throws IOException {
        String name = "suspend-" + server.name().toLowerCase(java.util.Locale.ROOT);
        return new WaitUnderTest(
                server,
                Child.start(
                        server.label(),
                        WaitServer.class,
                        heap,
                        List.of(server.name()),
                        settings.log(name)));
    }

    WaitServer server() {
        return server;
    }

    int port() {
        return (int) child.ready().whole("port");
    }

    /** Platform threads and processor time, see {@link ThreadsAndTime}. */
    Answer threads() throws IOException {
        return child.ask("threads", PATIENCE);
    }

    /** Heap in use after a full collection. */
    long idleBytes() throws IOException {
        return child.ask("idle", PATIENCE).whole("bytes");
    }

    /** Begins to watch the heap, with a full collection every so often; 0 for none. */
    void watch(long collectEvery) throws IOException {
        child.ask(
                "watch", new Answer(Map.of("collectEvery", Long.toString(collectEvery))), PATIENCE);
    }

    /** The most heap that was alive since {@link #watch}. */
    long mostLiveBytes() throws IOException {
        return child.ask("heap", PATIENCE).whole("largestAfterFull");
    }

    long residentBytes() throws IOException {
        return child.residentBytes();
    }

    /** Clients that wait. */
    Load waits(int clients, int requests, long milliseconds, Duration spread, Duration patience) {
        String answer = WaitServer.waited(milliseconds);
        return load("/hi?wait=" + milliseconds, clients, requests, answer, spread, patience);
    }

    private Load load(
            String path,
            int clients,
            int requests,
            String answer,
            Duration spread,
            Duration patience) {
        return new Load(
                port(),
                Duration.ZERO,
                patience,
                List.of(
                        new Load.Group(
                                "waits",
                                path,
                                clients,
                                requests,
                                spread,
                                0,
                                new Load.Expected(
                                        answer.length(), answer.length(), answer, "", 0))));
    }

    /** Clients that are answered at once, for so long. */
    Load plain(int clients, Duration window) {
        String answer = WaitServer.PLAIN;
        Load endless = load("/plain", clients, 0, answer, Duration.ZERO, window);
        return new Load(endless.port(), window.dividedBy(3), window, endless.groups());
    }

    /** Answers enough, and connections enough, for its code to be compiled: what opens one runs once where a request's runs a hundred times. */
    void warmUp(LoadDriver driver, Settings settings) throws IOException {
        int clients = settings.scaled(WARM_CLIENTS);
        driver.runOne(waits(clients, settings.scaled(WARM_REQUESTS), 10, Duration.ZERO, PATIENCE));
        for (int i = 0; i < settings.scaled(WARM_RECONNECTS); i++) {
            driver.runOne(waits(clients, 1, 10, Duration.ZERO, PATIENCE));
        }
    }

    @Override
    public void close() {
        child.close();
    }
}
