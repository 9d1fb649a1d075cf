package dev.penstock.transfer.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final Backoff backoff = new Backoff(8, FIRST, LONGEST, new Random(5));

    @Test
    void next_manyTries_areAtRandomBelowADoublingLimit() {
        long limit = FIRST.toNanos();
        for (int i = 0; i < 8; i++) {
            Duration wait = backoff.next(Optional.empty()).orElseThrow();
            assertThat(wait.toNanos()).isBetween(0L, Math.min(limit, LONGEST.toNanos()));
            limit *= 2;
        }
        assertThat(backoff.next(Optional.empty())).isEmpty();
    }

    @Test
    void reset_afterProgress_countsAnew() {
        for (int i = 0; i < 8; i++) {
            assertThat(backoff.next(Optional.empty())).isPresent();
        }
        backoff.reset();
        assertThat(backoff.next(Optional.empty()).orElseThrow()).isLessThanOrEqualTo(FIRST);
    }

    @Test
    void next_serverAsks_waitsAtLeastThat() {
        assertThat(backoff.next(Optional.of(Duration.ofSeconds(7))).orElseThrow())
                .isGreaterThanOrEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void next_serverAsksForTooMuch_isNothing() {
        assertThat(backoff.next(Optional.of(Duration.ofHours(1)))).isEmpty();
    }
}
