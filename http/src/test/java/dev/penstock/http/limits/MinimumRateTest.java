package dev.penstock.http.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class MinimumRateTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final MinimumRate rate = new MinimumRate(1024, 30 * SECOND);

    /** Seconds until the client is found too slow; -1 if it never is within an hour. */
    private int lasts(int bytesAtOnce, int everySeconds) {
        long bytes = 0;
        for (int second = 0; second < 3600; second++) {
            if (second % everySeconds == 0) {
                bytes += bytesAtOnce;
            }
            if (!rate.check(true, bytes, second * SECOND)) {
                return second;
            }
        }
        return -1;
    }

    @Test
    void client_thatMovesNothing_lastsTwoWindows() {
        assertThat(lasts(0, 1)).isEqualTo(61);
    }

    @Test
    void client_atTwiceTheRateInLargeSteps_isKept() {
        assertThat(lasts(64 * 1024, 32)).isEqualTo(-1);
    }

    @Test
    void client_atHalfTheRate_isThrownOut() {
        assertThat(lasts(512, 1)).isBetween(100, 130);
    }

    @Test
    void client_notWaitedFor_isKept() {
        for (int second = 0; second < 1000; second++) {
            assertThat(rate.check(second % 50 == 0, 0, second * SECOND)).isTrue();
        }
    }

    @Test
    void count_thatStartsAgain_isNoStepBack() {
        assertThat(rate.check(true, 10_000_000, 0)).isTrue();
        rate.restart();
        assertThat(rate.check(true, 0, SECOND)).isTrue();
        assertThat(rate.check(true, 0, 2 * SECOND)).isTrue();
    }
}
