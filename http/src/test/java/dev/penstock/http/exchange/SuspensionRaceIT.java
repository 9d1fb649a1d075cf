package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Exchange;
import dev.penstock.http.Suspension;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that resume, timeouts and clients that leave, all at about the same time. */
@Timeout(120)
final class SuspensionRaceIT extends ServerFixture {
    private static final int REQUESTS = 3000;
    private static final int RESUMERS = 3;
    private static final long SEED = System.nanoTime();

    /** A wait that nobody resumes. */
    private static final Duration SHORTEST = Duration.ofNanos(1000);

    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** The fate of one wait. */
    private static final class Fate {
        private final AtomicInteger won = new AtomicInteger();
        private final AtomicInteger resumed = new AtomicInteger();
        private final AtomicInteger timedOut = new AtomicInteger();
        private final AtomicInteger cancelled = new AtomicInteger();
        private final Suspension wait;

        Fate(Exchange exchange, Duration timeout) {
            wait =
                    exchange.suspend(timeout)
                            .onCancel(cancelled::incrementAndGet)
                            .onTimeout(x -> {
                                timedOut.incrementAndGet();
                                x.respond(200, "text/plain", "timed out");
                            });
        }
    }

    private final List<BlockingQueue<Fate>> toResume = new ArrayList<>();
    private final Queue<Fate> fates = new ConcurrentLinkedQueue<>();
    private final Queue<WeakReference<Exchange>> exchanges = new ConcurrentLinkedQueue<>();
    private final Random random = new Random(SEED);

    private void suspend(Exchange exchange, Duration timeout) {
        Fate fate = new Fate(exchange, timeout);
        fates.add(fate);
        exchanges.add(new WeakReference<>(exchange));
        if (!timeout.equals(SHORTEST)) {
            toResume.forEach(queue -> queue.add(fate));
        }
    }

    private void resumeAll(BlockingQueue<Fate> queue) {
        Random delays = new Random(SEED);
        try {
            while (true) {
                Fate fate = queue.take();
                long delay = delays.nextInt(1_500_000);
                if (fate.wait.isWaiting()) {
                    // Somewhat later, so that timeouts have a chance.
                    LockSupport.parkNanos(delay);
                }
                boolean won =
                        fate.wait.resume(x -> {
                            fate.resumed.incrementAndGet();
                            x.respond(200, "text/plain", "resumed");
                        });
                if (won) {
                    fate.won.incrementAndGet();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void waits_endedFromAllSides_endOnceAndAreForgotten() throws Exception {
        List<Thread> resumers = new ArrayList<>();
        for (int i = 0; i < RESUMERS; i++) {
            BlockingQueue<Fate> queue = new LinkedBlockingQueue<>();
            toResume.add(queue);
            resumers.add(Thread.ofPlatform().daemon().start(() -> resumeAll(queue)));
        }
        Server server =
                start(b ->
                        b.get(
                                "/{micros}",
                                x ->
                                        suspend(
                                                x,
                                                Duration.ofNanos(
                                                        1000
                                                                * Long.parseLong(
                                                                        x.pathParameter(
                                                                                "micros"))))));
        List<RawClient> clients = new ArrayList<>();
        int answered = 0;
        for (int i = 0; i < REQUESTS; i++) {
            RawClient client = new RawClient(server.port());
            client.send("GET /" + (1 + random.nextInt(4000)) + " HTTP/1.1\r\nHost: x\r\n\r\n");
            if (random.nextInt(3) == 0) {
                client.abort();
            } else {
                clients.add(client);
            }
            if (clients.size() == 50) {
                answered += clients.size();
                readAll(clients);
            }
        }
        answered += clients.size();
        readAll(clients);
        assertThat(ask(server, LONGEST)).isEqualTo("resumed");
        assertThat(ask(server, SHORTEST)).isEqualTo("timed out");
        await("no wait", () -> server.waiting() == 0 && server.running() == 0);
        assertThat(answered).isGreaterThan(REQUESTS / 3);
        for (Thread resumer : resumers) {
            resumer.interrupt();
            resumer.join();
        }
        await("actions", () -> fates.stream().allMatch(SuspensionRaceIT::isSettled));
        for (Fate fate : fates) {
            assertThat(fate.won.get()).as("seed " + SEED).isLessThanOrEqualTo(1);
            assertThat(fate.resumed.get()).isLessThanOrEqualTo(fate.won.get());
            assertThat(fate.timedOut.get()).isLessThanOrEqualTo(fate.cancelled.get());
            assertThat(fate.cancelled.get()).isEqualTo(1 - fate.won.get());
        }
        // The suspensions are still referred to, the exchanges must not be.
        await(
                "exchanges forgotten",
                () -> {
                    System.gc();
                    return exchanges.stream().allMatch(exchange -> exchange.get() == null);
                });
        assertThat(fates).allMatch(fate -> !fate.wait.isWaiting());
    }

    private static String ask(Server server, Duration timeout) throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /" + timeout.toNanos() / 1000 + " HTTP/1.1\r\nHost: x\r\n\r\n");
            return client.reply().text();
        }
    }

    private static boolean isSettled(Fate fate) {
        return fate.cancelled.get() + fate.won.get() == 1;
    }

    private static void readAll(List<RawClient> clients) throws Exception {
        for (RawClient client : clients) {
            assertThat(client.reply().text()).isIn("resumed", "timed out");
            client.close();
        }
        clients.clear();
    }
}
