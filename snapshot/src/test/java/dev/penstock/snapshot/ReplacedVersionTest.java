package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
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
        Thread waiting = Thread.startVirtualThread(() -> replaced.await(LONG));
        end.countDown();
        waiting.join();
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
        assertThat(replaced.await(LONG)).isPositive();
        assertThat(end.getCount()).isEqualTo(1);
    }

    @Test
    void await_interrupted_isOverAndKeepsTheInterrupt() {
        replaced.set(end);
        Thread.currentThread().interrupt();
        assertThat(replaced.await(LONG)).isPositive();
        assertThat(Thread.interrupted()).isTrue();
    }
}
