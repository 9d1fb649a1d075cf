package dev.penstock.server.operations;

import dev.penstock.service.PoolFigures;
import dev.penstock.service.ServicePool;
import java.util.ArrayList;
import java.util.List;

/**
 * The service pools that the server's metrics and its readiness tell of, with their parts. Whoever has started a pool
 * closes it. Thread-safe.
 */
final class ServicePools {
    private volatile List<ServicePool<?>> pools = List.of();

    /**
     * Adds a pool and its parts.
     *
     * @throws IllegalArgumentException if there is one of the same name
     */
    synchronized void add(ServicePool<?> pool) {
        List<ServicePool<?>> more = new ArrayList<>(pools);
        more.add(pool);
        more.addAll(pool.parts());
        long names = more.stream().map(ServicePool::name).distinct().count();
        if (names < more.size()) {
            throw new IllegalArgumentException(
                    "Pool "
                            + pool.name()
                            + ": it, or one of its parts, has the name of another pool in the metrics; give it a name"
                            + " of its own.");
        }
        pools = List.copyOf(more);
    }

    /** Returns the figures of all pools and parts, read one after the other. */
    List<PoolFigures> figures() {
        return pools.stream().<PoolFigures>map(ServicePool::figures).toList();
    }

    /** Returns the names of those that have no instance for a call, or a part of which has none. */
    List<String> unready() {
        return pools.stream().filter(pool -> !pool.isReady()).map(ServicePool::name).toList();
    }
}
