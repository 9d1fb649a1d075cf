package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** What may be on its way to a client. */
final class BudgetTest {
    private final Budget budget = new Budget(new ReentrantLock());

    private boolean offer(int bytes) {
        return budget.offer(Budget.weight(bytes), Budget.BYTES, false);
    }

    /** Each holds some hundred bytes of heap besides. */
    @Test
    void frames_ofOneByte_areNoMoreThanTheBudgetCounts() {
        int taken = 0;
        while (offer(1)) {
            taken++;
        }
        assertThat(taken).isEqualTo(Budget.BYTES / Budget.LEAST);
    }

    @Test
    void frames_ofAnySizes_thatHaveLeft_leaveAllTheRoom() {
        Random random = new Random(5);
        for (int round = 0; round < 100; round++) {
            int[] sizes = random.ints(20, 0, 2 * Budget.LEAST).toArray();
            for (int size : sizes) {
                assertThat(offer(size)).isTrue();
            }
            for (int size : sizes) {
                budget.giveBack(Budget.weight(size));
            }
            assertThat(budget.isUsed()).isFalse();
        }
    }
}
