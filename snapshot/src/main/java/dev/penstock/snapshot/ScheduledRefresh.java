package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.QueryException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A schedule of refreshes of a snapshot, one after the other; see {@link Snapshot#refreshEvery} and {@link
 * Snapshot#refreshOnChanges}. Thread-safe.
 */
public final class ScheduledRefresh implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.penstock.snapshot");

    /** Periods of the longest wait after failures: two to the power of this. */
    private static final int DOUBLINGS = 4;

    /** What a wait is longer or shorter by chance, as a part of it. */
    private static final double JITTER = 0.1;

    /** A way to wait. */
    interface Sleeper {
        void sleep(Duration duration) throws InterruptedException;
    }

    /** The longest wait for changes: then it is refreshed without any. */
    private static final Duration IDLE = Duration.ofMinutes(1);

    /** The shortest pause after a failure, where changes are followed. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** The longest rest that is as long as the work before it. */
    private static final Duration SHORT_REST = Duration.ofMillis(200);

    /** The part of long work that the rest after it is: one in so many. */
    private static final int LONG_WORK = 4;

    /** A way to wait for changes, for a time at the most; see {@link ChangeFeed#await}. */
    interface Changes {
        boolean await(Duration most) throws InterruptedException;
    }

    private final Supplier<Version> refresh;
    private final @Nullable Changes changes;
    private final Duration period;
    private final Sleeper sleeper;
    private final DoubleSupplier chance;
    private final LongSupplier spared;
    private final Thread thread;
    private volatile boolean closed;
    private volatile RefreshFailures failures = RefreshFailures.NONE;
    private volatile @Nullable Instant lastSuccess;

    private ScheduledRefresh(
            Supplier<Version> refresh,
            Duration period,
            @Nullable Changes changes,
            Sleeper sleeper,
            DoubleSupplier chance,
            LongSupplier spared) {
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("a refresh every " + period);
        }
        this.refresh = requireNonNull(refresh);
        this.changes = changes;
        this.period = period;
        this.sleeper = sleeper;
        this.chance = chance;
        this.spared = spared;
        thread = Thread.ofVirtual().name("penstock-refresh").unstarted(this::run);
    }

    static ScheduledRefresh start(Supplier<Version> refresh, Duration period) {
        return start(
                refresh, period, Thread::sleep, () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * Begins with a wait, and refreshes when there are changes.
     *
     * @param spared gives the nanoseconds of the last refresh for which no pause is needed
     */
    static ScheduledRefresh start(
            Supplier<Version> refresh, Duration pause, Changes changes, LongSupplier spared) {
        return start(
                refresh,
                pause,
                changes,
                Thread::sleep,
                () -> ThreadLocalRandom.current().nextDouble(),
                spared);
    }

    static ScheduledRefresh start(
            Supplier<Version> refresh,
            Duration pause,
            Changes changes,
            Sleeper sleeper,
            DoubleSupplier chance,
            LongSupplier spared) {
        ScheduledRefresh started =
                new ScheduledRefresh(refresh, pause, changes, sleeper, chance, spared);
        started.thread.start();
        return started;
    }

    /**
     * Begins with a wait.
     *
     * @param chance gives numbers from 0 to below 1
     */
    static ScheduledRefresh start(
            Supplier<Version> refresh, Duration period, Sleeper sleeper, DoubleSupplier chance) {
        ScheduledRefresh started =
                new ScheduledRefresh(refresh, period, null, sleeper, chance, () -> 0);
        started.thread.start();
        return started;
    }

    private void run() {
        Duration took = Duration.ZERO;
        try {
            while (!closed) {
                sleeper.sleep(wait(pause(took), failures.inARow(), chance.getAsDouble()));
                if (!closed) {
                    took = attempt();
                }
            }
        } catch (InterruptedException e) {
            // It was closed.
        }
    }

    /** Returns the pause after a refresh that took so long; that between two tries where it failed. */
    private Duration pause(Duration took) {
        if (changes == null) {
            return period;
        }
        return longer(
                period, failures.inARow() > 0 ? RETRY : rest(took.minusNanos(spared.getAsLong())));
    }

    /**
     * Returns the rest after a refresh that worked so long without one: as long as that, so that queries have the
     * processors meanwhile; after long work, during which changes have gathered that are old by now, a quarter of it
     * and at least {@link #SHORT_REST}.
     */
    static Duration rest(Duration worked) {
        return worked.compareTo(SHORT_REST) <= 0
                ? worked
                : longer(SHORT_REST, worked.dividedBy(LONG_WORK));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** Returns how long to wait after so many failures in a row. */
    static Duration wait(Duration period, int failures, double chance) {
        double factor = (1L << Math.min(failures, DOUBLINGS)) * (1 + JITTER * (2 * chance - 1));
        double nanos = (period.getSeconds() * 1e9 + period.getNano()) * factor;
        return Duration.ofNanos(Math.max(1, (long) Math.min(nanos, 9e18)));
    }

    /** Returns how long the refresh took. */
    private Duration attempt() throws InterruptedException {
        long start = System.nanoTime();
        try {
            // What a refresh that failed had taken is not told again.
            if (changes != null && failures.inARow() == 0) {
                boolean _ = changes.await(IDLE);
                start = System.nanoTime();
            }
            if (closed) {
                return Duration.ZERO;
            }
            Instant now = Instant.now();
            Version version = refresh.get();
            LOG.log(System.Logger.Level.DEBUG, "the snapshot has version {0}", version);
            failures = RefreshFailures.NONE;
            lastSuccess = now;
        } catch (RuntimeException e) {
            failed(e);
        } catch (Error e) {
            // Such as a heap that was too small for a moment: without this thread, the tables would
            // grow old and nobody would know.
            failed(new IllegalStateException("refreshing the snapshot ended with " + e, e));
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private void failed(RuntimeException e) {
        if (closed) {
            return;
        }
        int count = failures.inARow() + 1;
        failures = new RefreshFailures(count, e);
        LOG.log(
                System.Logger.Level.WARNING,
                "refreshing the snapshot failed, for the "
                        + count
                        + ". time in a row; the version there was goes on answering: "
                        + (e instanceof QueryException ? e.getMessage() : e));
    }

    /** Returns how many refreshes have failed since the last one that did not, and why. */
    public RefreshFailures failures() {
        return failures;
    }

    /** When the last refresh that did not fail had begun; empty before. */
    public Optional<Instant> lastSuccess() {
        return Optional.ofNullable(lastSuccess);
    }

    boolean isClosed() {
        return closed;
    }

    /** Ends what is being refreshed, and refreshes no more. Closing twice does no harm. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
