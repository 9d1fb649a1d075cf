package dev.penstock.http.loop;

/**
 * A task that runs at most once. For threads whose start fails because there is no memory, or no further thread: the
 * JDK may have queued the task before it failed, and then it runs later nevertheless.
 */
public final class ClaimableTask implements Runnable {
    private final Runnable action;
    private boolean claimed;

    public ClaimableTask(Runnable action) {
        this.action = action;
    }

    /** Claims the task; true for the first caller, and then the task does not run unless that one runs its action. */
    public synchronized boolean claim() {
        boolean first = !claimed;
        claimed = true;
        return first;
    }

    @Override
    public void run() {
        if (claim()) {
            action.run();
        }
    }
}
