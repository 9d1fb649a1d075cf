package dev.penstock.server;

/**
 * The platform threads that carry the JVM's virtual ones. There are as many as processors, and a virtual thread that computes
 * gives its own up to nobody. The queries of an embedded database compute; so for each that may run there is a carrier more,
 * and the operating system shares the processors fairly between them and short requests.
 */
final class Carriers {
    private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";
    private static final String MAXIMUM = "jdk.virtualThreadScheduler.maxPoolSize";

    private Carriers() {}

    /** Has so many more. To be called before the first virtual thread starts; without effect afterwards. */
    static void addFor(int computing) {
        if (System.getProperty(PARALLELISM) == null) {
            int carriers = Runtime.getRuntime().availableProcessors() + computing;
            System.setProperty(PARALLELISM, Integer.toString(carriers));
            System.setProperty(MAXIMUM, Integer.toString(Math.max(256, carriers)));
        }
    }
}
