package dev.penstock.bench.service.peer;

import java.util.concurrent.CompletionStage;

/** A service into which only so many calls are let at once. Thread-safe. Closed by whoever started it. */
public interface Bounded extends AutoCloseable {
    /** Waits for its turn, and performs the work with this argument. Returns the work's result. */
    long perform(long argument) throws Exception;

    /**
     * Performs the work when its turn comes, without a thread that waits.
     *
     * @throws UnsupportedOperationException if that is not to be had here
     */
    default CompletionStage<Long> later(long argument) {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " has no such call");
    }

    @Override
    default void close() {}
}
