package dev.penstock.daytrader.run;

/**
 * The settings of service pools.
 *
 * @param instances of all pools together, 1 to 10,000
 * @param split whether stocks, users and trades have a pool each
 * @param holdsConnections whether each instance opens a connection at its start and holds it; else it takes one for
 *     each call
 * @param itemsAtOnce whether the stocks of a page are asked for at once, by several instances
 * @param queue the calls that may wait for an instance of each pool, 0 to 100,000; more are refused
 */
public record PoolSettings(
        int instances, boolean split, boolean holdsConnections, boolean itemsAtOnce, int queue) {
    /** The calls that may wait where nothing else is set. */
    public static final int DEFAULT_QUEUE = 500;

    private static final int MOST = 10_000;
    private static final int MOST_QUEUE = 100_000;

    public PoolSettings {
        if (instances < 1 || instances > MOST) {
            throw new IllegalArgumentException(
                    "%d instances of the services; it can be 1 to %,d".formatted(instances, MOST));
        }
        if (queue < 0 || queue > MOST_QUEUE) {
            throw new IllegalArgumentException(
                    "%d calls that wait for an instance; it can be 0 to %,d"
                            .formatted(queue, MOST_QUEUE));
        }
    }

    /** The same with 500 calls that may wait. */
    public PoolSettings(
            int instances, boolean split, boolean holdsConnections, boolean itemsAtOnce) {
        this(instances, split, holdsConnections, itemsAtOnce, DEFAULT_QUEUE);
    }

    /** The same with so many calls that may wait. */
    public PoolSettings withQueue(int calls) {
        return new PoolSettings(instances, split, holdsConnections, itemsAtOnce, calls);
    }

    /** One pool, whose instances hold connections. */
    public static PoolSettings of(int instances) {
        return new PoolSettings(instances, false, true, false);
    }
}
