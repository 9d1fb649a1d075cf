package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Handler;
import dev.penstock.http.loop.TimerWheel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * All orders in which what can end a wait may come, with the event loop's tasks run at every place between them:
 * exactly one of them wins, whatever goes on goes on once and not before the handler has returned, and nothing is left
 * behind.
 */
final class SuspensionModelTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    /** An event of the model. */
    private enum Event {
        HANDLER_RETURNS,
        HANDLER_THROWS,
        RESUME,
        RESPOND,
        TIME_PASSES,
        CLIENT_LEAVES,
        SERVER_STOPS,
        ACTION_ADDED,
        /** The event loop does what was given to it so far. */
        LOOP_RUNS
    }

    /** One run of the model. */
    private static final class Run implements ServerSuspension.Host {
        private final Queue<Runnable> loop = new ArrayDeque<>();
        private final TimerWheel wheel =
                new TimerWheel(() -> System.nanoTime() + aheadNanos(), _ -> {});
        private final Duration timeout;
        private final ServerSuspension wait;
        private final List<Handler> wentOn = new ArrayList<>();
        private long ahead;
        private int endedWithoutAnswer;
        private int won;
        private int cancelled;
        private int actions;
        private boolean returned;
        private boolean thrown;
        private boolean clientLeft;

        Run() {
            this(TIMEOUT);
        }

        Run(Duration timeout) {
            this.timeout = timeout;
            this.wait = new ServerSuspension(this, timeout);
        }

        private long aheadNanos() {
            return ahead;
        }

        @Override
        public void onLoop(Runnable action) {
            loop.add(action);
        }

        @Override
        public TimerWheel timers() {
            return wheel;
        }

        @Override
        public void waiting() {
            assertThat(wait.isWaiting()).isTrue();
        }

        @Override
        public void goOn(Handler handler) {
            assertThat(returned).as("the handler has returned").isTrue();
            wentOn.add(handler);
        }

        @Override
        public void endWithoutAnswer() {
            assertThat(returned).as("the handler has returned").isTrue();
            endedWithoutAnswer++;
        }

        @Override
        public void handBodyTo(RequestBody.Taker taker) {
            throw new IllegalStateException("Nobody asked for the body");
        }

        @Override
        public void runApart(Runnable action) {
            action.run();
        }

        void happens(Event event) {
            switch (event) {
                case HANDLER_RETURNS -> {
                    returned = true;
                    wait.begin();
                }
                case HANDLER_THROWS -> {
                    thrown = true;
                    wait.abandon();
                }
                case RESUME -> count(wait.resume(_ -> {}));
                case RESPOND -> count(wait.respond(200, "text/plain", "x"));
                case TIME_PASSES -> {
                    ahead += timeout.toNanos() + TimeUnit.MILLISECONDS.toNanos(10);
                    wheel.turn();
                }
                case CLIENT_LEAVES -> {
                    clientLeft = true;
                    wait.clientLeft();
                }
                case SERVER_STOPS -> wait.stop();
                case ACTION_ADDED -> {
                    actions++;
                    wait.onCancel(() -> cancelled++);
                }
                case LOOP_RUNS -> runLoop();
            }
        }

        private void count(boolean ended) {
            if (ended) {
                won++;
            }
        }

        private void runLoop() {
            for (Runnable task = loop.poll(); task != null; task = loop.poll()) {
                task.run();
            }
        }

        void check() {
            runLoop();
            ahead += 2 * timeout.toNanos();
            wheel.turn();
            runLoop();
            assertThat(wait.isWaiting()).as("waits").isFalse();
            assertThat(wheel.size()).as("timers").isZero();
            assertThat(won).as("calls that won").isLessThanOrEqualTo(1);
            int ends = wentOn.size() + endedWithoutAnswer;
            assertThat(ends).as("ends").isEqualTo(thrown ? 0 : 1);
            if (endedWithoutAnswer == 1) {
                assertThat(clientLeft).as("the client left").isTrue();
            }
            // Once it is wanted, nothing is cancelled; and what is cancelled tells everyone who
            // asked for it once.
            assertThat(cancelled).as("cancelled").isEqualTo(won == 1 ? 0 : actions);
            int tasks = loop.size();
            assertThat(wait.resume(_ -> {})).as("a late call wins").isFalse();
            wait.clientLeft();
            assertThat(loop).as("late tasks").hasSize(tasks);
        }
    }

    @Test
    void wait_withEventsInAnyOrder_endsExactlyOnce() {
        List<Event> events =
                List.of(
                        Event.RESUME,
                        Event.RESPOND,
                        Event.TIME_PASSES,
                        Event.CLIENT_LEAVES,
                        Event.SERVER_STOPS,
                        Event.ACTION_ADDED);
        int[] runs = {0};
        orders(new ArrayList<>(), EnumSet.copyOf(events), 4, runs);
        assertThat(runs[0]).isGreaterThan(10_000);
    }

    /**
     * Every order of up to so many events with the handler's return at every place, and the loop's turns everywhere.
     */
    private static void orders(List<Event> before, Set<Event> left, int most, int[] runs) {
        for (int at = 0; at <= before.size(); at++) {
            List<Event> order = new ArrayList<>(before);
            order.add(at, Event.HANDLER_RETURNS);
            for (int turns = 0; turns < 1 << order.size(); turns++) {
                play(order, turns);
                runs[0]++;
            }
        }
        if (before.size() == most) {
            return;
        }
        for (Event event : left) {
            List<Event> order = new ArrayList<>(before);
            order.add(event);
            Set<Event> others = EnumSet.copyOf(left);
            others.remove(event);
            orders(order, others, most, runs);
        }
    }

    private static void play(List<Event> order, int turns) {
        Run run = new Run();
        for (int i = 0; i < order.size(); i++) {
            run.happens(order.get(i));
            if ((turns & 1 << i) != 0) {
                run.happens(Event.LOOP_RUNS);
            }
        }
        run.check();
    }

    @Test
    void handler_thatThrows_endsTheWaitAndNothingGoesOn() {
        for (Event before : Event.values()) {
            if (before == Event.HANDLER_RETURNS || before == Event.HANDLER_THROWS) {
                continue;
            }
            Run run = new Run();
            run.happens(Event.ACTION_ADDED);
            run.happens(before);
            run.happens(Event.LOOP_RUNS);
            run.happens(Event.HANDLER_THROWS);
            run.check();
        }
    }

    @Test
    void time_replacedWhenItHadNearlyCome_isWaitedForAnew() {
        // So long that no pause of this thread is.
        Run run = new Run(Duration.ofSeconds(200));
        run.wait.resumeAfter(Duration.ofMillis(10), _ -> {});
        run.happens(Event.HANDLER_RETURNS);
        run.happens(Event.LOOP_RUNS);
        run.ahead += TimeUnit.MILLISECONDS.toNanos(50);
        Handler later = _ -> {};
        run.wait.resumeAfter(Duration.ofSeconds(100), later);
        // The loop comes to its timers before it hears of that.
        run.wheel.turn();
        run.happens(Event.LOOP_RUNS);
        assertThat(run.wentOn).as("too early").isEmpty();
        run.ahead += TimeUnit.SECONDS.toNanos(110);
        run.wheel.turn();
        run.check();
        assertThat(run.wentOn).containsExactly(later);
    }

    @Test
    void action_thatFails_keepsNoOtherFromRunning() {
        Run run = new Run();
        run.wait.onCancel(() -> {
            throw new IllegalStateException("the first action");
        });
        run.happens(Event.ACTION_ADDED);
        run.happens(Event.HANDLER_RETURNS);
        run.happens(Event.CLIENT_LEAVES);
        run.check();
    }
}
