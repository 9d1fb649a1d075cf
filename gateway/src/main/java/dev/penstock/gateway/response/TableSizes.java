package dev.penstock.gateway.response;

import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The memory of which tables are small: they have at most {@value #SHORT_ROWS} rows, so that all of them are a short
 * answer. A table is counted when its size is needed and not known, up to one row more than that, and for a quarter of
 * a second at most; one that takes longer is taken for large. What is small is believed for ten seconds, what is large
 * for five minutes. Bounded by the number of tables of a schema; thread-safe.
 */
public final class TableSizes {
    /** Requests for more rows than this are bulk reads. */
    public static final long SHORT_ROWS = 1000;

    /** The longest time for which rows are counted. */
    public static final Duration LIMIT = Duration.ofMillis(250);

    private static final Duration SMALL_FOR = Duration.ofSeconds(10);
    private static final Duration LARGE_FOR = Duration.ofMinutes(5);

    private final InstantSource clock;
    private final Duration limit;
    private final Map<String, Size> known = new ConcurrentHashMap<>();

    public TableSizes(InstantSource clock, Duration limit) {
        this.clock = clock;
        this.limit = limit;
    }

    private record Size(boolean isSmall, Instant until) {}

    /** Returns whether the table is known to be large, without looking. Does not block. */
    public boolean isKnownLarge(Table table) {
        Size size = known.get(table.name());
        return size != null && !size.isSmall() && clock.instant().isBefore(size.until());
    }

    /** Returns whether the table is small; counts its rows if that is not known. */
    public boolean isSmall(Engine engine, Table table) {
        Size size = known.get(table.name());
        if (size != null && clock.instant().isBefore(size.until())) {
            return size.isSmall();
        }
        Plan count = Plan.of(table).limit(SHORT_ROWS + 1).count();
        TimedCount timed = new TimedCount(engine, count, limit);
        OptionalLong rows = timed.rows();
        boolean isSmall = rows.isPresent() && rows.getAsLong() <= SHORT_ROWS;
        if (rows.isPresent() || timed.wasTooSlow()) {
            remember(table, isSmall);
        }
        return isSmall;
    }

    /** Takes notice of more rows than a small table has. */
    public void isLarge(Table table) {
        remember(table, false);
    }

    private void remember(Table table, boolean isSmall) {
        Duration time = isSmall ? SMALL_FOR : LARGE_FOR;
        known.put(table.name(), new Size(isSmall, clock.instant().plus(time)));
    }
}
