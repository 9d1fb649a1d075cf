package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The loops as a whole. */
final class EventLoopsTest {
    private final EventLoops loops = new EventLoops(2);
    private final EventLoop one = loops.bootstrap(_ -> {}).config().group().next();

    @Test
    void loops_whenOneEndsByItself_areBroken() throws Exception {
        assertThat(loops.isBroken()).isFalse();
        Future<?> ended = one.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        awaitListeners(ended);
        assertThat(loops.isBroken()).isTrue();
        loops.shutDown();
    }

    @Test
    void loops_thatAreShutDown_areNotBroken() throws Exception {
        loops.shutDown();
        awaitListeners(one.terminationFuture());
        assertThat(loops.isBroken()).isFalse();
    }

    /** They are told in the order in which they were added. */
    private static void awaitListeners(Future<?> future) throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        future.addListener(_ -> told.countDown());
        assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
