package dev.penstock.follow.binlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.snapshot.ChangeFeed;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of the log's events, which gathers the keys that a transaction changes, and hands them on at its end. Only
 * one thread uses it.
 *
 * <p>Events are read with the catalog as it is now, also those that are older than the latest change of a table's
 * definition. That change comes later in the log, and then all rows of the table count as changed: so whatever was read
 * wrongly before does no harm. What comes after it is read with the catalog that was read anew.
 */
final class TransactionCollector implements MappedTable.Receiver {
    /** Distributed transactions that are prepared and remembered; the commit of any other changes all tables. */
    private static final int MOST_PREPARED = 1_000;

    /** The most keys that they have together. */
    private static final int MOST_PREPARED_KEYS = ChangeFeed.MOST_KEYS;

    private static final int STANDALONE = 1;

    private static final System.Logger LOG = System.getLogger("dev.penstock.follow");

    /** A reader of the catalog. */
    interface CatalogSource {
        Catalog read() throws SQLException;
    }

    private final CollectedChanges pending;
    private final CatalogSource catalogs;
    private Catalog catalog;

    /** Descriptions of tables in this transaction; null where the log's cells can't be read. */
    private final Map<Long, @Nullable MappedTable> mapped = new HashMap<>();

    private final Map<Long, WatchedTable> watched = new HashMap<>();
    private final Map<Xid, Map<String, ChangedKeys>> prepared = new LinkedHashMap<>();
    private Map<String, ChangedKeys> changed = new HashMap<>();
    private GtidPosition.@Nullable Gtid gtid;
    private boolean standalone;
    private boolean warned;

    TransactionCollector(CollectedChanges pending, Catalog catalog, CatalogSource catalogs) {
        this.pending = pending;
        this.catalog = catalog;
        this.catalogs = catalogs;
    }

    /** Forgets the transaction that was being read: the log is read again from its beginning. */
    void reset() {
        changed = new HashMap<>();
        mapped.clear();
        watched.clear();
        gtid = null;
        standalone = false;
    }

    /**
     * Forgets everything, and reads the catalog anew: the log goes on at another place.
     *
     * @param seen the suspensions before the place was asked for
     */
    void restart(SavedPosition from, long seen) throws SQLException {
        reset();
        prepared.clear();
        catalog = catalogs.read();
        pending.restart(from, catalog.followed(), seen);
    }

    /** Receives the beginning of an event group. */
    void begin(long server, ByteBuffer event, BinlogPosition at) {
        // One whose end was in a form that is not known has ended by now.
        commit(at);
        reset();
        long sequence = event.getLong();
        long domain = event.getInt() & 0xFFFFFFFFL;
        standalone = (event.get() & STANDALONE) != 0;
        gtid = new GtidPosition.Gtid(domain, server, sequence);
    }

    /** Receives the description of a table. */
    void table(long id, ByteBuffer event) {
        MappedTable.Name name = MappedTable.Name.read(event);
        mapped.remove(id);
        watched.remove(id);
        WatchedTable table = catalog.find(name.schema(), name.table());
        if (table != null) {
            watched.put(id, table);
            mapped.put(id, mapping(table, event));
        }
    }

    private static @Nullable MappedTable mapping(WatchedTable table, ByteBuffer event) {
        try {
            return MappedTable.read(table, event);
        } catch (BufferUnderflowException | IllegalArgumentException | ArithmeticException e) {
            return null;
        }
    }

    /** Returns whether the rows of a table matter. */
    boolean isWatched(long id) {
        return watched.containsKey(id);
    }

    /** Receives changed rows. */
    void rows(long id, MappedTable.Kind kind, ByteBuffer event) {
        WatchedTable table = watched.get(id);
        MappedTable mapping = mapped.get(id);
        if (table == null) {
            return;
        }
        if (mapping == null) {
            allOf(table);
            return;
        }
        try {
            mapping.rows(kind, event, this);
        } catch (BufferUnderflowException | IllegalArgumentException | IllegalStateException e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    () -> "rows of table " + table.name() + " in the binary log can't be read",
                    e);
            allOf(table);
        }
    }

    /** Receives changed rows in a form that is not read. */
    void unreadableRows(long id) {
        WatchedTable table = watched.get(id);
        if (table != null) {
            allOf(table);
        }
    }

    @Override
    public void row(WatchedTable table, @Nullable RowImage before, @Nullable RowImage after) {
        if (table.followed() != null) {
            ChangedKeys keys = keys(table.followed());
            key(keys, before, after);
            key(keys, after, before);
        }
        if (after == null || (before != null && table.versioned())) {
            table.onDelete().forEach(name -> keys(name).addAll());
        }
        if (before != null && after != null) {
            for (WatchedTable.Cascade cascade : table.onUpdate()) {
                if (before.differs(after, cascade.columns())) {
                    cascade.tables().forEach(name -> keys(name).addAll());
                }
            }
        }
    }

    private static void key(ChangedKeys keys, @Nullable RowImage image, @Nullable RowImage other) {
        if (image == null || keys.isAll()) {
            return;
        }
        List<Object> key = image.key(other);
        if (key == null) {
            keys.addAll();
        } else {
            keys.add(key);
        }
    }

    private ChangedKeys keys(String name) {
        return changed.computeIfAbsent(name, _ -> new ChangedKeys());
    }

    private void allOf(WatchedTable table) {
        table.concerned().forEach(name -> keys(name).addAll());
    }

    /** Receives that the log may lack transactions before a place. */
    void incomplete(BinlogPosition at) {
        LOG.log(
                System.Logger.Level.WARNING,
                "The server ended without an end of its binary log, which may lack changes before {0}: all tables that"
                        + " are followed are loaded as a whole",
                at);
        reset();
        catalog.followed().forEach(name -> keys(name).addAll());
        commit(at);
    }

    /** Receives an event after which nothing is known of any table. */
    void unknown(String what, BinlogPosition end) {
        if (!warned) {
            warned = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "MariaDB''s binary log has {0}, which may change rows of any table: all are loaded as a whole at"
                            + " each. Sessions must not set binlog_format to another value than ROW",
                    what);
        }
        catalog.followed().forEach(name -> keys(name).addAll());
        if (gtid == null) {
            commit(end);
        }
    }

    /**
     * Receives a statement.
     *
     * @param event null for one that is not read
     */
    void statement(@Nullable ByteBuffer event, BinlogPosition end) throws SQLException {
        String sql = event == null ? "" : sql(event);
        StatementEffect effect = StatementEffect.of(sql);
        switch (effect) {
            case NONE -> {}
            case DEFINITION -> define(sql);
            case ANY_ROWS -> {
                // It may be a definition in a form that is not known.
                catalog = catalogs.read();
                unknown(
                        "a statement (" + StatementEffect.firstWord(sql) + ") in place of rows",
                        end);
            }
            case COMMIT -> commit(end);
            case XA_COMMIT -> commit(Xid.in(sql).orElse(null), end);
            case XA_ROLLBACK -> {
                Xid.in(sql).ifPresent(prepared::remove);
                changed = new HashMap<>();
                commit(end);
            }
        }
        if (standalone) {
            commit(end);
        }
    }

    private static String sql(ByteBuffer event) {
        event.getInt(); // thread
        event.getInt(); // seconds
        int schema = event.get() & 0xFF;
        event.getShort(); // error
        int variables = event.getShort() & 0xFFFF;
        event.position(event.position() + variables + schema + 1);
        return UTF_8.decode(event).toString();
    }

    private void define(String sql) throws SQLException {
        List<WatchedTable> named = catalog.namedIn(sql);
        if (!named.isEmpty()) {
            Catalog before = catalog;
            catalog = catalogs.read();
            named.forEach(this::allOf);
            // What hands changes down now, and did not before.
            catalog.namedIn(sql).forEach(this::allOf);
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "a definition was changed; {0} tables were watched, and {1} are",
                    before.size(),
                    catalog.size());
        }
    }

    /** Receives the end of a transaction that is prepared and not committed yet. */
    void prepare(ByteBuffer event, BinlogPosition end) {
        boolean onePhase = event.get() != 0;
        long format = event.getInt();
        byte[] data = new byte[event.getInt() + event.getInt()];
        event.get(data);
        if (!onePhase) {
            int keys =
                    keys(changed)
                            + prepared.values().stream().mapToInt(TransactionCollector::keys).sum();
            if (prepared.size() < MOST_PREPARED && keys <= MOST_PREPARED_KEYS) {
                prepared.put(Xid.of(data, format), changed);
            }
            changed = new HashMap<>();
        }
        commit(end);
    }

    private static int keys(Map<String, ChangedKeys> changed) {
        return changed.values().stream().mapToInt(each -> each.keys().size()).sum();
    }

    private void commit(@Nullable Xid xid, BinlogPosition end) {
        Map<String, ChangedKeys> before = xid == null ? null : prepared.remove(xid);
        if (before != null) {
            changed = before;
        } else {
            // It was prepared before the log was read from its place on.
            catalog.followed().forEach(name -> keys(name).addAll());
        }
        if (xid != null && !changed.isEmpty()) {
            pending.committing(xid, end);
        }
        commit(end);
    }

    /** Receives the end of a transaction. */
    void commit(BinlogPosition end) {
        if (gtid != null || !changed.isEmpty()) {
            pending.commit(changed, gtid, end);
            reset();
        }
    }
}
