package dev.penstock.snapshot.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LifetimeTest {
    private static final Duration LONG = Duration.ofHours(1);

    @Test
    @Timeout(120)
    void awaitEnd_ofWhatIsReleased_waitsUntilAllIsGivenBack() throws InterruptedException {
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicBoolean isGivenBack = new AtomicBoolean();
        Lifetime lifetime =
                new Lifetime(() -> {
                    try {
                        mayEnd.await();
                        isGivenBack.set(true);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
        AtomicBoolean wasGivenBack = new AtomicBoolean();
        Thread waiting =
                Thread.startVirtualThread(() -> {
                    lifetime.awaitEnd(LONG);
                    wasGivenBack.set(isGivenBack.get());
                });
        lifetime.release();
        mayEnd.countDown();
        waiting.join();
        assertThat(wasGivenBack).isTrue();
    }

    @Test
    @Timeout(120)
    void awaitEnd_ofWhatFailsToEnd_isOver() {
        Lifetime lifetime =
                new Lifetime(() -> {
                    throw new IllegalStateException("of the test");
                });
        lifetime.release();
        lifetime.awaitEnd(LONG);
        assertThat(lifetime.acquire()).isFalse();
    }

    @Test
    @Timeout(120)
    void awaitEnd_ofWhatIsUsed_endsAfterTheTimeOrByAnInterrupt() {
        Lifetime lifetime = new Lifetime(() -> {});
        lifetime.awaitEnd(Duration.ofNanos(1));
        Thread.currentThread().interrupt();
        lifetime.awaitEnd(LONG);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(lifetime.acquire()).isTrue();
    }
}
