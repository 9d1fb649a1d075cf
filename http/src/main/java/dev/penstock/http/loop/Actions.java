package dev.penstock.http.loop;

/** Runs what handlers have left to be run. */
public final class Actions {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");

    private Actions() {}

    /** One that fails must not keep others from running, errors included. */
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
