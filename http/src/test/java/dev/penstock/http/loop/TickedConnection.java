package dev.penstock.http.loop;

import java.util.concurrent.Semaphore;

/** A connection that counts its ticks. */
final class TickedConnection implements ServerConnection {
    private final Semaphore ticks = new Semaphore(0);

    /** Has a permit for each tick. */
    Semaphore ticks() {
        return ticks;
    }

    @Override
    public void tick(long now) {
        ticks.release();
    }

    @Override
    public void stop() {}

    @Override
    public void reset() {}

    @Override
    public boolean isOver() {
        return false;
    }
}
