package dev.penstock.bench.requests;

import static java.util.Objects.requireNonNull;

import dev.penstock.bench.experiment.NanosecondBenchmark;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.route.Router;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/** Finding the route of a request among a thousand, half of which have a parameter. */
public class RouteBenchmark extends NanosecondBenchmark {
    private static final int ROUTES = 1000;

    private final Router router = new Router();
    private final List<List<String>> paths = new ArrayList<>();

    /** Routes such as {@code /api/area7/item342/{id}/parts} and {@code /api/area7/item343}. */
    public RouteBenchmark() {
        Handler handler = (Exchange _) -> {};
        for (int i = 0; i < ROUTES; i++) {
            String area = "area" + i % 10;
            String item = "item" + i;
            boolean parameter = i % 2 == 0;
            router.all()
                    .add(
                            "GET",
                            "/api/" + area + "/" + item + (parameter ? "/{id}/parts" : ""),
                            handler,
                            null);
            paths.add(
                    parameter
                            ? List.of("api", area, item, "4711", "parts")
                            : List.of("api", area, item));
        }
        var _ = router.resolve();
    }

    /** Finds each route once. Returns the last, for the harness to use. */
    @Benchmark
    @OperationsPerInvocation(ROUTES)
    public Router.Route find() {
        Router.Route found = null;
        for (List<String> path : paths) {
            found = requireNonNull(router.match(path)).route("GET");
        }
        return requireNonNull(found);
    }
}
