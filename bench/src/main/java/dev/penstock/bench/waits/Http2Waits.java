package dev.penstock.bench.waits;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.Child;
import dev.penstock.bench.client.Http2Client;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A hundred thousand requests that wait at once over HTTP/2, a hundred on each of a thousand connections. */
final class Http2Waits {
    private static final int CONNECTIONS = 1000;
    private static final int STREAMS = 100;
    private static final int WAIT = 15_000;
    private static final int SHORTEST = 100;
    private static final int PATIENCE = 90_000;
    private static final int COLLECT_MILLISECONDS = 2000;
    private static final String HEAP = "256m";
    private static final double MOST_HEAP = 1800;
    private static final double MOST_RESIDENT = 420e6;

    private Http2Waits() {}

    static void measure(Outcome outcome, Settings settings, Progress progress) throws IOException {
        progress.doing("100,000 waits over HTTP/2");
        int connections = settings.scaled(CONNECTIONS);
        int wait = Math.max(SHORTEST, settings.scaled(WAIT));
        int all = connections * STREAMS;
        try (WaitUnderTest server = WaitUnderTest.start(WaitServer.SUSPENDED, HEAP, settings);
                Child client =
                        Child.start(
                                "the HTTP/2 client",
                                Http2Client.class,
                                "1g",
                                List.of(),
                                settings.log("http2-client"))) {
            ask(client, server.port(), Math.max(1, connections / 20), 10);
            long idle = server.idleBytes();
            server.threads();
            server.watch(settings.scaled(COLLECT_MILLISECONDS));
            Answer seen;
            long resident;
            try (ResidentWatch watch = new ResidentWatch(server)) {
                seen = ask(client, server.port(), connections, wait);
                resident = watch.most();
            }
            double heap = (double) (server.mostLiveBytes() - idle) / all;
            report(
                    outcome,
                    seen,
                    all,
                    wait,
                    heap,
                    (double) resident,
                    server.threads().whole("peak"));
        }
        progress.step();
    }

    private static Answer ask(Child client, int port, int connections, int wait)
            throws IOException {
        return client.ask(
                "waits",
                new Answer(
                        Map.of(
                                "port", Integer.toString(port),
                                "path", "/hi?wait=" + wait,
                                "answer", WaitServer.waited(wait),
                                "connections", Integer.toString(connections),
                                "streams", Integer.toString(STREAMS),
                                "patience", Integer.toString(PATIENCE))),
                Duration.ofMillis(2 * PATIENCE));
    }

    private static void report(
            Outcome outcome,
            Answer seen,
            int all,
            int wait,
            double heap,
            double resident,
            long threads) {
        outcome.finding(
                "100,000 waits at once over HTTP/2: every answer right",
                seen.whole("right") + " of " + all,
                seen.whole("right") == all);
        outcome.finding(
                "100,000 waits at once over HTTP/2: at most 1.8 KB of heap a stream",
                Words.number(heap) + " bytes",
                heap <= MOST_HEAP);
        outcome.finding(
                "100,000 waits at once over HTTP/2: within 420 MB resident",
                Words.megabytes(resident),
                resident <= MOST_RESIDENT);
        outcome.text(
                "Over HTTP/2: %d connections of %d streams, each of which waits for %d ms, in a heap of %s; answers after %s ms (median) and %s ms (p99); %d threads."
                        .formatted(
                                all / STREAMS,
                                STREAMS,
                                wait,
                                HEAP,
                                Words.number(seen.number("p50")),
                                Words.number(seen.number("p99")),
                                threads));
        Answer where = new Answer(Map.of("server", WaitServer.SUSPENDED.name()));
        outcome.measured("heap-a-stream", where, "bytes", Samples.of(heap));
        outcome.measured("resident-http2", where, "bytes", Samples.of(resident));
    }
}
