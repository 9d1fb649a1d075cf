package dev.penstock.http.loop;

/** Actions whose failures are logged and go no further. */
public final class LoggedAction {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");

    private LoggedAction() {}

    /** Runs an action of an application for the end of a request. If it fails, by an error too, others still run. */
    public static void run(Runnable action) {
        run(action, "An action for the end of a request failed");
    }

    /**
     * Runs an action.
     *
     * @param failed the line that is logged if it fails, by an error too
     */
    @SuppressWarnings("CatchingUnchecked")
    static void run(Runnable action, String failed) {
        try {
            action.run();
        } catch (Throwable failure) {
            LOGGER.log(System.Logger.Level.WARNING, failed, failure);
        }
    }
}
