package dev.penstock.snapshot.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LifetimeTest {
    @Test
    void ended_opensWhenAllIsGivenBack() throws InterruptedException {
        AtomicReference<CountDownLatch> ended = new AtomicReference<>();
        AtomicLong before = new AtomicLong();
        Lifetime lifetime = new Lifetime(() -> before.set(ended.get().getCount()));
        ended.set(lifetime.ended());
        assertThat(lifetime.acquire()).isTrue();
        lifetime.release();
        assertThat(lifetime.ended().getCount()).isEqualTo(1);
        lifetime.release();
        assertThat(lifetime.ended().await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(before).hasValue(1);
        assertThat(lifetime.acquire()).isFalse();
    }

    @Test
    void ended_whereGivingBackFails_opensToo() throws InterruptedException {
        Lifetime lifetime =
                new Lifetime(() -> {
                    throw new IllegalStateException("of the test");
                });
        lifetime.release();
        assertThat(lifetime.ended().await(60, TimeUnit.SECONDS)).isTrue();
    }
}
