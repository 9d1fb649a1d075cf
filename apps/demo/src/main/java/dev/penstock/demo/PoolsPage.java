package dev.penstock.demo;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.Resource;
import dev.penstock.http.events.Topic;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.text.JsonText;
import dev.penstock.server.page.LocalOnly;
import dev.penstock.server.page.PagePolicy;
import dev.penstock.service.PoolFigures;
import dev.penstock.service.PoolFigures.State;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The page {@code /pools}: a service pool at work, its size and its load to be changed, its instances to be made fail
 * and hang. The page's figures are events, four times a second while somebody looks; nobody calls the pool while
 * nobody does. What changes something answers this machine alone, and no page of another site.
 */
final class PoolsPage implements AutoCloseable {
    static final String PATH = "/pools";

    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final int MOST_VIEWERS = 100;
    private static final int EVERY_MILLIS = 250;
    private static final double NANOS_A_MILLI = 1e6;
    private static final double NANOS_A_SECOND = 1e9;

    /** The states of an instance that serves, or is about to. */
    private static final Set<State> SERVING = EnumSet.of(State.STARTING, State.IDLE, State.BUSY);

    private final SamplePool pool = new SamplePool();
    private final Topic events = new Topic(4, 64 * 1024, MOST_VIEWERS);
    private final Admission actions = new Admission(4, 64, Duration.ofSeconds(20));

    private final String page =
            DemoPage.of(
                            "pools",
                            "A service pool at work",
                            "Each instance serves one call at a time. The others wait their turn, and none of them for"
                                    + " ever.",
                            PATH + ".live.css",
                            PATH + ".css",
                            PATH + ".live.js",
                            PATH + ".js")
                    .replace("{{instances}}", Integer.toString(SamplePool.MOST_INSTANCES))
                    .replace("{{callers}}", Integer.toString(SamplePool.MOST_CALLERS))
                    .replace("{{least}}", Integer.toString(SamplePool.LEAST_MILLIS))
                    .replace("{{most}}", Integer.toString(SamplePool.MOST_MILLIS))
                    .replace("{{queue}}", Integer.toString(SamplePool.QUEUE))
                    .replace("{{wait}}", Long.toString(SamplePool.QUEUE_TIMEOUT.toSeconds()))
                    .replace("{{deadline}}", Long.toString(SamplePool.CALL_TIMEOUT.toSeconds()));

    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("penstock-pools").factory());

    // Of the clock's thread alone: the calls at its last turn, and the time of that.
    private long lastCalls;
    private long lastNanos = System.nanoTime();

    PoolsPage() {
        var _ =
                clock.scheduleAtFixedRate(
                        this::tryToPublish, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    void mount(ServerBuilder builder) {
        builder.get(PATH, exchange -> PagePolicy.SCRIPT.send(exchange, 200, "no-cache", page))
                .get(PATH + "/events", events::stream)
                .get(PATH + ".live.css", Resource.of(PoolsPage.class, "live.css"))
                .get(PATH + ".live.js", Resource.of(PoolsPage.class, "live.js"))
                .get(PATH + ".js", Resource.of(PoolsPage.class, "pools.js"))
                .get(PATH + ".css", Resource.of(PoolsPage.class, "pools.css"))
                .route("POST", PATH + "/settings", local(this::set), _ -> actions)
                .route(
                        "POST",
                        PATH + "/fail",
                        local(trouble(SamplePool.Trouble.FAIL)),
                        _ -> actions)
                .route(
                        "POST",
                        PATH + "/hang",
                        local(trouble(SamplePool.Trouble.HANG)),
                        _ -> actions);
    }

    private static Handler local(Handler handler) {
        return LocalOnly.of("changes the load of this machine", "", handler);
    }

    private void set(Exchange exchange) {
        pool.set(
                new SamplePool.Settings(
                        WholeNumber.of(
                                exchange, "instances", "instances", 1, SamplePool.MOST_INSTANCES),
                        WholeNumber.of(exchange, "callers", "callers", 0, SamplePool.MOST_CALLERS),
                        WholeNumber.of(
                                exchange,
                                "millis",
                                "milliseconds",
                                SamplePool.LEAST_MILLIS,
                                SamplePool.MOST_MILLIS)));
        exchange.respond(200, "text/plain", "set");
    }

    private Handler trouble(SamplePool.Trouble kind) {
        return exchange -> {
            if (!pool.trouble(kind)) {
                throw new HttpException(
                        503,
                        "%d calls are to fail or hang already; wait until some have"
                                .formatted(SamplePool.MOST_INSTANCES));
            }
            exchange.respond(200, "text/plain", "one of the next calls will");
        };
    }

    /** Returns how many simulated callers there are. */
    int callers() {
        return pool.callers();
    }

    /** Publishes one event. A failure skips that event: a scheduled task that throws is never run again. */
    @SuppressWarnings("CatchingUnchecked")
    private void tryToPublish() {
        try {
            boolean watched = events.waiting() > 0;
            pool.watched(watched);
            PoolFigures figures = pool.figures();
            double rate = rate(figures.calls());
            if (watched) {
                events.publish(event(figures, rate));
            }
        } catch (Throwable failure) {
            LOG.log(System.Logger.Level.WARNING, "The page of pools has no figures", failure);
        }
    }

    /** Returns the calls a second since the last time. */
    private double rate(long calls) {
        long now = System.nanoTime();
        double rate = (calls - lastCalls) * NANOS_A_SECOND / Math.max(1, now - lastNanos);
        lastCalls = calls;
        lastNanos = now;
        return rate;
    }

    private String event(PoolFigures figures, double rate) {
        SamplePool.Settings settings = pool.settings();
        // The tiles and their numbers are of one moment.
        List<PoolFigures.Instance> instances = pool.instances();
        JsonText json =
                new JsonText()
                        .object()
                        .object("settings")
                        .member("instances", settings.instances())
                        .member("callers", settings.callers())
                        .member("millis", settings.millis())
                        .endObject()
                        .member("rate", rate, 1)
                        .member("waiting", figures.waiting())
                        .member(
                                "longestWaitMillis",
                                figures.longestWait().toNanos() / NANOS_A_MILLI,
                                0)
                        .member("busy", count(instances, EnumSet.of(State.BUSY)))
                        .member("size", count(instances, SERVING))
                        .member("calls", figures.calls())
                        .member("restarts", figures.restarts())
                        .member("failures", figures.failures())
                        .member("timeouts", figures.timeouts())
                        .member("rejections", figures.rejections());
        return instances(json, instances).endObject().toString();
    }

    private static long count(List<PoolFigures.Instance> instances, Set<State> states) {
        return instances.stream().filter(each -> states.contains(each.state())).count();
    }

    private static JsonText instances(JsonText json, List<PoolFigures.Instance> instances) {
        json.array("instances");
        for (PoolFigures.Instance each : instances) {
            json.object()
                    .member("index", each.index())
                    .member("state", each.state().name().toLowerCase(Locale.ROOT))
                    .member("calls", each.calls())
                    .member("runningMillis", each.running().toMillis())
                    .endObject();
        }
        return json.endArray();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        pool.close();
    }
}
