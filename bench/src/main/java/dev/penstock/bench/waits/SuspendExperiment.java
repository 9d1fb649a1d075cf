package dev.penstock.bench.waits;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The cost of requests that wait, at several servers. */
public final class SuspendExperiment extends Experiment {
    private static final List<Integer> AT_ONCE = List.of(10, 100, 200, 500, 1000);
    private static final int MOST_AT_ONCE = 1000;
    private static final int REQUESTS = 6000;
    private static final int WAIT = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    /** What an answer at the end of the line may be later than one at its beginning. */
    private static final double FLAT = 1.25;

    /** The experiment. */
    public SuspendExperiment() {
        super(
                "suspend",
                "requests that wait, at six servers; thousands at once; small answers; about twelve minutes");
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        String heap = trial.heap("64m");
        trial.steps(
                (long) WaitServer.WAITING.size() * (trial.repetitions() + ManyWaits.STEPS)
                        + 1
                        + PlainAnswers.steps(trial));
        Outcome outcome = new Outcome(name(), "Requests that wait, heap " + heap);
        WaitServer.addPeers(outcome);
        outcome.text(
                """
                Requests of /hi?wait=100 are answered after that time, by blocking and asynchronous servlets, suspended
                responses and virtual threads, each server in a JVM of its own with the same heap. Clients keep their
                connections and ask again as soon as they have their answer.
                """);
        try (LoadDriver driver = trial.loadDriver()) {
            Map<WaitServer, Seen> seen = new EnumMap<>(WaitServer.class);
            WaitServer.WAITING.forEach(server -> seen.put(server, new Seen()));
            trial.interleave(
                    0,
                    "",
                    WaitServer.WAITING,
                    // By itself: one whose heap is full would take the others' processor time.
                    (server, _) -> {
                        try (WaitUnderTest started = WaitUnderTest.start(server, heap, trial)) {
                            started.warmUp(driver, trial);
                            seen.getOrDefault(server, new Seen()).measure(started, driver, trial);
                        }
                    });
            report(outcome, seen);
            new ManyWaits(driver, trial).measure(outcome, heap);
            Http2Waits.measure(outcome, trial);
            PlainAnswers.measure(outcome, heap, driver, trial);
        }
        return outcome;
    }

    /** The times that one server's clients saw, by the number of clients at once. */
    private static final class Seen {
        private final Map<Integer, List<LoadFigures.Latency>> latencies = new LinkedHashMap<>();
        private final Samples threads = new Samples();
        private long wrong;

        private void measure(WaitUnderTest server, LoadDriver driver, Trial trial)
                throws IOException {
            for (int atOnce : AT_ONCE) {
                trial.doing(atOnce + " at once, " + server);
                if (wrong == 0) {
                    ask(server, atOnce, driver, trial);
                }
            }
        }

        private void ask(WaitUnderTest server, int atOnce, LoadDriver driver, Trial trial)
                throws IOException {
            int clients = trial.scaled(atOnce);
            // 6,000 requests by ten clients take a minute, and say no more than a tenth of them.
            int all = trial.scaled(atOnce < 100 && !trial.full() ? REQUESTS / 10 : REQUESTS);
            int each = Math.max(1, all / clients);
            long wanted = (long) each * clients;
            try {
                server.child().threads();
                Load.Group group = WaitUnderTest.waits(clients, each, WAIT);
                LoadFigures figures = driver.runOne(new Load(server.port(), TIMEOUT, group));
                of(atOnce).add(figures.latency());
                long failed = figures.failed();
                wrong += failed + Math.max(0, wanted - figures.completed() - failed);
                if (atOnce == MOST_AT_ONCE) {
                    threads.add(server.child().threads().peak());
                }
            } catch (Child.Failed e) {
                // It tells no more of itself.
                wrong += wanted;
            }
        }

        private List<LoadFigures.Latency> of(int atOnce) {
            return latencies.computeIfAbsent(atOnce, _ -> new ArrayList<>());
        }

        private double median(int atOnce, ToDoubleFunction<LoadFigures.Latency> figure) {
            return Samples.of(of(atOnce).stream().mapToDouble(figure).toArray()).median();
        }

        private double p99(int atOnce) {
            return median(atOnce, LoadFigures.Latency::p99);
        }

        /** Returns the times of the last repetition, by percentiles. */
        private List<Double> last(int atOnce) {
            return of(atOnce).isEmpty() ? List.of() : of(atOnce).getLast().percentiles();
        }

        private String medians(int atOnce) {
            double median = median(atOnce, LoadFigures.Latency::p50);
            return Figures.number(median) + " / " + Figures.number(p99(atOnce));
        }
    }

    private static void report(Outcome outcome, Map<WaitServer, Seen> all) {
        judge(outcome, all);
        List<String> header = new ArrayList<>(List.of(""));
        AT_ONCE.forEach(atOnce -> header.add(atOnce + " at once"));
        header.addAll(List.of("threads", "wrong"));
        Outcome.Table table =
                outcome.table(
                        "Answers after 100 ms: median / 99th percentile, ms; a server that fails is asked no more",
                        header);
        all.forEach((server, seen) -> {
            List<String> medians = AT_ONCE.stream().map(seen::medians).toList();
            table.row(server, medians, seen.threads, seen.wrong);
        });
        for (int atOnce : AT_ONCE) {
            Outcome.Chart chart =
                    outcome.chart(
                            atOnce + " at once: times of answers, sorted",
                            "% of the answers",
                            "milliseconds");
            all.forEach((server, seen) -> {
                List<Double> times = seen.last(atOnce);
                for (int i = 0; i < times.size(); i++) {
                    chart.point(server.toString(), i, times.get(i));
                }
            });
        }
    }

    private static void judge(Outcome outcome, Map<WaitServer, Seen> all) {
        Seen ours = all.getOrDefault(WaitServer.SUSPENDED, new Seen());
        outcome.finding(
                "1,000 at once: every answer right", ours.wrong + " wrong", ours.wrong == 0);
        String best = "";
        double least = Double.POSITIVE_INFINITY;
        for (Map.Entry<WaitServer, Seen> each : all.entrySet()) {
            WaitServer server = each.getKey();
            boolean peer = server != WaitServer.SUSPENDED && server != WaitServer.VIRTUAL;
            double p99 = each.getValue().p99(MOST_AT_ONCE);
            if (peer && each.getValue().wrong == 0 && p99 < least) {
                best = server.toString();
                least = p99;
            }
        }
        double beyond = ours.p99(MOST_AT_ONCE) - WAIT;
        if (!best.isEmpty()) {
            outcome.finding(
                    "1,000 at once: p99 beyond the 100 ms at most half of the best peer's that answers all",
                    "%s, %s %s"
                            .formatted(
                                    Figures.milliseconds(beyond),
                                    best,
                                    Figures.milliseconds(least - WAIT)),
                    beyond <= (least - WAIT) / 2);
        }
        List<Double> line = ours.last(MOST_AT_ONCE);
        if (!line.isEmpty()) {
            double first = line.get(1);
            double last = line.get(line.size() - 2);
            outcome.finding(
                    "1,000 at once: the line is flat: its 99th percentile at most a quarter above its first",
                    Figures.milliseconds(first) + " to " + Figures.milliseconds(last),
                    last <= FLAT * first);
        }
    }
}
