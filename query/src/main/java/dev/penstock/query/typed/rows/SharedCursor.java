package dev.penstock.query.typed.rows;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The cursor of a stream, opened with the first row and closed after the last. After a split several threads take rows
 * from it in turn; they work on them outside the lock.
 */
public final class SharedCursor {
    /** The most splits of one stream, which read in turn. */
    public static final int SPLITS = 64;

    public static final int BATCH_ROWS = 256;

    private final Engine engine;
    private final Plan plan;
    private final boolean ordered;
    private final boolean scoped;
    private final ReentrantLock lock = new ReentrantLock();
    private int splits;
    private @Nullable Cursor cursor;
    private boolean over;
    private boolean complete;
    private @Nullable Throwable failure;

    /**
     * Makes a cursor that is not open yet.
     *
     * @param ordered whether the rows come in an order
     * @param scoped whether it is closed before the terminal operation returns, whatever happens
     */
    public SharedCursor(Engine engine, Plan plan, boolean ordered, boolean scoped) {
        this.engine = engine;
        this.plan = plan;
        this.ordered = ordered;
        this.scoped = scoped;
    }

    boolean isOrdered() {
        return ordered;
    }

    boolean isShared() {
        return splits > 0;
    }

    /** Returns whether the stream may be split once more. */
    boolean split() {
        if (over || splits >= SPLITS) {
            return false;
        }
        splits++;
        return true;
    }

    void lock() {
        if (isShared()) {
            lock.lock();
        }
    }

    void unlock() {
        if (isShared()) {
            lock.unlock();
        }
    }

    /**
     * Moves to the next row; at the end, or if that fails, the cursor is closed. To be called under the lock.
     *
     * @throws IllegalStateException if the stream was closed before: its rows so far must not be taken for all
     */
    boolean advance() {
        if (over) {
            requireComplete();
            return false;
        }
        try {
            if (cursor == null) {
                cursor = scoped ? engine.openScoped(plan) : engine.open(plan);
            }
            if (cursor.next()) {
                return true;
            }
        } catch (RuntimeException | Error e) {
            failure = e;
            close(e);
            throw e;
        }
        complete = true;
        close(null);
        return false;
    }

    private void requireComplete() {
        switch (failure) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> {}
        }
        if (!complete) {
            throw new IllegalStateException(
                    "the stream was closed before its last row was read; read what is needed first");
        }
    }

    /** Returns the cursor on its row. */
    Cursor row() {
        return requireNonNull(cursor);
    }

    /** Closes the cursor, at once if another thread waits for a row of it. */
    public void close(@Nullable Throwable failure) {
        boolean shared = isShared();
        if (shared && !lock.tryLock()) {
            Cursor reading = cursor;
            if (reading != null) {
                reading.cancel();
            }
            lock.lock();
        }
        try {
            Cursor open = cursor;
            over = true;
            cursor = null;
            if (open != null) {
                close(open, failure);
            }
        } finally {
            if (shared) {
                lock.unlock();
            }
        }
    }

    private static void close(Cursor cursor, @Nullable Throwable failure) {
        try {
            cursor.close();
        } catch (RuntimeException | Error e) {
            if (failure == null) {
                throw e;
            }
            if (!failure.equals(e)) {
                failure.addSuppressed(e);
            }
        }
    }
}
