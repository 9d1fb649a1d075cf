package dev.penstock.gateway.response;

import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The counting of all rows that a page shows a part of: exactly, as long as that takes less than a second, else as the
 * database estimates. Rows that took longer to count are not counted again for a while, since a count that is cancelled
 * costs the database its second and the pool a connection. Thread-safe.
 */
public final class RowTotal {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final Duration REMEMBERED = Duration.ofMinutes(5);
    private static final int MAX_REMEMBERED = 256;

    private final InstantSource clock;
    private final Duration limit;
    private final Map<Plan, Instant> slow =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Plan, Instant> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            };

    public RowTotal() {
        this(InstantSource.system(), LIMIT);
    }

    public RowTotal(InstantSource clock, Duration limit) {
        this.clock = clock;
        this.limit = limit;
    }

    /**
     * How many rows there are.
     *
     * @param rows their number
     * @param exact whether they were counted; else it is the database's estimate
     */
    public record Total(long rows, boolean exact) {}

    /** How many rows the plan has without its slices; null where nothing is known of that. */
    public @Nullable Total of(Engine engine, Plan plan) {
        Plan count =
                new Plan(plan.source(), plan.filter(), List.of(), List.of(), plan.output()).count();
        OptionalLong counted = wasSlow(count) ? OptionalLong.empty() : count(engine, count);
        if (counted.isPresent()) {
            return new Total(counted.getAsLong(), true);
        }
        try {
            OptionalLong estimate = engine.estimate(plan.table(), plan.filter());
            return estimate.isPresent() ? new Total(estimate.getAsLong(), false) : null;
        } catch (QueryException e) {
            return null;
        }
    }

    private OptionalLong count(Engine engine, Plan count) {
        // Where the database fails, the rows are there already: a page without its total is better
        // than none.
        TimedCount timed = new TimedCount(engine, count, limit);
        OptionalLong rows = timed.rows();
        if (timed.wasTooSlow()) {
            remember(count);
        }
        return rows;
    }

    private synchronized boolean wasSlow(Plan count) {
        Instant until = slow.get(count);
        if (until != null && clock.instant().isAfter(until)) {
            slow.remove(count);
            return false;
        }
        return until != null;
    }

    private synchronized void remember(Plan count) {
        slow.remove(count);
        slow.put(count, clock.instant().plus(REMEMBERED));
    }
}
