package dev.penstock.bench.service.peer;

import dev.penstock.bench.report.Outcome;
import dev.penstock.service.CallRejectedException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;

/** Something that bounds the calls of a service that run at once. */
public enum Contender {
    DIRECT("direct call"),
    PROXY("Penstock, typed proxy"),
    POOL("Penstock, call(...)"),
    BARE_PROXY("Penstock, typed proxy, no deadline, no figures"),
    BARE_POOL("Penstock, call(...), no deadline, no figures"),
    SEMAPHORE("Semaphore around a shared object"),
    FAIR_SEMAPHORE("Semaphore, fair, around a shared object"),
    RESILIENCE4J("Resilience4j bulkhead (fair)"),
    SMALLRYE("SmallRye bulkhead"),
    STORMPOT("Stormpot, claim and release"),
    STORMPOT_VIRTUAL("Stormpot, tap for virtual threads"),
    COMMONS_POOL("commons-pool2"),
    PEKKO("Pekko, ask");

    private final String label;

    Contender(String label) {
        this.label = label;
    }

    /** Returns all of which something holds. */
    public static List<Contender> all(Predicate<Contender> which) {
        return Arrays.stream(values()).filter(which).toList();
    }

    /** Returns whether it bounds anything. */
    public boolean bounds() {
        return this != DIRECT;
    }

    /** Returns whether it is Penstock's. */
    public boolean isOurs() {
        return switch (this) {
            case PROXY, POOL, BARE_PROXY, BARE_POOL -> true;
            case DIRECT,
                    SEMAPHORE,
                    FAIR_SEMAPHORE,
                    RESILIENCE4J,
                    SMALLRYE,
                    STORMPOT,
                    STORMPOT_VIRTUAL,
                    COMMONS_POOL,
                    PEKKO ->
                    false;
        };
    }

    /**
     * Starts it.
     *
     * @param atOnce how many calls run at once
     * @param waiting how many may wait, where that can be said
     */
    public Bounded start(int atOnce, int waiting, Work.Maker maker) throws Exception {
        return switch (this) {
            case DIRECT -> maker.make()::perform;
            case PROXY -> PenstockPool.proxy(PenstockPool.start(atOnce, waiting, true, maker));
            case POOL -> PenstockPool.calls(PenstockPool.start(atOnce, waiting, true, maker));
            case BARE_PROXY ->
                    PenstockPool.proxy(PenstockPool.start(atOnce, waiting, false, maker));
            case BARE_POOL -> PenstockPool.calls(PenstockPool.start(atOnce, waiting, false, maker));
            case SEMAPHORE -> semaphore(new Semaphore(atOnce), maker.make());
            case FAIR_SEMAPHORE -> semaphore(new Semaphore(atOnce, true), maker.make());
            case RESILIENCE4J -> Bulkheads.resilience4j(atOnce, maker.make());
            case SMALLRYE -> Bulkheads.smallRye(atOnce, waiting, maker.make());
            case STORMPOT -> StormpotPool.start(atOnce, false, maker);
            case STORMPOT_VIRTUAL -> StormpotPool.start(atOnce, true, maker);
            case COMMONS_POOL -> CommonsPool.start(atOnce, maker);
            case PEKKO -> PekkoActors.start(atOnce, maker);
        };
    }

    /** Returns whether a call of any of them failed because its queue was full. */
    public static boolean isRejection(Throwable failure) {
        return failure instanceof CallRejectedException || failure instanceof BulkheadException;
    }

    private static Bounded semaphore(Semaphore permits, Work shared) {
        return argument -> {
            permits.acquire();
            try {
                return shared.perform(argument);
            } finally {
                permits.release();
            }
        };
    }

    /** Notes the libraries beside which Penstock is measured. */
    public static void addPeers(Outcome outcome) {
        outcome.peer("Resilience4j", io.github.resilience4j.bulkhead.Bulkhead.class);
        outcome.peer("SmallRye Fault Tolerance", io.smallrye.faulttolerance.api.Guard.class);
        outcome.peer("Stormpot", stormpot.Pool.class);
        outcome.peer("commons-pool2", org.apache.commons.pool2.ObjectPool.class);
        outcome.peer("Apache Pekko", org.apache.pekko.actor.typed.ActorSystem.class);
    }

    @Override
    public String toString() {
        return label;
    }
}
