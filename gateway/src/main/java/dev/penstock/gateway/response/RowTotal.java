package dev.penstock.gateway.response;

import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
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
    /** The longest time for which rows are counted. */
    public static final Duration LIMIT = Duration.ofSeconds(1);

    private static final Duration REMEMBERED = Duration.ofMinutes(5);
    private static final int MAX_REMEMBERED = 256;

    private final InstantSource clock;
    private final Duration limit;

    /** By the digests of counts. The plans themselves may have thousands of values each. */
    private final Map<String, Instant> slow =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            };

    public RowTotal(InstantSource clock, Duration limit) {
        this.clock = clock;
        this.limit = limit;
    }

    /**
     * The number of rows.
     *
     * @param rows their number
     * @param exact whether they were counted; else it is the database's estimate
     */
    public record Total(long rows, boolean exact) {}

    /** How many rows the plan has without its slices; null where nothing is known of that. */
    public @Nullable Total of(Engine engine, Plan plan) {
        Plan count =
                new Plan(plan.source(), plan.filter(), List.of(), List.of(), plan.output()).count();
        String digest = digest(count);
        OptionalLong counted =
                wasSlow(digest) ? OptionalLong.empty() : count(engine, count, digest);
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

    private static String digest(Plan count) {
        try {
            byte[] text = count.toString().getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every JDK has SHA-256", impossible);
        }
    }

    private OptionalLong count(Engine engine, Plan count, String digest) {
        // Where the database fails, the rows are there already: a page without its total is better
        // than none.
        TimedCount timed = new TimedCount(engine, count, limit);
        OptionalLong rows = timed.rows();
        if (timed.wasTooSlow()) {
            remember(digest);
        }
        return rows;
    }

    private synchronized boolean wasSlow(String count) {
        Instant until = slow.get(count);
        if (until != null && clock.instant().isAfter(until)) {
            slow.remove(count);
            return false;
        }
        return until != null;
    }

    private synchronized void remember(String count) {
        slow.remove(count);
        slow.put(count, clock.instant().plus(REMEMBERED));
    }
}
