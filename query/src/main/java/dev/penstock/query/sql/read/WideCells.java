package dev.penstock.query.sql.read;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.JdbcAction;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlQuery;
import dev.penstock.query.sql.statement.WideColumns;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The wide cells of one row, which its query left out. The bytes are reserved first; then the
 * cells are read over a second connection, into arrays of just their length. They are found by the row's primary key;
 * where it has none, by their length and digest, since any cell with the same digest has the same value. A row that is
 * not as wide as the query saw it has changed meanwhile, which is an error.
 */
public final class WideCells {

    private final ConnectionSource connections;
    private final Dialect dialect;
    private final SqlQuery query;
    private final ByteBudget budget;
    private ByteBudget.@Nullable Reservation hold;

    public WideCells(
            ConnectionSource connections, Dialect dialect, SqlQuery query, ByteBudget budget) {
        this.connections = connections;
        this.dialect = dialect;
        this.query = query;
        this.budget = budget;
    }

    /** Gives back what the last row reserved; says whether that was anything. */
    boolean release() {
        ByteBudget.Reservation held = hold;
        if (held == null) {
            return false;
        }
        hold = null;
        held.release();
        return true;
    }

    /** Puts the wide cells of this row where the cursor finds them. */
    void read(RowCursor row, long bytes, Session session) throws SQLException {
        long wanted = bytes + ByteBudget.CHUNK_BYTES;
        if (query.wide().key().isEmpty() && !query.wide().byContent()) {
            throw tooWide(
                    row,
                    bytes,
                    "the limit is %d for what a query calculates; select other columns"
                            .formatted(query.wide().limit()));
        }
        if (bytes > Integer.MAX_VALUE / 2) {
            throw tooWide(
                    row,
                    bytes,
                    "the limit is %d, whatever the heap; select other columns"
                            .formatted(Integer.MAX_VALUE / 2));
        }
        if (wanted > budget.bytes()) {
            throw tooWide(row, bytes, tooLittleMemory(wanted));
        }
        hold = budget.reserve(wanted, session);
        Connection connection = connections.take();
        boolean done = false;
        try {
            boolean autoCommit = connection.getAutoCommit();
            int isolation = connection.getTransactionIsolation();
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            JdbcAction restoration = dialect.prepare(connection, query.template());
            fetch(row, bytes, new WideCellReader(connection, dialect, query, session));
            connection.rollback();
            if (restoration != null) {
                restoration.run();
            }
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(autoCommit);
            done = true;
        } finally {
            connections.giveBack(connection, !done);
        }
    }

    private void fetch(RowCursor row, long bytes, WideCellReader reader) throws SQLException {
        WideColumns wide = query.wide();
        Predicate key = key(row);
        List<WideCellReader.@Nullable Target> targets =
                wide.byContent() ? byContent(row, key) : reader.byKey(key);
        long sum = 0;
        for (WideCellReader.@Nullable Target target : targets) {
            sum += target == null ? 0 : target.length();
        }
        // All guarded cells count in the sum of the row, those that are found by their content only
        // where they are wide.
        if (wide.byContent() ? sum > bytes : sum != bytes) {
            throw reader.changed();
        }
        for (int i = 0; i < targets.size(); i++) {
            int cell = wide.cells().get(i);
            WideCellReader.Target target = targets.get(i);
            if (row.isNull(cell) && target != null) {
                SqlColumn source = query.sources().get(cell);
                byte[] value = reader.read(source, target);
                if (source.column().type() == ColumnType.BINARY) {
                    row.setBytes(cell, value);
                } else {
                    row.set(cell, value, value.length);
                }
            }
        }
    }

    private Predicate key(RowCursor row) {
        List<Predicate> equal = new ArrayList<>();
        int hidden = query.columns().size() + 1;
        for (SqlColumn key : query.wide().key()) {
            if (!query.wide().byContent() || !row.isNull(hidden)) {
                Object value = row.value(hidden);
                equal.add(new Predicate.Comparison(key.column().name(), Comparator.EQUAL, value));
            }
            hidden++;
        }
        return new Predicate.And(equal);
    }

    /** Where each guarded cell is, by what the row says of its content; null for those that are not wide. */
    private List<WideCellReader.@Nullable Target> byContent(RowCursor row, Predicate hints) {
        List<WideCellReader.@Nullable Target> targets = new ArrayList<>();
        int hidden = query.columns().size() + 1 + query.wide().key().size();
        for (int i = 0; i < query.wide().cells().size(); i++) {
            String digest = row.getString(hidden + 1);
            targets.add(
                    digest == null
                            ? null
                            : new WideCellReader.Target(hints, false, row.getLong(hidden), digest));
            hidden += 2;
        }
        return targets;
    }

    private String tooLittleMemory(long wanted) {
        String needs =
                "to send it takes %d bytes of memory; the limit is %d for all wide rows together; "
                        .formatted(wanted, budget.bytes());
        return needs
                + (budget == ByteBudget.WIDE_CELLS
                        ? "give the JVM a heap of at least %d MiB (-Xmx, serve --heap), or select other columns"
                                .formatted(Math.ceilDiv(ByteBudget.heapFor(wanted), 1 << 20))
                        : "raise wideRowBudgetBytes, or select other columns");
    }

    private QueryException tooWide(RowCursor row, long bytes, String remedy) {
        List<String> names = new ArrayList<>();
        for (int cell : query.wide().cells()) {
            if (row.isNull(cell)) {
                names.add(query.sources().get(cell).column().name());
            }
        }
        return new QueryException(
                QueryException.Kind.ROW_TOO_WIDE,
                "a row of table %s has %d bytes in column %s; %s"
                        .formatted(
                                query.table().table().name(),
                                bytes,
                                String.join(", ", names),
                                remedy));
    }
}
