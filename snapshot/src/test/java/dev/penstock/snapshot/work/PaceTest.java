package dev.penstock.snapshot.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
    private final AtomicLong clock = new AtomicLong(5);
    private final List<Long> rests = Collections.synchronizedList(new ArrayList<>());

    private final AtomicLong spared = new AtomicLong();

    private void keep(Runnable work) {
        Pace.keep(
                clock::get,
                nanos -> {
                    rests.add(nanos);
                    clock.addAndGet(nanos);
                },
                () -> {
                    work.run();
                    return 0;
                },
                spared::set);
    }

    private void work(long nanos) {
        clock.addAndGet(nanos);
        Pace.step();
    }

    @Test
    void step_atAPace_restsTwiceAsLongAsItWorked() {
        keep(() -> {
            work(600_000);
            work(399_999);
            assertThat(rests).isEmpty();
            work(1);
            work(999_999);
            work(1_000_001);
        });
        assertThat(rests).containsExactly(2_000_000L, 4_000_000L);
        assertThat(spared).hasValue(9_000_000);
    }

    @Test
    void step_afterALongWait_restsTenMillisecondsAtTheMost() {
        keep(() -> work(7_000_000_000L));
        assertThat(rests).containsExactly(10_000_000L);
    }

    @Test
    void step_withoutAPace_neverRests() {
        keep(() -> {});
        work(7_000_000_000L);
        assertThat(rests).isEmpty();
    }

    @Test
    void step_ofWorkThatIsHandedOver_restsToo() {
        CountDownLatch both = new CountDownLatch(2);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Runnable part =
                () -> {
                    threads.add(Thread.currentThread());
                    both.countDown();
                    try {
                        both.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    work(1_000_000);
                };
        // Each waits for the other, so they have a thread each.
        keep(() -> IndexThreads.all(List.of(part, part)));
        assertThat(threads).hasSize(2);
        // The clock of one goes on by what the other does, too.
        assertThat(rests).hasSize(2).allMatch(nanos -> nanos >= 2_000_000);
    }
}
