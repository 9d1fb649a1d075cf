package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ReplacedVersionTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final CountDownLatch end = new CountDownLatch(1);
    private final ReplacedVersion replaced = new ReplacedVersion();

    @Test
    void await_ofWhatEnds_endsWithIt() throws InterruptedException {
        replaced.set(end);
        AtomicLong left = new AtomicLong(-1);
        Thread waiting =
                Thread.startVirtualThread(() -> {
                    replaced.await(LONG);
                    left.set(end.getCount());
                });
        end.countDown();
        waiting.join();
        assertThat(left).hasValue(0);
    }

    @Test
    void await_ofWhatIsReadOn_waitsOnce() {
        Duration most = Duration.ofMillis(1);
        replaced.set(end);
        assertThat(replaced.await(most)).isGreaterThanOrEqualTo(most.toNanos());
        assertThat(replaced.await(LONG)).isZero();
    }

    @Test
    void await_ofOneAfterAnother_waitsForTheLast() {
        replaced.set(end);
        CountDownLatch second = new CountDownLatch(1);
        replaced.set(second);
        second.countDown();
        replaced.await(LONG);
        assertThat(end.getCount()).isEqualTo(1);
    }

    @Test
    void await_interrupted_isOverAndKeepsTheInterrupt() {
        replaced.set(end);
        Thread.currentThread().interrupt();
        replaced.await(LONG);
        assertThat(Thread.interrupted()).isTrue();
    }
}
