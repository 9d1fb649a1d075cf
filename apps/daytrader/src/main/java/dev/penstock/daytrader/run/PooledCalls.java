package dev.penstock.daytrader.run;

import static java.util.Objects.requireNonNull;

import dev.penstock.daytrader.store.TradeStore;
import dev.penstock.daytrader.trade.Quote;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.service.ServiceCall;
import dev.penstock.service.ServicePool;
import dev.penstock.service.Supervision;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Calls on the instances of service pools: one pool, or one for each {@link TradeCalls.Part}. Calls wait at most five
 * seconds for an instance, as many of them as the settings say, and are not interrupted when they run: an interrupt
 * closes the files of an embedded database.
 */
public final class PooledCalls implements TradeCalls {
    private static final Duration QUEUE_TIMEOUT = Duration.ofSeconds(5);

    private final Map<Part, ServicePool<TradeServices>> pools = new EnumMap<>(Part.class);
    private final List<ServicePool<TradeServices>> all = new ArrayList<>();
    private final boolean itemsAtOnce;

    /**
     * Starts the pools.
     *
     * @param store where the instances take their connections
     * @param settings which pools there are
     */
    public PooledCalls(TradeStore store, PoolSettings settings) {
        this.itemsAtOnce = settings.itemsAtOnce();
        if (!settings.split()) {
            ServicePool<TradeServices> pool =
                    start(store, settings, "daytrader", settings.instances());
            for (Part part : Part.values()) {
                pools.put(part, pool);
            }
            return;
        }
        for (Part part : Part.values()) {
            String name = "daytrader-" + part.name().toLowerCase(Locale.ROOT);
            pools.put(part, start(store, settings, name, share(part, settings.instances())));
        }
    }

    /** Half of the instances for stocks, an eighth for users, the rest for trades; at least one each. */
    private static int share(Part part, int instances) {
        int quotes = Math.max(1, instances / 2);
        int users = Math.max(1, instances / 8);
        return switch (part) {
            case QUOTES -> quotes;
            case USERS -> users;
            case TRADES -> Math.max(1, instances - quotes - users);
        };
    }

    private ServicePool<TradeServices> start(
            TradeStore store, PoolSettings settings, String name, int instances) {
        ServicePool<TradeServices> pool =
                ServicePool.of(
                                TradeServices.class,
                                () ->
                                        settings.holdsConnections()
                                                ? store.connectedServices()
                                                : store.services())
                        .name(name)
                        .size(instances)
                        .queue(settings.queue())
                        .callTimeout(Duration.ZERO)
                        .queueTimeout(QUEUE_TIMEOUT)
                        .supervise(supervision())
                        .start();
        all.add(pool);
        return pool;
    }

    /** An instance opens a new connection by itself where its own is broken, and a refusal is no failure at all. */
    private static Supervision supervision() {
        return Supervision.standard().resume(TradeException.class);
    }

    @Override
    public <T extends @Nullable Object> T call(
            Part part, ServiceCall<TradeServices, T, SQLException> call) throws SQLException {
        return pool(part).call(call);
    }

    @Override
    public <T> CompletableFuture<T> async(
            Part part, ServiceCall<TradeServices, T, SQLException> call) {
        return pool(part).async(call);
    }

    @Override
    public List<Quote> quotes(List<String> symbols) throws SQLException {
        if (!itemsAtOnce) {
            return TradeCalls.super.quotes(symbols);
        }
        return pool(Part.QUOTES)
                .forEach(symbols, (services, symbol) -> services.getQuotes(List.of(symbol)))
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    /** The pools, for figures. */
    public List<ServicePool<TradeServices>> pools() {
        return List.copyOf(all);
    }

    private ServicePool<TradeServices> pool(Part part) {
        return requireNonNull(pools.get(part));
    }

    @Override
    public boolean isReady() {
        return all.stream().allMatch(ServicePool::isReady);
    }

    @Override
    public void close() {
        all.forEach(ServicePool::close);
    }
}
