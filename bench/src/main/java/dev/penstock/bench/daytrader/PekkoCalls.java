package dev.penstock.bench.daytrader;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.store.TradeStore;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.service.ServiceCall;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * Calls that actors of Pekko make, each with a service object of its own, as the article's typed actors do. Callers
 * take them in turns and wait for a future, which costs less than an ask. The actors block, so that they have a
 * dispatcher of as many threads as there are actors, as Pekko's manual has it.
 */
final class PekkoCalls implements TradeCalls {
    private static final String DISPATCHER = "trade-dispatcher";

    /** A call, and the future of its result. */
    private record Ask<T extends @Nullable Object>(
            ServiceCall<TradeServices, T, SQLException> call, CompletableFuture<T> result) {
        void answer(TradeServices services) {
            try {
                result.complete(call.call(services));
            } catch (SQLException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        }
    }

    private final ActorSystem<Void> system;
    private final List<ActorRef<Ask<?>>> actors;
    private final AtomicInteger next = new AtomicInteger();

    private PekkoCalls(ActorSystem<Void> system, List<ActorRef<Ask<?>>> actors) {
        this.system = system;
        this.actors = actors;
    }

    static PekkoCalls start(TradeStore store, TradePlan plan) {
        CompletableFuture<List<ActorRef<Ask<?>>>> actors = new CompletableFuture<>();
        Behavior<Void> guardian =
                Behaviors.setup(context -> {
                    actors.complete(
                            IntStream.range(0, plan.atOnce())
                                    .mapToObj(i ->
                                            context.spawn(
                                                    actor(store, plan),
                                                    "trade-" + i,
                                                    DispatcherSelector.fromConfig(DISPATCHER)))
                                    .toList());
                    return Behaviors.empty();
                });
        ActorSystem<Void> system =
                ActorSystem.create(guardian, "daytrader", configuration(plan.atOnce()));
        return new PekkoCalls(system, actors.join());
    }

    /** Pekko's own bound of threads that are not blocked is one, and its dispatcher stalls with it on JDK 25. */
    private static Config configuration(int threads) {
        return ConfigFactory.parseMap(
                        Map.of(
                                "pekko.actor.default-dispatcher.fork-join-executor.minimum-runnable",
                                -1,
                                "pekko.loglevel",
                                "OFF",
                                "pekko.stdout-loglevel",
                                "OFF",
                                "pekko.log-dead-letters",
                                "off",
                                DISPATCHER + ".type",
                                "Dispatcher",
                                DISPATCHER + ".executor",
                                "thread-pool-executor",
                                DISPATCHER + ".thread-pool-executor.fixed-pool-size",
                                threads))
                .withFallback(ConfigFactory.load());
    }

    private static Behavior<Ask<?>> actor(TradeStore store, TradePlan plan) {
        return Behaviors.setup(_ -> {
            TradeServices services =
                    plan.holdsConnections() ? store.connectedServices() : store.services();
            return Behaviors.receiveMessage(ask -> {
                ask.answer(services);
                return Behaviors.same();
            });
        });
    }

    @Override
    public <T extends @Nullable Object> T call(
            Part part, ServiceCall<TradeServices, T, SQLException> call) throws SQLException {
        try {
            return this.<T>tell(call).join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case SQLException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case null, default -> throw e;
            }
        }
    }

    private <T extends @Nullable Object> CompletableFuture<T> tell(
            ServiceCall<TradeServices, T, SQLException> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        actors.get(Math.floorMod(next.getAndIncrement(), actors.size()))
                .tell(new Ask<>(call, result));
        return result;
    }

    @Override
    public <T> CompletableFuture<T> async(
            Part part, ServiceCall<TradeServices, T, SQLException> call) {
        return tell(call);
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void close() {
        system.terminate();
        var _ = system.getWhenTerminated().toCompletableFuture().join();
    }
}
