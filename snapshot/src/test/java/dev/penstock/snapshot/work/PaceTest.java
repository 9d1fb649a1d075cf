package dev.penstock.snapshot.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
    private final AtomicLong clock = new AtomicLong(5);
    private final List<Long> rests = Collections.synchronizedList(new ArrayList<>());

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
                });
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
        Runnable part = () -> work(1_000_000);
        keep(() -> IndexThreads.all(List.of(part)));
        keep(() -> IndexThreads.all(List.of(part, part, part)));
        keep(() -> IndexThreads.all(List.of(() -> IndexThreads.all(List.of(part, part)), part)));
        // Each rests, though the clock of one goes on by what another does.
        assertThat(rests).hasSize(7).allMatch(nanos -> nanos >= 2_000_000);
    }
}
