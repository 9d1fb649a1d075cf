package dev.penstock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The delays between starts. */
class BackoffTest {
    static final Backoff SHORT = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1), 1, 0);

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.2, 1})
    void delay_anyJitter_isWithinItsBounds(double jitter) {
        Backoff backoff = new Backoff(Duration.ofNanos(1_000), Duration.ofNanos(5_000), 2, jitter);
        long shortest = Long.MAX_VALUE;
        long longest = 0;
        for (int run = 0; run < 2_000; run++) {
            ServiceInstance<Object> instance = new ServiceInstance<>(0);
            assertThat(instance.nextDelay(backoff)).isZero();
            for (long full : new long[] {1_000, 2_000, 4_000, 5_000, 5_000}) {
                long delay = instance.nextDelay(backoff);
                assertThat(delay).isBetween((long) (full * (1 - jitter)) - 1, full);
                shortest = Math.min(shortest, delay);
                longest = Math.max(longest, delay);
            }
        }
        assertThat(longest).isGreaterThan(4_000);
        assertThat(shortest).isLessThanOrEqualTo(1_000);
    }

    @Test
    void delay_manyFailures_staysTheLongest() {
        Backoff backoff = new Backoff(Duration.ofNanos(1), Duration.ofSeconds(1), 100, 0);
        ServiceInstance<Object> instance = new ServiceInstance<>(0);
        instance.failures = Integer.MAX_VALUE - 1;

        assertThat(instance.nextDelay(backoff)).isEqualTo(1_000_000_000L);
        assertThat(instance.nextDelay(backoff)).isEqualTo(1_000_000_000L);
    }

    @Test
    void times_beyondAllClocks_countAsForEver() {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        ServiceInstance<Object> instance = new ServiceInstance<>(0);
        instance.failures = 5;
        Supervision once = Supervision.standard().limit(1, forever);

        assertThat(instance.nextDelay(new Backoff(forever, forever, 2, 0)))
                .isGreaterThan(Duration.ofDays(10_000).toNanos());
        assertThat(instance.mayRestart(once, System.nanoTime())).isTrue();
        assertThat(instance.mayRestart(once, System.nanoTime())).isFalse();
    }
}
