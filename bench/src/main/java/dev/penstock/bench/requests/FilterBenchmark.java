package dev.penstock.bench.requests;

import dev.penstock.bench.experiment.NanosecondBenchmark;
import dev.penstock.http.Exchange;
import dev.penstock.http.Filter;
import dev.penstock.http.Handler;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import java.util.concurrent.CountDownLatch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Requests that are answered in this process, on an event loop, through filters that do nothing. */
public class FilterBenchmark extends NanosecondBenchmark {
    private static final int REQUESTS = 1000;

    /** How many filters there are, each before and after the handler. */
    @Param({"100", "1000"})
    public int filters;

    @SuppressWarnings("NullAway.Init") // start() does it, when the number of filters is known
    private Server server;

    /** A filter that does nothing, without blocking. */
    private static final class Idle implements Filter {
        @Override
        public boolean isNonBlocking() {
            return true;
        }

        @Override
        public void handle(Exchange exchange) {}

        @Override
        public void after(Exchange exchange, int status) {}
    }

    /** Starts a server that listens on no port. */
    @Setup
    public void start() {
        ServerBuilder builder =
                Server.builder()
                        .eventLoops(1)
                        .accessLog(false)
                        .get(
                                "/",
                                Handler.nonBlocking(
                                        exchange -> exchange.respond(200, "text/plain", "x")));
        for (int i = 0; i < filters; i++) {
            builder.filter(new Idle());
        }
        server = builder.startInContainer();
    }

    /** Stops it. */
    @TearDown
    public void stop() {
        server.close();
    }

    /** Has requests answered, and waits for all of them. */
    @Benchmark
    @OperationsPerInvocation(REQUESTS)
    public void answer() throws InterruptedException {
        CountDownLatch answered = new CountDownLatch(REQUESTS);
        for (int i = 0; i < REQUESTS; i++) {
            server.accept(new MemoryRequest(answered)).writable();
        }
        answered.await();
    }
}
