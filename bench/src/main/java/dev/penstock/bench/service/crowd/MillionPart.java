package dev.penstock.bench.service.crowd;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.service.peer.Contender;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A million virtual threads that wait for eight instances: their order, the memory of their queue, and their end. */
public final class MillionPart {
    private static final List<Contender> CONTENDERS =
            List.of(Contender.PROXY, Contender.FAIR_SEMAPHORE);

    /** Those of a trial, which shows only that it works. */
    private static final List<Contender> TRIED = List.of(Contender.PROXY);

    private static final int WAITING = 1_000_000;
    private static final int INSTANCES = 8;
    private static final int HEAP_MEGABYTES = 4096;
    private static final int LEAST_HEAP_MEGABYTES = 64;
    private static final double MOST_BYTES = 500;
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private final Trial trial;
    private final List<Contender> contenders;

    /** The part of one run. */
    public MillionPart(Trial trial) {
        this.trial = trial;
        contenders = trial.settings().scale() < 1 ? TRIED : CONTENDERS;
    }

    /** Returns of how many steps it consists. */
    public int steps() {
        return contenders.size();
    }

    /** Measures it. */
    public void measure(Outcome outcome) throws Exception {
        Map<Contender, LongQueue.Seen> all = new EnumMap<>(Contender.class);
        int waiting = trial.scaled(WAITING);
        for (Contender contender : contenders) {
            trial.doing("a million waiting, " + contender);
            all.put(contender, measure(contender, waiting));
            trial.step();
        }
        judge(outcome, waiting, Objects.requireNonNull(all.get(Contender.PROXY)));
        Outcome.Table table =
                outcome.table(
                        "%s virtual threads that wait for %d instances"
                                .formatted(Figures.number((long) waiting), INSTANCES),
                        "|bytes each, beyond threads that only wait|objects of the pool, bytes each"
                                + "|most overtaken at once|served|time to serve all");
        all.forEach((contender, seen) ->
                table.row(
                        contender,
                        seen.bytesEach(),
                        contender.isOurs() ? Figures.number(seen.poolBytesEach()) : "",
                        Figures.number((long) seen.overtaken()),
                        Figures.number((long) seen.served()),
                        Figures.time((double) seen.nanos())));
    }

    private LongQueue.Seen measure(Contender contender, int waiting) throws IOException {
        String name = contender.name();
        int megabytes =
                Math.max(
                        LEAST_HEAP_MEGABYTES,
                        (int) (HEAP_MEGABYTES * Math.min(1, trial.settings().scale())));
        try (Child<String> child =
                Child.start(
                        name,
                        megabytes + "m",
                        List.of(LongQueue.ONE_CARRIER),
                        trial.log("service-million"),
                        name::toString)) {
            return child.call(LIMIT, each -> LongQueue.measure(each, INSTANCES, waiting));
        }
    }

    private static void judge(Outcome outcome, int waiting, LongQueue.Seen seen) {
        String goal = "a million virtual threads that wait for a pool of eight: ";
        outcome.finding(
                goal + "first come, first served",
                "at most %d at once had their turn and not yet a processor when a later one began"
                        .formatted(seen.overtaken()),
                // More than there are instances besides its own would not have had their turn.
                seen.overtaken() < INSTANCES);
        outcome.atMost(
                goal + "at most 500 bytes of the pool's own state each",
                seen.bytesEach(),
                MOST_BYTES,
                Figures::bytes);
        outcome.finding(
                goal + "none lost",
                Figures.number((long) seen.served()) + " served",
                seen.served() == waiting);
    }
}
