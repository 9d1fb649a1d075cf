package dev.penstock.http.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Race;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests that move from one admission to another on several threads, while others cancel them: never more hold a
 * permit than there are, and none is lost.
 */
@Timeout(120)
final class PermitTransferRaceTest {
    private static final int THREADS = 6;
    private static final int STEPS = 500;
    private static final int RUNNING = 2;
    private static final int WAITING = 2;

    private final PermitQueue[] admissions = {
        new PermitQueue(RUNNING, WAITING, Duration.ofMinutes(1)),
        new PermitQueue(RUNNING, WAITING, Duration.ofMinutes(1))
    };
    private final AtomicInteger[] running = {new AtomicInteger(), new AtomicInteger()};
    private final AtomicInteger admitted = new AtomicInteger();
    private final AtomicReferenceArray<PermitTransfer> current =
            new AtomicReferenceArray<>(THREADS);

    @Test
    void transfers_thatAreCancelledMeanwhile_takeNoMorePermitsThanThereAreAndLoseNone()
            throws Exception {
        long seed = Long.getLong("penstock.seed", 1);
        for (int round = 0; round < Race.ROUNDS; round++) {
            long own = seed + round;
            Race.run(THREADS, thread -> moveOn(thread, new Random(own * 31 + thread)));
            for (PermitQueue admission : admissions) {
                assertThat(admission.runningNow()).as("-Dpenstock.seed=%d", seed).isZero();
                assertThat(admission.waitingNow()).as("-Dpenstock.seed=%d", seed).isZero();
            }
        }
        assertThat(admitted).hasPositiveValue();
    }

    private void moveOn(int thread, Random random) {
        for (int i = 0; i < STEPS; i++) {
            for (int target = 0; target < admissions.length; target++) {
                PermitTransfer transfer =
                        new PermitTransfer(
                                admissions[target],
                                "client " + random.nextInt(3),
                                false,
                                random.nextBoolean());
                current.set(thread, transfer);
                end(current.get(random.nextInt(THREADS)), random);
                if (transfer.await() == PermitTransfer.Outcome.ADMITTED) {
                    hold(target);
                    admissions[target].leave(transfer);
                }
            }
        }
    }

    private static void end(PermitTransfer other, Random random) {
        if (other != null) {
            switch (random.nextInt(3)) {
                case 0 -> other.cancel();
                case 1 -> other.stop();
                default -> {}
            }
        }
    }

    private void hold(int target) {
        assertThat(running[target].incrementAndGet()).isBetween(1, RUNNING);
        admitted.incrementAndGet();
        Thread.onSpinWait();
        running[target].decrementAndGet();
    }
}
