package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A history of several threads with permits of which there are so many, and a check that each step could have happened
 * at one moment between its begin and its end: never more are held than there are, and none is refused while one was
 * free all the time.
 */
public final class PermitHistory {
    private final int permits;

    /** Numbers begins and ends, in an order that agrees with what happened before what. */
    private final AtomicLong clock = new AtomicLong();

    private final Queue<Attempt> attempts = new ConcurrentLinkedQueue<>();

    public PermitHistory(int permits) {
        this.permits = permits;
    }

    /** One attempt of a thread to take a permit, and what it did with it. */
    public final class Attempt {
        private final long began = clock.incrementAndGet();
        private long decided;
        private boolean granted;
        private long givingBack;
        private long gaveBack;

        private Attempt() {}

        /** It has been decided. */
        public Attempt decided(boolean granted) {
            decided = clock.incrementAndGet();
            this.granted = granted;
            attempts.add(this);
            return this;
        }

        /** Gives the permit back. */
        public void giveBack(Runnable step) {
            givingBack = clock.incrementAndGet();
            step.run();
            gaveBack = clock.incrementAndGet();
        }
    }

    /** A thread is about to try. */
    public Attempt begin() {
        return new Attempt();
    }

    /** To be called when all threads have ended, and all permits are given back. */
    public void check() {
        int end = (int) clock.get() + 2;
        int[] surely = new int[end];
        int[] perhaps = new int[end];
        for (Attempt attempt : attempts) {
            if (attempt.granted) {
                surely[(int) attempt.decided]++;
                surely[(int) attempt.givingBack]--;
                perhaps[(int) attempt.began]++;
                perhaps[(int) attempt.gaveBack + 1]--;
            }
        }
        List<Long> wrong = new ArrayList<>();
        for (int i = 1; i < end; i++) {
            surely[i] += surely[i - 1];
            perhaps[i] += perhaps[i - 1];
            assertThat(surely[i]).as("held at once").isLessThanOrEqualTo(permits);
        }
        for (Attempt attempt : attempts) {
            if (!attempt.granted && !reaches(perhaps, attempt)) {
                wrong.add(attempt.began);
            }
        }
        assertThat(wrong).as("refused although one was free").isEmpty();
    }

    private boolean reaches(int[] held, Attempt refused) {
        for (int i = (int) refused.began; i <= refused.decided; i++) {
            if (held[i] >= permits) {
                return true;
            }
        }
        return false;
    }
}
