package dev.penstock.http.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that are started together. */
final class LoopTest {
    private final EventLoop executor = new DefaultEventLoop();
    private final Loop loop = new Loop(executor);

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
            assertThat(tried.await(10, TimeUnit.SECONDS)).isTrue();
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
        assertThat(started.await(10, TimeUnit.SECONDS)).as("what came before").isTrue();
    }
}
