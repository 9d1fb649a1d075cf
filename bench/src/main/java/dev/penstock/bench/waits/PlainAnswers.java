package dev.penstock.bench.waits;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Interleaved;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Small answers that wait for nothing, by as many connections as keep the server busy. */
final class PlainAnswers {
    private static final int CLIENTS = 64;
    private static final int WINDOW = 3000;

    /** Rounds until compilers are done: with a core for all of a server's threads that takes some ten seconds of work. */
    private static final int WARM_UP = 4;

    /** Milliseconds of a trial. */
    private static final int SHORTEST = 60;

    private static final double OF_NETTY = 0.8;

    private final LoadDriver driver;
    private final Settings settings;
    private final Progress progress;

    PlainAnswers(LoadDriver driver, Settings settings, Progress progress) {
        this.driver = driver;
        this.settings = settings;
        this.progress = progress;
    }

    /** Answers a second, and the server's processor time for each, in µs. */
    private record Figures(Samples rate, Samples time) {}

    static long steps(Settings settings) {
        return (long) WaitServer.plain().size() * (settings.repetitions() + WARM_UP);
    }

    void measure(Outcome outcome, String heap) throws IOException {
        Map<WaitServer, Figures> figures = new EnumMap<>(WaitServer.class);
        List<WaitUnderTest> running = new ArrayList<>();
        try {
            for (WaitServer server : WaitServer.plain()) {
                figures.put(server, new Figures(new Samples(), new Samples()));
                running.add(WaitUnderTest.start(server, heap, settings));
            }
            for (int i = -WARM_UP; i < settings.repetitions(); i++) {
                for (WaitUnderTest server : Interleaved.order(running, Math.max(0, i))) {
                    progress.doing("small answers, " + server.server().label());
                    Figures of = figures.get(server.server());
                    if (of != null) {
                        ask(server, i < 0 ? new Figures(new Samples(), new Samples()) : of);
                    }
                    progress.step();
                }
            }
        } finally {
            running.forEach(WaitUnderTest::close);
        }
        report(outcome, figures);
    }

    private void ask(WaitUnderTest server, Figures figures) throws IOException {
        Duration window = Duration.ofMillis(Math.max(SHORTEST, settings.scaled(WINDOW)));
        double before = server.threads().number("cpu");
        LoadFigures seen = driver.runOne(server.plain(CLIENTS, window));
        double after = server.threads().number("cpu");
        if (seen.failed() > 0) {
            throw new IOException(server.server().label() + ": " + seen.failures());
        }
        figures.rate.add(seen.requestsPerMinute() / 60);
        // The ramp is a third of the window, and takes processor time as well.
        figures.time.add((after - before) / 1000 / (Math.max(1, seen.completed()) * 4.0 / 3));
    }

    private static void report(Outcome outcome, Map<WaitServer, Figures> figures) {
        judge(outcome, figures, WaitServer.SUSPENDED, WaitServer.NETTY, OF_NETTY);
        judge(outcome, figures, WaitServer.SUSPENDED, WaitServer.VERTX, 1);
        judge(outcome, figures, WaitServer.VIRTUAL, WaitServer.JETTY_BLOCKING, 1);
        judge(outcome, figures, WaitServer.VIRTUAL, WaitServer.HELIDON, 1);
        List<List<String>> rows = new ArrayList<>();
        figures.forEach((server, seen) -> {
            rows.add(
                    List.of(
                            label(server),
                            Words.number(seen.rate.median()),
                            Words.number(seen.time.median())));
            outcome.measured(
                    "plain", new Answer(Map.of("server", server.name())), "1/s", seen.rate);
        });
        outcome.add(
                new Outcome.Table(
                        "Small answers, 64 connections",
                        List.of("", "answers a second", "processor time of each, µs"),
                        rows));
    }

    private static String label(WaitServer server) {
        return server == WaitServer.SUSPENDED ? "Penstock, event loop" : server.label();
    }

    private static void judge(
            Outcome outcome,
            Map<WaitServer, Figures> figures,
            WaitServer ours,
            WaitServer peer,
            double share) {
        Figures own = figures.get(ours);
        Figures other = figures.get(peer);
        if (own != null && other != null) {
            double ratio = own.rate.medianRatio(other.rate);
            outcome.finding(
                    "small answers: "
                            + label(ours)
                            + " at least "
                            + Words.percent(share)
                            + " of "
                            + peer.label(),
                    Words.percent(ratio),
                    ratio >= share);
        }
    }
}
