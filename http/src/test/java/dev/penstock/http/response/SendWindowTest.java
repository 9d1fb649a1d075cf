package dev.penstock.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Race;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** Tests of what may be on its way to a client. */
final class SendWindowTest {
    private final SendWindow budget = new SendWindow(new ReentrantLock());

    private boolean offer(int bytes) {
        return budget.offer(SendWindow.weight(bytes), SendWindow.BYTES, false);
    }

    /** Each holds some hundred bytes of heap besides. */
    @Test
    void frames_ofOneByte_areNoMoreThanTheBudgetCounts() {
        int taken = 0;
        while (offer(1)) {
            taken++;
        }
        assertThat(taken).isEqualTo(SendWindow.BYTES / SendWindow.LEAST);
    }

    /**
     * A handler's threads take room and wait for it; the loop gives it back: never more is taken than there is, and
     * nobody waits for ever.
     */
    @Test
    void room_takenAndGivenBackOnSeveralThreads_isNeverMoreThanThereIs() throws Exception {
        int writers = 2;
        int frames = 500;
        for (int round = 0; round < Race.ROUNDS; round++) {
            ReentrantLock lock = new ReentrantLock();
            SendWindow shared = new SendWindow(lock);
            BlockingQueue<Integer> onTheirWay = new LinkedBlockingQueue<>();
            AtomicInteger taken = new AtomicInteger();
            Race.run(
                    writers + 1,
                    thread -> {
                        Random random = new Random(thread);
                        for (int i = 0; i < (thread < writers ? frames : writers * frames); i++) {
                            if (thread < writers) {
                                int weight = 1 + random.nextInt(SendWindow.BYTES + 10);
                                take(shared, lock, weight, taken);
                                onTheirWay.add(weight);
                            } else {
                                giveBack(shared, lock, onTheirWay.take(), taken);
                            }
                        }
                    });
            assertThat(shared.isUsed()).isFalse();
            assertThat(taken).hasValue(0);
        }
    }

    private static void take(SendWindow budget, Lock lock, int weight, AtomicInteger taken)
            throws IOException {
        lock.lock();
        try {
            budget.take(weight, false, false);
            int now = taken.addAndGet(weight);
            assertThat(now).isLessThanOrEqualTo(Math.max(weight, SendWindow.BYTES));
        } finally {
            lock.unlock();
        }
    }

    private static void giveBack(SendWindow budget, Lock lock, int weight, AtomicInteger taken) {
        lock.lock();
        try {
            taken.addAndGet(-weight);
            var _ = budget.giveBack(weight);
        } finally {
            lock.unlock();
        }
    }

    @Test
    void frames_ofAnySizes_thatHaveLeft_leaveAllTheRoom() {
        Random random = new Random(5);
        for (int round = 0; round < 100; round++) {
            int[] sizes = random.ints(20, 0, 2 * SendWindow.LEAST).toArray();
            for (int size : sizes) {
                assertThat(offer(size)).isTrue();
            }
            for (int size : sizes) {
                budget.giveBack(SendWindow.weight(size));
            }
            assertThat(budget.isUsed()).isFalse();
        }
    }
}
