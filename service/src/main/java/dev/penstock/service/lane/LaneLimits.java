package dev.penstock.service.lane;

/** The limits of a pool's lanes, and the exceptions of those who meet one. */
public interface LaneLimits {
    /** Returns how many calls may wait for their keys, in all lanes together. */
    int mostWaiting();

    /** Returns how long a call may wait for its key, in nanoseconds; 0 for ever. */
    long timeoutNanos();

    /** Returns the exception of a call that finds all places to wait taken. */
    RuntimeException full(String method);

    /** Returns the exception of a call that has waited for too long. */
    RuntimeException timedOut(String method, long waitedNanos);

    /** Returns the exception of a call whose thread was interrupted while it waited. */
    RuntimeException interrupted(String method);

    /** Is told of the failure of a call for which nobody waits. */
    void unseen(String method, Throwable failure);
}
