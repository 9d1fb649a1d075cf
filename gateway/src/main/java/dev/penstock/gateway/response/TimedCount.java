package dev.penstock.gateway.response;

import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A count of rows that is cancelled when it takes too long. For one thread, once. */
final class TimedCount {
    private final Engine engine;
    private final Plan count;
    private final Duration limit;
    private final CountDownLatch done = new CountDownLatch(1);
    private boolean tooSlow;

    /**
     * @param count a plan whose only row has the number in its first column
     * @param limit how long it may take
     */
    TimedCount(Engine engine, Plan count, Duration limit) {
        this.engine = engine;
        this.count = count;
        this.limit = limit;
    }

    /** Counts; empty where that took too long, or the database failed. */
    OptionalLong rows() {
        try (Cursor cursor = engine.open(count)) {
            var _ = Thread.ofVirtual().name("penstock-count").start(() -> watch(cursor));
            return cursor.next() ? OptionalLong.of(cursor.getLong(0)) : OptionalLong.empty();
        } catch (QueryException e) {
            tooSlow = e.kind() == QueryException.Kind.CANCELLED;
            return OptionalLong.empty();
        } finally {
            done.countDown();
        }
    }

    /** Returns whether the count was cancelled. */
    boolean wasTooSlow() {
        return tooSlow;
    }

    private void watch(Cursor cursor) {
        try {
            if (!done.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                cursor.cancel();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
