package dev.penstock.service.lane;

import java.util.concurrent.atomic.AtomicBoolean;

/** A call's place in its lane. Thread-safe. */
final class Turn {
    private final Lanes lanes;
    private final Lane lane;
    private final Runnable start;
    private final AtomicBoolean started = new AtomicBoolean();

    /**
     * A place in a lane.
     *
     * @param start run once, as soon as the turn is the lane's first; it must not wait
     */
    Turn(Lanes lanes, Lane lane, Runnable start) {
        this.lanes = lanes;
        this.lane = lane;
        this.start = start;
    }

    Lane lane() {
        return lane;
    }

    void start() {
        if (started.compareAndSet(false, true)) {
            start.run();
        }
    }

    /** Names the thread on which the call runs, which may call for the same key without waiting for itself. */
    void runsHere() {
        lane.owner = Thread.currentThread();
    }

    void runsNoMore() {
        lane.owner = null;
    }

    /** Leaves the lane, first or not. Later calls do nothing. */
    void exit() {
        lanes.exit(this);
    }
}
