package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A feed of the keys of rows that committed transactions have changed, from a database's log. The rows themselves are
 * read from the database: so a key that is told twice, or of a row that did not change after all, does no harm, while
 * one that is never told leaves a row as it was.
 *
 * <p>A snapshot that follows ({@link Snapshot.Builder#follow}) calls {@link #start} once, and then again and again
 * {@link #take}, begins the transactions that read the rows, and calls {@link #peek}: the rows of both are read. So a
 * version has all that those transactions see, or nothing of it. They read from the server whose log is read, never
 * from another one that may be behind it.
 *
 * <p>Thread-safe: {@link #await}, {@link #confirm} and {@link #close} may be called while another of the calls runs.
 * One snapshot uses a feed, and closes it. What is collected is bounded: where more than {@link #MOST_KEYS} keys of a
 * table are waiting, {@link ChangedRows.All} stands for them. A feed that loses its connection connects again by
 * itself, from where it was; where the log has been lost meanwhile, everything has changed.
 */
public interface ChangeFeed extends AutoCloseable {
    /** The number of keys of one table that may wait; beyond it, all its rows count as changed. */
    int MOST_KEYS = 100_000;

    /**
     * Begins to collect what is changed in these tables, by transactions that end after a position, and perhaps by
     * earlier ones. With no position, those are all transactions that a transaction which begins after this call may
     * not see yet.
     *
     * @param tables all of them, as the schema has them
     * @param position one that {@link Changes#position} gave, with which a version was saved; null where the tables are
     *     loaded after this call
     * @return false if not every change since the position is known any more, so that all tables have to be loaded; it
     *     collects what changes from now on
     * @throws QueryException with a sentence that names the missing privilege or setting, and the statement that cures
     *     it
     * @throws IllegalStateException if it was started before, or is closed
     */
    boolean start(List<Table> tables, @Nullable String position);

    /**
     * Waits until there may be something to take.
     *
     * @param most the longest wait
     * @return false if there was nothing for that time, and after {@link #close}
     * @throws QueryException if the feed has ended by a failure
     */
    boolean await(Duration most) throws InterruptedException;

    /**
     * Takes what was collected of transactions which every transaction that begins after this call sees. What was
     * changed by others stays.
     *
     * @throws QueryException if the database can't be asked which those are; then nothing was taken
     */
    Changes take();

    /**
     * Returns what is still collected, without taking it, once that is complete: everything that was changed by a
     * transaction which some transaction that began before this call sees, and that was not taken before, is among it.
     * Waits for the log where it has not come yet.
     *
     * @return the changed rows by the names of their tables, those with changes alone
     * @throws QueryException if the log has not come in time
     */
    Map<String, ChangedRows> peek();

    /**
     * Returns whether what was read since the last {@link #take} may be relied on: false where a table was meanwhile
     * changed in a way that transactions which had begun see too, such as by TRUNCATE. Then it is read again.
     *
     * @throws QueryException if the database can't be asked
     */
    default boolean isCurrent() {
        return true;
    }

    /**
     * Says that what was told up to a position lasts: it need not be told again after a restart, and the database may
     * drop its log. Returns at once.
     *
     * @param position one that {@link Changes#position} gave
     */
    void confirm(String position);

    /** Ends the feed. Closing twice does no harm. */
    @Override
    void close();

    /**
     * Changes that were taken.
     *
     * @param position the place in the log at which to go on after these
     * @param tables the changed rows by the names of their tables, those with changes alone
     */
    record Changes(String position, Map<String, ChangedRows> tables) {
        public Changes {
            requireNonNull(position);
            tables = Map.copyOf(tables);
        }
    }

    /** Rows of one table that have changed. */
    sealed interface ChangedRows {
        /**
         * Returns these and others together.
         *
         * @return {@link All} if either is, or if there are more than {@link ChangeFeed#MOST_KEYS} keys
         */
        ChangedRows and(ChangedRows others);

        /**
         * Rows of certain keys: changed, new, or gone.
         *
         * @param keys each with its values in the order of the primary key, of the Java types that {@link
         *     dev.penstock.query.Predicate} names
         */
        record Keys(Set<List<Object>> keys) implements ChangedRows {
            public Keys {
                keys = Set.copyOf(keys);
            }

            @Override
            public ChangedRows and(ChangedRows others) {
                if (!(others instanceof Keys(Set<List<Object>> more))) {
                    return others;
                }
                Set<List<Object>> all = new HashSet<>(keys);
                all.addAll(more);
                return all.size() > MOST_KEYS ? new All() : new Keys(all);
            }
        }

        /** Any row of the table: what has changed is not known. */
        record All() implements ChangedRows {
            @Override
            public ChangedRows and(ChangedRows others) {
                return this;
            }
        }
    }
}
