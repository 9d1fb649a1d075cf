package dev.penstock.bench.service.peer;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Typed actors of Pekko that are asked in turns: the callers choose, so that no router is on the way. */
final class PekkoActors implements Bounded {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** Pekko's own bound of threads that are not blocked is one, and its dispatcher stalls with it on JDK 25. */
    private static final Config CONFIGURATION =
            ConfigFactory.parseMap(
                            Map.of(
                                    "pekko.actor.default-dispatcher.fork-join-executor.minimum-runnable",
                                    -1,
                                    "pekko.loglevel",
                                    "OFF",
                                    "pekko.stdout-loglevel",
                                    "OFF",
                                    "pekko.log-dead-letters",
                                    "off"))
                    .withFallback(ConfigFactory.load());

    /** A question, and the actor that waits for the answer. */
    private record Ask(long argument, ActorRef<Long> replyTo) {}

    private final ActorSystem<Void> system;
    private final List<ActorRef<Ask>> actors;
    private final AtomicInteger next = new AtomicInteger();

    private PekkoActors(ActorSystem<Void> system, List<ActorRef<Ask>> actors) {
        this.system = system;
        this.actors = actors;
    }

    static PekkoActors start(int atOnce, Work.Maker maker) throws Exception {
        CompletableFuture<List<ActorRef<Ask>>> actors = new CompletableFuture<>();
        Behavior<Void> guardian =
                Behaviors.setup(context -> {
                    actors.complete(
                            IntStream.range(0, atOnce)
                                    .mapToObj(i -> context.spawn(actor(maker), "work-" + i))
                                    .toList());
                    return Behaviors.empty();
                });
        ActorSystem<Void> system = ActorSystem.create(guardian, "peer", CONFIGURATION);
        return new PekkoActors(system, actors.get());
    }

    private static Behavior<Ask> actor(Work.Maker maker) {
        return Behaviors.setup(_ -> {
            Work work = maker.make();
            return Behaviors.receiveMessage(ask -> {
                ask.replyTo.tell(work.perform(ask.argument));
                return Behaviors.same();
            });
        });
    }

    @Override
    public long perform(long argument) {
        return later(argument).toCompletableFuture().join();
    }

    @Override
    public CompletionStage<Long> later(long argument) {
        ActorRef<Ask> actor =
                actors.size() == 1
                        ? actors.getFirst()
                        : actors.get(Math.floorMod(next.getAndIncrement(), actors.size()));
        return AskPattern.ask(
                actor, replyTo -> new Ask(argument, replyTo), TIMEOUT, system.scheduler());
    }

    @Override
    public void close() {
        system.terminate();
        var _ = system.getWhenTerminated().toCompletableFuture().join();
    }
}
