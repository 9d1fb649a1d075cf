package dev.penstock.bench.daytrader;

import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.daytrader.run.PoolSettings;
import java.io.Serializable;

/**
 * The settings of an application under measurement.
 *
 * @param way how the services are called
 * @param atOnce how many calls run at once, where the way bounds them
 * @param connections of a pool that all share; 0 where each instance holds its own, or each unit of work opens one
 * @param split whether stocks, users and trades have pools of their own
 * @param itemsAtOnce whether the stocks of a page are asked for at once
 * @param running how many requests the server itself lets run at once, while as many wait; 0 for as many as come
 * @param scheduler how many processors virtual threads are run by; 0 for as many as there are
 */
record TradePlan(
        DatabaseAddress address,
        TradeWay way,
        int atOnce,
        int connections,
        boolean split,
        boolean itemsAtOnce,
        int running,
        int scheduler)
        implements Serializable {
    /** The most connections that are held by instances, one each, unless the plan says otherwise. */
    static final int MOST_HELD = 90;

    private static final int SHARED = 20;
    private static final int QUEUE = 10_000;

    /**
     * The plan of a contender. Bounded ones have a connection for each call that may run; beyond 90 they share as many.
     */
    static TradePlan of(DatabaseAddress address, TradeWay way, int atOnce) {
        int connections =
                switch (way) {
                    case DIRECT_UNPOOLED -> 0;
                    case DIRECT, SERVLETS -> SHARED;
                    case SEMAPHORE -> Math.min(atOnce, MOST_HELD);
                    case POOL, PEKKO -> atOnce <= MOST_HELD ? 0 : MOST_HELD;
                };
        return new TradePlan(address, way, atOnce, connections, false, false, 0, 0);
    }

    TradePlan withConnections(int shared) {
        return new TradePlan(address, way, atOnce, shared, split, itemsAtOnce, running, scheduler);
    }

    TradePlan withSplit() {
        return new TradePlan(
                address, way, atOnce, connections, true, itemsAtOnce, running, scheduler);
    }

    TradePlan withItemsAtOnce() {
        return new TradePlan(address, way, atOnce, connections, split, true, running, scheduler);
    }

    TradePlan withRunning(int requests) {
        return new TradePlan(
                address, way, atOnce, connections, split, itemsAtOnce, requests, scheduler);
    }

    TradePlan withScheduler(int processors) {
        return new TradePlan(
                address, way, atOnce, connections, split, itemsAtOnce, running, processors);
    }

    /** Returns whether each instance opens a connection at its start and holds it. */
    boolean holdsConnections() {
        return connections == 0;
    }

    PoolSettings pools() {
        PoolSettings pools = new PoolSettings(atOnce, split, holdsConnections(), itemsAtOnce);
        // No caller is refused: semaphores and actors do not refuse any either.
        return pools.withQueue(QUEUE);
    }

    @Override
    public String toString() {
        return way.isBounded() ? way + ", " + atOnce : way.toString();
    }
}
