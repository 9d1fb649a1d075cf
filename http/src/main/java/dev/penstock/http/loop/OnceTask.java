package dev.penstock.http.loop;

/**
 * A task that runs at most once, whoever comes first. For threads whose start fails for want of memory or of further threads: the JDK may have
 * queued what was to run before it failed, and then it runs later nevertheless.
 */
public final class OnceTask implements Runnable {
    private final Runnable action;
    private boolean claimed;

    public OnceTask(Runnable action) {
        this.action = action;
    }

    /** Returns whether this is the first call: then the task will not run, unless the caller has it done. */
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
