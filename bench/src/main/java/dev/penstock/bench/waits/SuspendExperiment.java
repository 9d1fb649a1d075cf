package dev.penstock.bench.waits;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.Child;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Experiment;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Article 2's experiment: requests that wait, at several servers, and what waiting costs these. */
public final class SuspendExperiment implements Experiment {
    private static final List<Integer> AT_ONCE = List.of(10, 100, 200, 500, 1000);
    private static final int MOST_AT_ONCE = 1000;
    private static final int REQUESTS = 6000;
    private static final int WAIT = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    /** What an answer at the end of the line may be later than one at its beginning. */
    private static final double FLAT = 1.25;

    @Override
    public String name() {
        return "suspend";
    }

    @Override
    public String summary() {
        return "article 2: requests that wait, at six servers; thousands at once; small answers; about twelve minutes";
    }

    @Override
    public Outcome run(Settings settings, Progress progress) throws Exception {
        String heap = settings.heapsOr("64m").getFirst();
        List<WaitServer> servers = WaitServer.waiting();
        progress.steps(
                (long) servers.size() * AT_ONCE.size() * settings.repetitions()
                        + ManyWaits.steps()
                        + 1
                        + PlainAnswers.steps(settings));
        Outcome outcome = new Outcome(name(), "Requests that wait, heap " + heap);
        outcome.text(
                "Requests of /hi?wait=100 are answered after that time, as in the article: by blocking and asynchronous servlets, suspended responses and"
                        + " virtual threads, each server in a JVM of its own with the same heap. Clients keep their connections and ask again as soon"
                        + " as they have their answer.");
        try (LoadDriver driver = LoadDriver.start(settings.log("load-client"))) {
            Map<WaitServer, Figures> figures = new EnumMap<>(WaitServer.class);
            for (WaitServer server : servers) {
                figures.put(server, new Figures());
            }
            measure(figures, heap, driver, settings, progress);
            report(outcome, figures);
            new ManyWaits(driver, settings, progress).measure(outcome, heap);
            Http2Waits.measure(outcome, settings, progress);
            new PlainAnswers(driver, settings, progress).measure(outcome, heap);
        }
        return outcome;
    }

    /** What one server's clients saw. */
    private static final class Figures {
        private final Map<Integer, Samples> p50 = new LinkedHashMap<>();
        private final Map<Integer, Samples> p99 = new LinkedHashMap<>();
        private final Map<Integer, List<Double>> last = new LinkedHashMap<>();
        private final Samples threads = new Samples();
        private long wrong;

        private void add(int atOnce, LoadFigures seen, long wanted) {
            p50.computeIfAbsent(atOnce, _ -> new Samples()).add(seen.p50Milliseconds());
            p99.computeIfAbsent(atOnce, _ -> new Samples()).add(seen.p99Milliseconds());
            last.put(atOnce, seen.quantiles());
            wrong += seen.failed() + Math.max(0, wanted - seen.completed() - seen.failed());
        }

        private double p99(int atOnce) {
            return p99.getOrDefault(atOnce, new Samples()).median();
        }
    }

    private static void measure(
            Map<WaitServer, Figures> figures,
            String heap,
            LoadDriver driver,
            Settings settings,
            Progress progress)
            throws IOException {
        List<WaitServer> servers = List.copyOf(figures.keySet());
        for (int i = 0; i < settings.repetitions(); i++) {
            // By itself: one whose heap is full would take the others' processor time.
            for (WaitServer server : Interleaved.order(servers, i)) {
                progress.doing("warming up " + server.label());
                Figures of = figures.get(server);
                try (WaitUnderTest started = WaitUnderTest.start(server, heap, settings)) {
                    started.warmUp(driver, settings);
                    for (int atOnce : AT_ONCE) {
                        progress.doing(atOnce + " at once, " + server.label());
                        if (of != null && of.wrong == 0) {
                            ask(of, started, atOnce, driver, settings);
                        }
                        progress.step();
                    }
                }
            }
        }
    }

    private static void ask(
            Figures figures, WaitUnderTest server, int atOnce, LoadDriver driver, Settings settings)
            throws IOException {
        int clients = settings.scaled(atOnce);
        // 6,000 requests by ten clients take a minute, and say no more than a tenth of them.
        int all = settings.scaled(atOnce < 100 && !settings.full() ? REQUESTS / 10 : REQUESTS);
        int each = Math.max(1, all / clients);
        long wanted = (long) each * clients;
        try {
            server.threads();
            LoadFigures seen =
                    driver.runOne(server.waits(clients, each, WAIT, Duration.ZERO, PATIENCE));
            figures.add(atOnce, seen, wanted);
            if (atOnce == MOST_AT_ONCE) {
                figures.threads.add(server.threads().number("peak"));
            }
        } catch (Child.Failed e) {
            // It tells no more of itself.
            figures.wrong += wanted;
        }
    }

    private static void report(Outcome outcome, Map<WaitServer, Figures> figures) {
        judge(outcome, figures);
        List<String> header = new ArrayList<>(List.of(""));
        AT_ONCE.forEach(atOnce -> header.add(atOnce + " at once"));
        header.add("threads");
        header.add("wrong");
        List<List<String>> rows = new ArrayList<>();
        figures.forEach((server, seen) -> {
            List<String> row = new ArrayList<>(List.of(server.label()));
            AT_ONCE.forEach(atOnce ->
                    row.add(
                            Words.number(median(seen.p50.get(atOnce)))
                                    + " / "
                                    + Words.number(median(seen.p99.get(atOnce)))));
            row.add(Words.number(seen.threads.median()));
            row.add(Words.number((double) seen.wrong));
            rows.add(row);
        });
        outcome.add(
                new Outcome.Table(
                        "Answers after 100 ms: median / 99th percentile, ms; whoever fails is asked no more",
                        header,
                        rows));
        for (int atOnce : AT_ONCE) {
            chart(outcome, figures, atOnce);
        }
        figures.forEach((server, seen) ->
                seen.p99.forEach((atOnce, samples) ->
                        outcome.measured(
                                "p99",
                                new Answer(
                                        Map.of(
                                                "server", server.name(),
                                                "at-once", Integer.toString(atOnce))),
                                "ms",
                                samples)));
    }

    private static double median(@Nullable Samples samples) {
        return samples == null ? Double.NaN : samples.median();
    }

    private static void judge(Outcome outcome, Map<WaitServer, Figures> figures) {
        Figures ours = figures.get(WaitServer.SUSPENDED);
        if (ours == null) {
            return;
        }
        WaitServer best = null;
        double least = Double.POSITIVE_INFINITY;
        for (Map.Entry<WaitServer, Figures> each : figures.entrySet()) {
            boolean peer =
                    each.getKey() != WaitServer.SUSPENDED
                            && each.getKey() != WaitServer.VIRTUAL
                            && each.getValue().wrong == 0;
            double p99 = each.getValue().p99(MOST_AT_ONCE);
            if (peer && p99 < least) {
                best = each.getKey();
                least = p99;
            }
        }
        double beyond = ours.p99(MOST_AT_ONCE) - WAIT;
        outcome.finding(
                "1,000 at once: every answer right", ours.wrong + " wrong", ours.wrong == 0);
        if (best != null) {
            outcome.finding(
                    "1,000 at once: p99 beyond the 100 ms at most half of the best peer's that answers all",
                    Words.milliseconds(beyond)
                            + ", "
                            + best.label()
                            + " "
                            + Words.milliseconds(least - WAIT),
                    beyond <= (least - WAIT) / 2);
        }
        List<Double> line = ours.last.getOrDefault(MOST_AT_ONCE, List.of());
        if (!line.isEmpty()) {
            double first = line.get(1);
            double last = line.get(line.size() - 2);
            outcome.finding(
                    "1,000 at once: the line is flat: its 99th percentile at most a quarter above its first",
                    Words.milliseconds(first) + " to " + Words.milliseconds(last),
                    last <= FLAT * first);
        }
    }

    private static void chart(Outcome outcome, Map<WaitServer, Figures> figures, int atOnce) {
        List<Outcome.Series> lines = new ArrayList<>();
        figures.forEach((server, seen) -> {
            List<Double> times = seen.last.getOrDefault(atOnce, List.of());
            List<Double> places = new ArrayList<>();
            for (int i = 0; i < times.size(); i++) {
                places.add((double) i * 100 / (times.size() - 1));
            }
            lines.add(new Outcome.Series(server.label(), places, times));
        });
        outcome.add(
                new Outcome.Chart(
                        atOnce + " at once: times of answers, sorted",
                        "% of the answers",
                        "ms",
                        false,
                        lines));
    }
}
