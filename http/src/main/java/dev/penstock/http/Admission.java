package dev.penstock.http;

import java.time.Duration;

/**
 * How many requests of a kind run at once. Further ones wait in a bounded queue, first come first served, before any
 * thread or database connection is theirs; beyond its length, or after its patience, the answer is 503 with
 * {@code Retry-After}. One instance may serve several routes. Thread-safe.
 */
public final class Admission {
    private final int running;
    private final int waiting;
    private final Duration patience;

    /**
     * @param running how many run at once
     * @param waiting how many wait at the most
     * @param patience how long one waits at the most
     */
    public Admission(int running, int waiting, Duration patience) {
        this.running = running;
        this.waiting = waiting;
        this.patience = patience;
    }

    /** How many run at once. */
    public int running() {
        return running;
    }

    /** How many may wait. */
    public int waiting() {
        return waiting;
    }

    /** How long one may wait. */
    public Duration patience() {
        return patience;
    }
}
