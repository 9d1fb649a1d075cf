package dev.penstock.http.loop;

/** Actions of an application whose failures are logged and go no further. */
public final class LoggedAction {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");

    private LoggedAction() {}

    /** Runs an action. If it fails, by an error too, others still run. */
    @SuppressWarnings("CatchingUnchecked")
    public static void run(Runnable action) {
        try {
            action.run();
        } catch (Throwable failure) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "An action for the end of a request failed",
                    failure);
        }
    }
}
