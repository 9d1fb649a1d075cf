package dev.penstock.films.store;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows for {@code INSERT}, with everything bound: many to a statement, or a batch of statements where the driver sends
 * that as one.
 */
final class InsertSink implements RowSink {
    /** What a statement binds at the most: more makes nothing faster. */
    private static final int VALUES = 2000;

    private static final int BATCH_ROWS = 2000;
    private static final long COMMIT_ROWS = 20_000;

    private final Connection connection;
    private final String insert;
    private final int columns;
    private final boolean batches;
    private final int rowsPerStatement;
    private final List<@Nullable Object> pending = new ArrayList<>(VALUES);
    private final PreparedStatement full;
    private int batched;
    private long sinceCommit;

    /**
     * A sink for a table.
     *
     * @param batches whether the driver sends a batch of a statement's executions at once, however it was connected
     */
    InsertSink(Connection connection, String table, List<String> names, boolean batches)
            throws SQLException {
        this.connection = connection;
        this.columns = names.size();
        this.batches = batches;
        this.rowsPerStatement = batches ? 1 : VALUES / columns;
        this.insert = "INSERT INTO " + table + " (" + String.join(", ", names) + ") VALUES ";
        this.full = connection.prepareStatement(insert(rowsPerStatement));
    }

    private String insert(int rows) {
        String row = "(" + String.join(", ", Collections.nCopies(columns, "?")) + ")";
        return insert + String.join(", ", Collections.nCopies(rows, row));
    }

    @Override
    public void number(long value) {
        pending.add((int) value);
    }

    @Override
    public void hundredths(long value) {
        pending.add(BigDecimal.valueOf(value, 2));
    }

    @Override
    public void text(@Nullable String value) {
        pending.add(value);
    }

    @Override
    public void truth(boolean value) {
        pending.add(value);
    }

    @Override
    public void time(long epochSecond) {
        pending.add(LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC));
    }

    @Override
    public void bytes(byte[] value) {
        pending.add(value);
    }

    @Override
    public void nothing() {
        pending.add(null);
    }

    @Override
    public void end() throws SQLException {
        if (pending.size() < rowsPerStatement * columns) {
            return;
        }
        bind(full);
        if (!batches) {
            full.executeUpdate();
            sent(rowsPerStatement);
            return;
        }
        full.addBatch();
        if (++batched == BATCH_ROWS) {
            sendBatch();
        }
    }

    private void bind(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < pending.size(); i++) {
            Object value = pending.get(i);
            switch (value) {
                case null -> statement.setNull(i + 1, Types.NULL);
                case Integer number -> statement.setInt(i + 1, number);
                case String text -> statement.setString(i + 1, text);
                case BigDecimal decimal -> statement.setBigDecimal(i + 1, decimal);
                case byte[] bytes -> statement.setBytes(i + 1, bytes);
                default -> statement.setObject(i + 1, value);
            }
        }
        pending.clear();
    }

    private void sendBatch() throws SQLException {
        full.executeBatch();
        sent(batched);
        batched = 0;
    }

    private void sent(int rows) throws SQLException {
        sinceCommit += rows;
        if (sinceCommit >= COMMIT_ROWS) {
            connection.commit();
            sinceCommit = 0;
        }
    }

    @Override
    public void finish() throws SQLException {
        if (batched > 0) {
            sendBatch();
        }
        if (!pending.isEmpty()) {
            try (PreparedStatement rest =
                    connection.prepareStatement(insert(pending.size() / columns))) {
                bind(rest);
                rest.executeUpdate();
            }
        }
        connection.commit();
    }

    @Override
    public void close() throws SQLException {
        full.close();
    }
}
