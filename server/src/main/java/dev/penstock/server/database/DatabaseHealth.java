package dev.penstock.server.database;

import java.sql.Connection;
import java.time.Duration;
import java.util.Locale;
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

    private final String name;
    private final Check check;

    // Guarded by this object.
    private CompletableFuture<Boolean> latest = CompletableFuture.completedFuture(true);
    private @Nullable Long answeredNanos;
    private @Nullable Exception failure;
    private boolean reachable = true;

    /** A check of the database that connections of a source are to. */
    public DatabaseHealth(DataSource source) {
        this(
                "the database",
                () -> {
                    try (Connection connection = source.getConnection()) {
                        return connection.isValid(VALID_SECONDS);
                    }
                });
    }

    /**
     * A check of a database of any kind.
     *
     * @param name of the database in sentences
     */
    public DatabaseHealth(String name, Check check) {
        this.name = name;
        this.check = check;
    }

    /** A question to a database. */
    public interface Check {
        /** Returns whether the database answers, or says by an exception why it does not. */
        boolean answers() throws Exception;
    }

    /** Returns the database's name in sentences. */
    public String name() {
        return name;
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
        Exception cause = null;
        try {
            valid = check.answers();
        } catch (Exception e) {
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
            String subject = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
            if (answers) {
                LOG.log(System.Logger.Level.INFO, subject + " answers again");
            } else {
                LOG.log(System.Logger.Level.WARNING, subject + " does not answer", failure);
            }
        }
        return answers;
    }
}
