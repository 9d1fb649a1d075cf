package dev.penstock.bench.requests;

import dev.penstock.bench.experiment.BenchmarkOptions;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import java.time.Duration;
import java.util.List;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;

/** The cost of a filter and of finding a route, by JMH. */
public final class RequestsExperiment extends Experiment {
    private static final int SOME = 100;
    private static final int MANY = 1000;
    private static final int ROUNDS = 5;
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final Duration SHORTEST = Duration.ofMillis(20);
    private static final double FILTER_NANOS = 100;
    private static final double ROUTE_NANOS = 300;

    /** The experiment. */
    public RequestsExperiment() {
        super("requests", "the cost of a filter and of a route, by JMH; about three minutes");
    }

    /** A benchmark with its parameter, and what JMH measured: nanoseconds an operation, one sample a JVM. */
    private record Timed(String label, Class<?> benchmark, int filters, Samples nanos) {
        Timed(String label, Class<?> benchmark, int filters) {
            this(label, benchmark, filters, new Samples());
        }

        @Override
        public String toString() {
            return label;
        }
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        Timed some = new Timed("a request with 100 filters", FilterBenchmark.class, SOME);
        Timed many = new Timed("a request with 1,000 filters", FilterBenchmark.class, MANY);
        Timed route = new Timed("a route among 1,000", RouteBenchmark.class, -1);
        List<Timed> all = List.of(some, many, route);
        trial.steps((long) all.size() * trial.repetitions());
        trial.interleave(0, "", all, (timed, _) -> timed.nanos().add(nanos(timed, trial)));

        Outcome outcome = new Outcome(name(), "Filters and routes");
        outcome.text(
                """
                Requests come from the process itself, without a network, and are answered on one event loop. A filter is
                called before and after the handler and does nothing; its cost is what a request with 1,000 of them takes
                longer than one with 100, by 900: with fewer, handing requests over to the event loop takes longer than
                all of them, and varies by more. Half of the 1,000 routes have a parameter; a look-up finds the route of
                a path that is split already. Each measurement is a JVM of its own.
                """);
        outcome.atMost(
                "A filter costs a request at most 100 ns",
                (many.nanos().median() - some.nanos().median()) / (MANY - SOME),
                FILTER_NANOS,
                RequestsExperiment::nanoseconds);
        outcome.atMost(
                "A route among 1,000 is found in at most 300 ns",
                route.nanos().median(),
                ROUTE_NANOS,
                RequestsExperiment::nanoseconds);
        Outcome.Table table = outcome.table("Nanoseconds by JMH", List.of("", "ns"));
        for (Timed timed : all) {
            table.row(timed.label(), new Outcome.Cell(timed.nanos(), "%,.0f"::formatted));
        }
        return outcome;
    }

    private static double nanos(Timed timed, Trial trial) throws RunnerException {
        ChainedOptionsBuilder options =
                BenchmarkOptions.of(timed.benchmark(), 1, ROUNDS, trial.scaled(ROUND, SHORTEST));
        if (timed.filters() >= 0) {
            options.param("filters", Integer.toString(timed.filters()));
        }
        return new Runner(options.build()).runSingle().getPrimaryResult().getScore();
    }

    private static String nanoseconds(double nanos) {
        return "%,.1f ns".formatted(nanos);
    }
}
