package dev.penstock.service;

import org.jspecify.annotations.Nullable;

/**
 * An observer of one pool's calls and instances. All methods do nothing by default.
 *
 * <p>Methods run on the threads of callers or of the pool, several at once, and never under a lock of the pool; they
 * should be quick. What they throw is logged and harms no call. {@code method} is the name of the interface's method
 * for calls through a proxy, else {@code "call"}, {@code "run"}, {@code "async"} or {@code "forEach"}.
 */
public interface PoolListener {
    /**
     * Is told of a call that ran to its end, timed out or not.
     *
     * @param queuedNanos how long it waited for an instance
     * @param ranNanos how long it ran
     * @param failure what it threw, or null
     */
    default void called(
            String method, long queuedNanos, long ranNanos, @Nullable Throwable failure) {}

    /** Is told of a call that was refused because the queue was full. */
    default void rejected(String method) {}

    /**
     * Is told of a call that did not end in time: one that waited for too long, or that ran for too long and has ended.
     *
     * @param ranNanos how long it ran; zero when it never began
     */
    default void timedOut(String method, long queuedNanos, long ranNanos) {}

    /** Is told of an instance that is ready for its first call. */
    default void instanceStarted(int index) {}

    /** Is told of a start, or of a hook, that failed. */
    default void instanceFailed(int index, Throwable failure) {}

    /** Is told that an instance is about to be made anew, and why. */
    default void instanceRestarted(int index, Throwable failure) {}

    /** Is told of an instance that has ended and has no successor for now. */
    default void instanceStopped(int index) {}

    /** Is told of new bounds, or that the pool has grown or shrunk within them. */
    default void resized(int size, int min, int max) {}

    /**
     * Begins a span, on the thread on which the call is about to run.
     *
     * @return whatever {@link #endCall} needs; null is fine
     */
    default @Nullable Object beginCall(String method) {
        return null;
    }

    /** Ends a span, on the thread on which the call ran, or on which the stage was completed that it returned. */
    default void endCall(@Nullable Object span, @Nullable Throwable failure) {}
}
