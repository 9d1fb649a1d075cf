package dev.penstock.http.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that are started together, and ticks. */
final class LoopTest {
    private static final long LIMIT_SECONDS = 60;

    private final ShortOfMemory executor = new ShortOfMemory();
    private final Loop loop = new Loop(executor, UnpooledByteBufAllocator.DEFAULT);

    /** An event loop that has no memory for the next timer, or the next task, if it is told so. */
    private static final class ShortOfMemory extends DefaultEventLoop {
        private volatile @Nullable CountDownLatch shortage;
        private volatile boolean full;

        @Override
        public void execute(Runnable task) {
            if (full) {
                full = false;
                throw new OutOfMemoryError("of a test");
            }
            super.execute(task);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
            CountDownLatch known = shortage;
            if (known != null) {
                shortage = null;
                known.countDown();
                throw new OutOfMemoryError("of a test");
            }
            return super.schedule(action, delay, unit);
        }
    }

    @AfterEach
    void stop() {
        executor.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Fewer than wait at the most, as many, and more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15, 16, 17, 100})
    void starts_ofWhichSomeFail_areAllTried(int count) throws Exception {
        for (int round = 0; round < 3; round++) {
            CountDownLatch tried = new CountDownLatch(count);
            executor.execute(() -> {
                for (int i = 0; i < count; i++) {
                    loop.start(() -> {
                        tried.countDown();
                        throw new OutOfMemoryError("of a test");
                    });
                }
            });
            assertThat(tried.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void starts_whenTheLoopStops_areStillMade() throws Exception {
        CountDownLatch started = new CountDownLatch(2);
        executor.execute(() -> {
            loop.start(started::countDown);
            loop.start(started::countDown);
        });
        stop();
        assertThat(started.await(LIMIT_SECONDS, TimeUnit.SECONDS)).as("what came before").isTrue();
    }

    @Test
    void start_whenTheLoopHasNoMemoryForATask_isMadeAtOnce() throws Exception {
        CountDownLatch started = new CountDownLatch(2);
        executor.execute(() -> {
            executor.full = true;
            loop.start(started::countDown);
            loop.start(started::countDown);
        });
        assertThat(started.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void ticks_whoseTimerCouldNotBeSet_comeAgainWithTheNextConnection() throws Exception {
        TickedConnection first = new TickedConnection();
        loop.run(() -> loop.add(first));
        assertThat(first.ticks().tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        CountDownLatch shortage = new CountDownLatch(1);
        executor.shortage = shortage;
        assertThat(shortage.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        var _ = first.ticks().drainPermits();
        TickedConnection second = new TickedConnection();
        loop.run(() -> loop.add(second));
        assertThat(second.ticks().tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(first.ticks().tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void chunk_thatALoopKeeps_isGivenBackWhereMemoryIsShort() throws Exception {
        CountDownLatch gaveBack = new CountDownLatch(1);
        executor.submit(() -> loop.keepChunks(true)).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(loop.keepsChunk()).isTrue();
        loop.memoryIsShort(gaveBack::countDown);
        assertThat(gaveBack.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        executor.submit(() -> loop.keepChunks(true)).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(loop.keepsChunk()).as("so soon after a shortage").isFalse();
    }

    @Test
    void shortage_thatALoopCouldNotBeTold_isToldWithTheNext() throws Exception {
        executor.full = true;
        assertThatThrownBy(() -> loop.memoryIsShort(() -> {})).isInstanceOf(OutOfMemoryError.class);
        CountDownLatch gaveBack = new CountDownLatch(1);
        loop.memoryIsShort(gaveBack::countDown);
        assertThat(gaveBack.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shortages_oneAfterTheOther_areHeardEach() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            CountDownLatch gaveBack = new CountDownLatch(1);
            loop.memoryIsShort(gaveBack::countDown);
            assertThat(gaveBack.await(LIMIT_SECONDS, TimeUnit.SECONDS)).as("of %d", i).isTrue();
        }
    }
}
