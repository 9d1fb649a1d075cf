package dev.penstock.server.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A check whether the database answers, over a connection of its own. However many callers there are, there is one
 * query at a time, and no sooner than a second after the last answer; a caller waits no longer than the limit.
 * Thread-safe.
 */
public final class DatabaseHealth {
    public static final Duration LIMIT = Duration.ofSeconds(3);

    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final int VALID_SECONDS = 2;

    private final DataSource source;

    // Guarded by this object.
    private CompletableFuture<Boolean> latest = CompletableFuture.completedFuture(true);
    private @Nullable Long answeredNanos;
    private @Nullable SQLException failure;
    private boolean reachable = true;

    public DatabaseHealth(DataSource source) {
        this.source = source;
    }

    /** Returns whether the database answers; always completed within the limit. */
    public CompletableFuture<Boolean> ask() {
        return latest().copy()
                .completeOnTimeout(false, LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(this::told);
    }

    private synchronized CompletableFuture<Boolean> latest() {
        boolean stale =
                answeredNanos == null || System.nanoTime() - answeredNanos > FRESH.toNanos();
        if (latest.isDone() && stale) {
            CompletableFuture<Boolean> next = new CompletableFuture<>();
            Thread.ofVirtual().name("penstock-health").start(() -> check(next));
            // Not before: where there is no memory for a thread, nobody would complete it.
            latest = next;
        }
        return latest;
    }

    private void check(CompletableFuture<Boolean> answer) {
        boolean valid = false;
        SQLException cause = null;
        try (Connection connection = source.getConnection()) {
            valid = connection.isValid(VALID_SECONDS);
        } catch (SQLException e) {
            cause = e;
        } finally {
            synchronized (this) {
                answeredNanos = System.nanoTime();
                failure = cause;
            }
            answer.complete(valid);
        }
    }

    private synchronized boolean told(boolean answers) {
        if (answers != reachable) {
            reachable = answers;
            if (answers) {
                LOG.log(System.Logger.Level.INFO, "The database answers again");
            } else {
                LOG.log(System.Logger.Level.WARNING, "The database does not answer", failure);
            }
        }
        return answers;
    }
}
