package dev.penstock.query.sql.read;

import dev.penstock.query.QueryException;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads of one cursor of an embedded database, which computes where it is called, from holding the threads that
 * carry virtual threads. All such cursors share a few platform threads. A hand-over costs more than a short step of a
 * cursor; so a step goes there only where the one before took long, and the first one always. In between, a virtual
 * thread gives way now and then.
 */
final class EmbeddedThreads {
    private static final long LONG_STEP_NANOS = 200_000;
    private static final long TURN_NANOS = 1_000_000;

    /** Enough that a few long queries do not keep the short ones waiting; the operating system shares the cores out. */
    private static final int THREADS_PER_CORE = 4;

    private static final ExecutorService THREADS =
            Executors.newFixedThreadPool(
                    THREADS_PER_CORE * Runtime.getRuntime().availableProcessors(),
                    Thread.ofPlatform().daemon().name("penstock-embedded-", 0).factory());

    private boolean wasLong = true;
    private long turnStart;

    /** A step that fails as JDBC does. */
    interface Step<T> {
        T run() throws SQLException;
    }

    <T> T call(Step<T> step) throws SQLException {
        if (!Thread.currentThread().isVirtual()) {
            return step.run();
        }
        long start = System.nanoTime();
        T result = wasLong ? handOver(step) : step.run();
        long end = System.nanoTime();
        wasLong = end - start > LONG_STEP_NANOS;
        if (end - turnStart > TURN_NANOS) {
            // A carrier takes a thread that yields again before it looks for what was started
            // elsewhere.
            LockSupport.parkNanos(1);
            turnStart = System.nanoTime();
        }
        return result;
    }

    private static <T> T handOver(Step<T> step) throws SQLException {
        Future<T> done = THREADS.submit(step::run);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return done.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case SQLException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default ->
                        throw new QueryException(QueryException.Kind.DATABASE, "a step failed", e);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
