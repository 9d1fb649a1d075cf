package dev.penstock.http.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Timers against a clock that the test moves. */
final class TimerWheelTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NEVER = Long.MAX_VALUE;

    private long now = 12_345_678;
    private long alarm = NEVER;
    private int alarms;
    private boolean shortage;
    private final TimerWheel wheel = new TimerWheel(() -> now, this::setAlarm);
    private final List<Timer> rung = new ArrayList<>();

    private void setAlarm(long delay) {
        if (shortage) {
            shortage = false;
            throw new OutOfMemoryError("As if none were left");
        }
        alarm = now + delay;
    }

    /** Notes when it was due. */
    private final class Timer extends TimerWheel.Entry {
        private final long due;
        private long rang = -1;
        private Runnable action = () -> {};

        Timer(long due) {
            this.due = due;
        }

        Timer add() {
            wheel.add(this, due);
            return this;
        }

        @Override
        public void due() {
            rang = now;
            rung.add(this);
            action.run();
        }
    }

    /** Not by an assertion where one rings: the wheel only logs what a timer throws. */
    @AfterEach
    void eachRingsOnce() {
        assertThat(rung).doesNotHaveDuplicates();
    }

    /** Moves the clock; the wheel is turned when it asked for it. */
    private void passTo(long time) {
        while (alarm <= time) {
            now = Math.max(now, alarm);
            alarm = NEVER;
            alarms++;
            wheel.turn();
        }
        now = time;
    }

    @RepeatedTest(20)
    void timers_ofAllLengths_ringWithinTwoTicksAndNeverEarly() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Timer> timers = new ArrayList<>();
        List<Timer> removed = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            long length = Math.round(Math.pow(random.nextDouble(), 4) * 3_000_000) * MILLI;
            Timer timer = new Timer(now + length + random.nextInt(1_000_000)).add();
            if (random.nextInt(4) == 0) {
                removed.add(timer);
            } else {
                timers.add(timer);
            }
            if (random.nextInt(10) == 0 && !removed.isEmpty()) {
                Timer one = removed.get(random.nextInt(removed.size()));
                if (one.rang < 0) {
                    wheel.remove(one);
                } else {
                    assertThat(one.rang).isGreaterThanOrEqualTo(one.due);
                }
            }
            passTo(now + random.nextInt(20) * MILLI);
        }
        removed.forEach(wheel::remove);
        passTo(now + 3_100_000 * MILLI);
        for (Timer timer : timers) {
            assertThat(timer.rang - timer.due)
                    .as("lateness with seed " + seed)
                    .isBetween(0L, 2 * MILLI);
        }
        assertThat(wheel.size()).isZero();
        assertThat(alarm).as("nothing to wake up for").isEqualTo(NEVER);
    }

    @Test
    void timer_dueLongAgo_ringsAtTheNextTick() {
        Timer timer = new Timer(now - 500 * MILLI).add();
        passTo(now + 2 * MILLI);
        assertThat(timer.rang).isPositive();
    }

    @Test
    void timer_removedByOneOfTheSameTick_doesNotRing() {
        long due = now + 7 * MILLI;
        Timer first = new Timer(due).add();
        Timer second = new Timer(due).add();
        first.action = () -> wheel.remove(second);
        second.action = () -> wheel.remove(first);
        passTo(due + 2 * MILLI);
        assertThat(rung).hasSize(1);
        assertThat(wheel.size()).isZero();
    }

    @Test
    void timer_addedByAnother_ringsInItsTurn() {
        Timer first = new Timer(now + 5 * MILLI).add();
        Timer second = new Timer(now + 2000 * MILLI);
        first.action = second::add;
        passTo(now + 3000 * MILLI);
        assertThat(rung).containsExactly(first, second);
        assertThat(second.rang - second.due).isBetween(0L, 2 * MILLI);
    }

    @Test
    void timers_farAway_wakeTheLoopOnceASecond() {
        for (int i = 0; i < 5000; i++) {
            new Timer(now + (60_000 + i) * MILLI).add();
        }
        passTo(now + 50_000 * MILLI);
        assertThat(alarms).isLessThan(60);
        assertThat(rung).isEmpty();
        passTo(now + 20_000 * MILLI);
        assertThat(rung).hasSize(5000);
    }

    @Test
    void turn_afterALongStall_ringsAllThatIsDue() {
        Timer near = new Timer(now + 3 * MILLI).add();
        Timer far = new Timer(now + 5_000 * MILLI).add();
        Timer later = new Timer(now + 50_000 * MILLI).add();
        now += 30_000 * MILLI;
        wheel.turn();
        assertThat(rung).containsExactly(near, far);
        passTo(now + 30_000 * MILLI);
        assertThat(later.rang - later.due).isBetween(0L, 2 * MILLI);
    }

    @Test
    void timer_forWhichNoAlarmCouldBeSet_ringsSinceTheNextSetsIt() {
        Timer first = new Timer(now + 5 * MILLI);
        shortage = true;
        assertThatThrownBy(first::add).isInstanceOf(OutOfMemoryError.class);
        Timer next = new Timer(now + 50 * MILLI).add();
        passTo(now + 60 * MILLI);
        assertThat(rung).containsExactly(first, next);
    }

    @Test
    void timer_thatFails_keepsNoOtherFromRinging() {
        List<Timer> timers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            timers.add(new Timer(now + 5 * MILLI).add());
        }
        timers.get(1).action =
                () -> {
                    throw new IllegalStateException("what it was to do");
                };
        passTo(now + 10 * MILLI);
        assertThat(rung).containsExactlyInAnyOrderElementsOf(timers);
        Timer next = new Timer(now + 5 * MILLI).add();
        passTo(now + 10 * MILLI);
        assertThat(next.rang).isPositive();
    }
}
