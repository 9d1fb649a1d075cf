package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.query.QueryException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of when a snapshot is refreshed again. */
class ScheduledRefreshTest {
    private static final Version VERSION = new Version(1, Instant.EPOCH, Duration.ZERO, 0, 0);

    @Test
    void wait_afterFailures_doublesUpToSixteenPeriods() {
        Duration period = Duration.ofSeconds(10);
        List<Long> seconds = new ArrayList<>();
        for (int failures = 0; failures < 7; failures++) {
            seconds.add(ScheduledRefresh.wait(period, failures, 0.5).toSeconds());
        }
        assertThat(seconds).containsExactly(10L, 20L, 40L, 80L, 160L, 160L, 160L);
    }

    @Test
    void wait_byChance_isATenthMoreOrLess() {
        Duration period = Duration.ofSeconds(10);
        assertThat(ScheduledRefresh.wait(period, 0, 0)).isEqualTo(Duration.ofSeconds(9));
        assertThat(ScheduledRefresh.wait(period, 0, 0.9999))
                .isBetween(Duration.ofMillis(10_990), Duration.ofSeconds(11));
    }

    @Test
    void refresh_thatFails_isToldAndTriedAgain() throws InterruptedException {
        LinkedBlockingQueue<Duration> waits = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<Boolean> fails = new LinkedBlockingQueue<>();
        try (ScheduledRefresh schedule =
                ScheduledRefresh.start(
                        () -> {
                            if (take(fails)) {
                                throw new QueryException(
                                        QueryException.Kind.UNAVAILABLE, "it is away");
                            }
                            return VERSION;
                        },
                        Duration.ofSeconds(1),
                        waits::add,
                        () -> 0.5)) {
            assertThat(waits.take()).isEqualTo(Duration.ofSeconds(1));
            fails.add(true);
            assertThat(waits.take()).isEqualTo(Duration.ofSeconds(2));
            assertThat(schedule.failures().inARow()).isEqualTo(1);
            assertThat(schedule.failures().last()).hasMessage("it is away");
            fails.add(true);
            assertThat(waits.take()).isEqualTo(Duration.ofSeconds(4));
            fails.add(false);
            assertThat(waits.take()).isEqualTo(Duration.ofSeconds(1));
            assertThat(schedule.failures()).isEqualTo(RefreshFailures.NONE);
        }
    }

    @Test
    void refresh_thatEndsWithAnError_isToldAndTriedAgain() throws InterruptedException {
        LinkedBlockingQueue<Duration> waits = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<Boolean> fails = new LinkedBlockingQueue<>();
        try (ScheduledRefresh schedule =
                ScheduledRefresh.start(
                        () -> {
                            if (take(fails)) {
                                throw new OutOfMemoryError("Java heap space");
                            }
                            return VERSION;
                        },
                        Duration.ofSeconds(1),
                        waits::add,
                        () -> 0.5)) {
            assertThat(waits.take()).isEqualTo(Duration.ofSeconds(1));
            fails.add(true);
            assertThat(waits.poll(60, TimeUnit.SECONDS)).isEqualTo(Duration.ofSeconds(2));
            assertThat(schedule.failures().inARow()).isEqualTo(1);
            assertThat(schedule.failures().last())
                    .hasMessage(
                            "refreshing the snapshot ended with java.lang.OutOfMemoryError: Java heap space");
            fails.add(false);
            assertThat(waits.poll(60, TimeUnit.SECONDS)).isEqualTo(Duration.ofSeconds(1));
            assertThat(schedule.failures()).isEqualTo(RefreshFailures.NONE);
        }
    }

    @Test
    void wait_ofALongPeriod_isAsLongAsItCanBe() {
        assertThat(ScheduledRefresh.wait(Duration.ofSeconds(Long.MAX_VALUE), 3, 0.5))
                .isGreaterThan(Duration.ofDays(100_000));
    }

    private static boolean take(LinkedBlockingQueue<Boolean> queue) {
        try {
            return queue.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException("closed", e);
        }
    }

    @Test
    void close_whileItWaits_endsIt() throws InterruptedException {
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        ScheduledRefresh schedule =
                ScheduledRefresh.start(
                        () -> {
                            throw new AssertionError("it refreshed");
                        },
                        Duration.ofDays(1),
                        duration -> {
                            waiting.countDown();
                            try {
                                Thread.sleep(duration);
                            } finally {
                                over.countDown();
                            }
                        },
                        () -> 0.5);
        waiting.await();
        schedule.close();
        schedule.close();
        assertThat(over.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void start_withoutAPeriod_isRefused() {
        assertThatThrownBy(() -> ScheduledRefresh.start(() -> VERSION, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a refresh every PT0S");
    }

    /** The feed does not tell again what the first try had taken, so nobody would wake the second. */
    @Test
    @Timeout(120)
    void start_refreshOnChangesFails_isTriedAgainWithoutFurtherChanges() throws Exception {
        CountDownLatch tries = new CountDownLatch(2);
        CountDownLatch further = new CountDownLatch(1);
        AtomicBoolean isTold = new AtomicBoolean();
        ScheduledRefresh.Changes changes =
                _ -> {
                    if (!isTold.compareAndSet(false, true)) {
                        further.await();
                    }
                    return true;
                };

        try (ScheduledRefresh schedule =
                ScheduledRefresh.start(
                        () -> {
                            tries.countDown();
                            throw new IllegalStateException("no memory");
                        },
                        Duration.ofMillis(1),
                        changes,
                        () -> 0)) {
            tries.await();
            assertThat(schedule.lastSuccess()).isEmpty();
        }
    }

    @Test
    @Timeout(120)
    void start_refreshOnChangesThatRests_pausesForTheRestOfItAlone() throws Exception {
        LinkedBlockingQueue<Duration> waits = new LinkedBlockingQueue<>();
        AtomicLong spared = new AtomicLong();
        LinkedBlockingQueue<Boolean> told = new LinkedBlockingQueue<>();
        try (ScheduledRefresh _ =
                ScheduledRefresh.start(
                        () -> {
                            long start = System.nanoTime();
                            while (System.nanoTime() - start < 20_000_000) {
                                Thread.onSpinWait();
                            }
                            return VERSION;
                        },
                        Duration.ofMillis(1),
                        _ -> take(told),
                        waits::add,
                        () -> 0.5,
                        spared::get)) {
            assertThat(waits.take()).isEqualTo(Duration.ofMillis(1));
            told.add(true);
            assertThat(waits.take()).isGreaterThanOrEqualTo(Duration.ofMillis(20));
            spared.set(Duration.ofHours(1).toNanos());
            told.add(true);
            assertThat(waits.take()).isEqualTo(Duration.ofMillis(1));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-PT1S, -PT1S",
        "PT0.02S, PT0.02S",
        "PT0.2S, PT0.2S",
        "PT0.3S, PT0.2S",
        "PT8S, PT2S"
    })
    void rest_afterAsMuchWork_isShortSoThatChangesAreSeenSoon(Duration worked, Duration rest) {
        assertThat(ScheduledRefresh.rest(worked)).isEqualTo(rest);
    }
}
