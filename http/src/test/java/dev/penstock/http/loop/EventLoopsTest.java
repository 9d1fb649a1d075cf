package dev.penstock.http.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** The loops as a whole. */
final class EventLoopsTest {
    private final EventLoops loops = new EventLoops(2, true);
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

    @Test
    void loop_whenItsLogFails_goesOn() throws Exception {
        try (BrokenLog _ = new BrokenLog()) {
            one.execute(() -> {
                throw new IllegalStateException("What a task throws is logged");
            });
            assertThat(one.submit(() -> "here").get(60, TimeUnit.SECONDS)).isEqualTo("here");
        }
        assertThat(loops.isBroken()).isFalse();
        loops.shutDown();
    }

    @Test
    void action_thatIsDoneAgainAndAgain_isSoAfterAFailure() throws Exception {
        CountDownLatch runs = new CountDownLatch(3);
        loops.every(
                Duration.ofMillis(1),
                () -> {
                    runs.countDown();
                    if (runs.getCount() > 0) {
                        throw new OutOfMemoryError("As if no thread could be started");
                    }
                });
        assertThat(runs.await(60, TimeUnit.SECONDS)).isTrue();
        loops.shutDown();
    }

    @Test
    void connections_whereALoopHasEnded_areThoseOfTheOthers() throws Exception {
        Loop here = loops.next();
        Loop there = loops.next();
        awaitListeners(one.shutdownGracefully(0, 1, TimeUnit.SECONDS));
        awaitListeners(one.terminationFuture());
        Loop living = here.execute(() -> {}) ? here : there;
        Loop ended = living == here ? there : here;
        assertThat(ended.execute(() -> {})).isFalse();
        CountDownLatch told = new CountDownLatch(1);
        living.run(() -> living.add(new TickedConnection()));
        loops.forEach(_ -> told.countDown());
        assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
        loops.shutDown();
    }

    @Test
    void listener_afterAnError_isOpen() throws Exception {
        Channel listener = loops.bootstrap(_ -> {}).bind(0).sync().channel();
        assertThat(listener)
                .isInstanceOfSatisfying(
                        ListeningChannel.class,
                        bound ->
                                assertThat(bound.closeOnReadError(new OutOfMemoryError()))
                                        .isFalse());
        loops.shutDown();
    }

    /** A log that fails with an error. */
    private static final class BrokenLog extends Handler implements AutoCloseable {
        private final Logger root = Logger.getLogger("");

        BrokenLog() {
            root.addHandler(this);
        }

        @Override
        public void publish(LogRecord line) {
            throw new NoClassDefFoundError("As if no file were left");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            root.removeHandler(this);
        }
    }

    /** They are told in the order in which they were added. */
    private static void awaitListeners(Future<?> future) throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        future.addListener(_ -> told.countDown());
        assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
