package dev.penstock.snapshot.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class IndexThreadsTest {
    /** A refresh is not to wait for the order of some million texts that is built beside queries. */
    @Test
    void all_whileEveryThreadBuildsAnIndex_isDoneByTheCaller() throws Exception {
        CountDownLatch begun = new CountDownLatch(WorkerThreads.THREADS);
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(WorkerThreads.THREADS);
        for (int i = 0; i < WorkerThreads.THREADS; i++) {
            IndexThreads.start(() -> {
                begun.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                ended.countDown();
            });
        }
        begun.await();
        try {
            AtomicInteger done = new AtomicInteger();

            IndexThreads.all(
                    List.of(done::incrementAndGet, done::incrementAndGet, done::incrementAndGet));

            assertThat(done).hasValue(3);
        } finally {
            end.countDown();
            ended.await();
        }
    }

    @Test
    void all_oneFails_theOthersAreDoneBeforeItIsThrown() {
        AtomicInteger done = new AtomicInteger();
        Runnable fails =
                () -> {
                    throw new IllegalStateException("no index");
                };

        assertThatThrownBy(() ->
                        IndexThreads.all(
                                List.of(
                                        done::incrementAndGet,
                                        fails,
                                        done::incrementAndGet,
                                        done::incrementAndGet)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no index");
        assertThat(done).hasValue(3);
    }
}
