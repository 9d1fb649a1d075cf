package dev.penstock.query.sql.read;

import dev.penstock.query.Cursor;
import dev.penstock.query.QueryException;
import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/**
 * The end of a cursor that was dropped before it was closed: its query is cancelled and its connection taken back, and
 * the log says where it was opened. It runs when the collector has found that nobody can reach the cursor, which may be
 * long after it was dropped.
 *
 * @param session what the cursor reads by; does not reach the cursor itself
 * @param wideCells what it has reserved
 * @param origin where it was opened
 */
public record LeakedCursor(Session session, @Nullable WideCells wideCells, Origin origin)
        implements Runnable {
    private static final System.Logger LOG = System.getLogger("dev.penstock.query.sql");
    private static final Cleaner CLEANER =
            Cleaner.create(Thread.ofPlatform().name("penstock-leaks").daemon().factory());

    /**
     * The place where a cursor was opened. A throwable, because the frames of one are taken without being spelled out:
     * that is done where it is logged, and costs less until then than walking the stack does.
     */
    public static final class Origin extends Throwable {
        private static final long serialVersionUID = 1;

        /**
         * @param table whose rows the cursor reads
         */
        public Origin(String table) {
            super("a cursor of table " + table + " was opened here");
        }
    }

    /** From now on, ends a cursor that nobody can reach any more. */
    public static void watch(
            Cursor cursor, Session session, @Nullable WideCells wideCells, Origin origin) {
        session.watchedBy(CLEANER.register(cursor, new LeakedCursor(session, wideCells, origin)));
    }

    /** Releases, once, what a cursor has reserved; also where nobody can reach it any more. */
    static Runnable releasing(Cursor cursor, ByteBudget.Reservation reserved) {
        return CLEANER.register(cursor, reserved::release)::clean;
    }

    @Override
    public void run() {
        if (!session.isOver()) {
            // Closing waits for the database.
            Thread.ofVirtual().name("penstock-leak").start(this::end);
        }
    }

    private void end() {
        LOG.log(
                System.Logger.Level.WARNING,
                "a cursor was dropped without being closed; its query is cancelled and its connection taken back."
                        + " Close each cursor, and each stream whose iterator or spliterator is not read to its end,"
                        + " by try-with-resources",
                origin);
        try {
            if (wideCells != null) {
                boolean ignored = wideCells.release();
            }
            session.close(true, null);
        } catch (QueryException e) {
            LOG.log(System.Logger.Level.WARNING, "closing a dropped cursor failed", e);
        }
    }
}
