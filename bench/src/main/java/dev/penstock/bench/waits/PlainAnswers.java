package dev.penstock.bench.waits;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Small answers that wait for nothing, by as many connections as keep the server busy. */
final class PlainAnswers {
    private static final int CLIENTS = 64;
    private static final Duration WINDOW = Duration.ofSeconds(3);
    private static final Duration SHORTEST = Duration.ofMillis(60);

    /**
     * Rounds until compilers are done: with a core for all of a server's threads that takes some ten seconds of work.
     */
    private static final int WARM_UP = 4;

    private static final double OF_NETTY = 0.8;

    private PlainAnswers() {}

    /** Answers a second, and the server's processor time for each, in µs. */
    private record Seen(Samples rate, Samples time) {}

    static long steps(Trial trial) {
        return (long) WaitServer.PLAIN_ANSWERS.size() * (trial.repetitions() + WARM_UP);
    }

    static void measure(Outcome outcome, String heap, LoadDriver driver, Trial trial)
            throws Exception {
        Map<WaitServer, Seen> seen = new EnumMap<>(WaitServer.class);
        List<WaitUnderTest> running = new ArrayList<>();
        try {
            for (WaitServer server : WaitServer.PLAIN_ANSWERS) {
                seen.put(server, new Seen(new Samples(), new Samples()));
                running.add(WaitUnderTest.start(server, heap, trial));
            }
            Seen ignored = new Seen(new Samples(), new Samples());
            trial.interleave(
                    WARM_UP,
                    "small answers, ",
                    running,
                    (server, counts) ->
                            ask(
                                    server,
                                    counts ? of(seen, server.server()) : ignored,
                                    driver,
                                    trial));
        } finally {
            running.forEach(WaitUnderTest::close);
        }
        report(outcome, seen);
    }

    private static Seen of(Map<WaitServer, Seen> all, WaitServer server) {
        return Objects.requireNonNull(all.get(server), server.name());
    }

    private static void ask(WaitUnderTest server, Seen seen, LoadDriver driver, Trial trial)
            throws IOException {
        Duration window = trial.scaled(WINDOW, SHORTEST);
        Load.Expected expected = Load.Expected.text(WaitServer.PLAIN);
        List<Load.Group> groups = List.of(new Load.Group("/plain", CLIENTS, expected));
        long before = server.child().threads().processorNanos();
        LoadFigures figures =
                driver.runOne(new Load(server.port(), window.dividedBy(3), window, groups));
        long after = server.child().threads().processorNanos();
        if (figures.failed() > 0) {
            throw new IOException(server + ": " + figures.failures());
        }
        seen.rate.add(figures.requestsPerMinute() / 60);
        // The ramp is a third of the window, and takes processor time as well.
        double answers = Math.max(1, figures.completed()) * 4.0 / 3;
        seen.time.add((after - before) / 1000.0 / answers);
    }

    private static void report(Outcome outcome, Map<WaitServer, Seen> all) {
        judge(outcome, all, WaitServer.SUSPENDED, WaitServer.NETTY, OF_NETTY);
        judge(outcome, all, WaitServer.SUSPENDED, WaitServer.VERTX, 1);
        judge(outcome, all, WaitServer.VIRTUAL, WaitServer.JETTY_BLOCKING, 1);
        judge(outcome, all, WaitServer.VIRTUAL, WaitServer.HELIDON, 1);
        Outcome.Table table =
                outcome.table(
                        "Small answers, 64 connections",
                        "|answers a second|processor time of each, µs");
        all.forEach((server, seen) -> {
            table.row(label(server), seen.rate, seen.time);
        });
    }

    private static String label(WaitServer server) {
        return server == WaitServer.SUSPENDED ? "Penstock, event loop" : server.toString();
    }

    private static void judge(
            Outcome outcome,
            Map<WaitServer, Seen> all,
            WaitServer ours,
            WaitServer peer,
            double share) {
        outcome.atLeast(
                "small answers: %s at least %s of %s"
                        .formatted(label(ours), Figures.percent(share), peer),
                of(all, ours).rate.medianRatio(of(all, peer).rate),
                share,
                Figures::percent);
    }
}
