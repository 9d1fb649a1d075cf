package dev.penstock.http.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.PermitHistory;
import dev.penstock.http.server.Race;
import java.time.Duration;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests that come, go, time out and are displaced on several threads at once: each is decided once, never more
 * run than may, none waits while a place is free, and nothing is left in the end.
 */
@Timeout(120)
final class PermitQueueRaceTest {
    private static final int THREADS = 4;
    private static final int STEPS = 1000;
    private static final int RUNNING = 2;
    private static final int WAITING = 3;

    private final PermitQueue admission = new PermitQueue(RUNNING, WAITING, Duration.ofMinutes(1));
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Queue<Request> admitted = new ConcurrentLinkedQueue<>();

    /** The fate of a request that was told to wait. */
    private enum End {
        ADMITTED,
        DISPLACED,
        ABANDONED
    }

    private final class Request implements PermitQueue.Waiter {
        private final String client;
        private final AtomicReference<End> end = new AtomicReference<>();

        Request(String client) {
            this.client = client;
        }

        @Override
        public Object client() {
            return client;
        }

        @Override
        public boolean mayTakeAll() {
            return false;
        }

        @Override
        public void admitted() {
            endsAs(End.ADMITTED);
            begin();
            admitted.add(this);
        }

        @Override
        public void displaced() {
            endsAs(End.DISPLACED);
        }

        void endsAs(End how) {
            End before = end.getAndSet(how);
            assertThat(before).as("an end after the one that is %s", before).isNull();
        }

        void begin() {
            most.accumulateAndGet(runs.incrementAndGet(), Math::max);
        }

        void finish() {
            runs.decrementAndGet();
            admission.leave(this);
        }
    }

    @Test
    void requests_onSeveralThreads_areDecidedOnceEach() throws Exception {
        long seed = Long.getLong("penstock.seed", 1);
        for (int round = 0; round < Race.ROUNDS; round++) {
            long own = seed + round;
            AtomicInteger told = new AtomicInteger();
            Queue<Request> all = new ConcurrentLinkedQueue<>();
            Race.run(
                    THREADS,
                    thread -> told.addAndGet(comeAndGo(new Random(own * 31 + thread), all)));
            for (Request last = admitted.poll(); last != null; last = admitted.poll()) {
                last.finish();
            }
            assertThat(all).as("-Dpenstock.seed=%d", seed).allMatch(r -> r.end.get() != null);
            assertThat(all).hasSize(told.get());
            assertThat(admission.waitingNow()).isZero();
            assertThat(admission.runningNow()).isZero();
            assertThat(runs).hasValue(0);
        }
        assertThat(most.get()).isBetween(1, RUNNING);
    }

    /** Returns how many were told to wait. */
    private int comeAndGo(Random random, Queue<Request> waited) {
        int told = 0;
        for (int i = 0; i < STEPS; i++) {
            Request request = new Request("client " + random.nextInt(3));
            switch (admission.enter(request)) {
                case RUN -> {
                    request.begin();
                    request.finish();
                }
                case WAIT -> {
                    told++;
                    waited.add(request);
                    if (random.nextBoolean() && admission.abandon(request, random.nextBoolean())) {
                        request.endsAs(End.ABANDONED);
                    }
                }
                case REFUSED -> {}
            }
            Request next = random.nextInt(3) > 0 ? admitted.poll() : null;
            if (next != null) {
                next.finish();
            }
            assertThat(admission.waitingNow()).isLessThanOrEqualTo(WAITING);
        }
        return told;
    }

    /** A place is refused, or waited for, only where there is none. */
    @Test
    void places_thatAreTakenAndGivenBack_areFreeForWhoComesNext() throws Exception {
        for (int round = 0; round < Race.ROUNDS; round++) {
            PermitQueue none = new PermitQueue(RUNNING, 0, Duration.ofMinutes(1));
            PermitHistory history = new PermitHistory(RUNNING);
            Race.run(
                    THREADS,
                    thread -> {
                        for (int i = 0; i < STEPS / 2; i++) {
                            Request request = new Request("client " + thread % 2);
                            PermitHistory.Attempt attempt = history.begin();
                            boolean ran = none.enter(request) == PermitQueue.Decision.RUN;
                            attempt.decided(ran);
                            if (ran) {
                                attempt.giveBack(() -> none.leave(request));
                            }
                        }
                    });
            history.check();
        }
    }
}
