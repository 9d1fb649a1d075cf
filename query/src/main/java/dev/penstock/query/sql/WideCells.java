package dev.penstock.query.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.QueryException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the cells of one row that its query left out because they are wide. The bytes are reserved first; then the cells
 * are read by primary key over a second connection, a part at a time, into arrays of just their length. A row that is not as
 * wide as the query saw it has changed meanwhile, which is an error.
 */
final class WideCells {
    /** Characters, or bytes, that are asked for at a time. Divisible by 3, so that base64 can go on where it stopped. */
    private static final int CHUNK = 3 * 64 * 1024;

    /** What one part may take on its way, in bytes. */
    static final int CHUNK_BYTES = 1 << 20;

    private final Connections connections;
    private final Dialect dialect;
    private final SqlQuery query;
    private final ByteBudget budget;
    private ByteBudget.@Nullable Hold hold;

    WideCells(Connections connections, Dialect dialect, SqlQuery query, ByteBudget budget) {
        this.connections = connections;
        this.dialect = dialect;
        this.query = query;
        this.budget = budget;
    }

    /** Gives back what the last row reserved; says whether that was anything. */
    boolean release() {
        ByteBudget.Hold held = hold;
        if (held == null) {
            return false;
        }
        hold = null;
        held.release();
        return true;
    }

    /** Puts the wide cells of this row where the cursor finds them. */
    void read(RowCursor row, long bytes, Session session) throws SQLException {
        long wanted = (hasBinary() ? Math.ceilDiv(bytes, 3) * 4 : bytes) + CHUNK_BYTES;
        if (query.wide().key().isEmpty()) {
            throw tooWide(
                    row,
                    bytes,
                    "the limit is %d, which is the most without a primary key to fetch them by; give the table a primary key, or select other columns"
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
        Predicate key = key(row);
        Connection connection = connections.take();
        boolean done = false;
        try {
            boolean autoCommit = connection.getAutoCommit();
            int isolation = connection.getTransactionIsolation();
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            Dialect.Restoration restoration = dialect.prepare(connection, query.template());
            fetch(connection, row, key, session);
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

    private void fetch(Connection connection, RowCursor row, Predicate key, Session session)
            throws SQLException {
        List<SqlColumn> sources = new ArrayList<>();
        for (int cell : query.wide().cells()) {
            sources.add(query.sources().get(cell));
        }
        List<@Nullable Long> lengths = lengths(connection, sources, key);
        for (int i = 0; i < lengths.size(); i++) {
            int cell = query.wide().cells().get(i);
            Long length = lengths.get(i);
            if (row.isNull(cell) && length != null) {
                byte[] text = read(connection, sources.get(i), key, length, session);
                row.set(cell, text, text.length);
            }
        }
    }

    private List<@Nullable Long> lengths(
            Connection connection, List<SqlColumn> sources, Predicate key) throws SQLException {
        String selected = String.join(", ", sources.stream().map(dialect::exactLength).toList());
        List<@Nullable Long> lengths = new ArrayList<>();
        try (PreparedStatement statement = select(connection, selected, key);
                ResultSet result = statement.executeQuery()) {
            if (!result.next()) {
                throw changed();
            }
            long sum = 0;
            for (int i = 1; i <= sources.size(); i++) {
                long length = result.getLong(i);
                lengths.add(result.wasNull() ? null : length);
                sum += length;
            }
            ByteBudget.Hold held = hold;
            if (held == null || (hasBinary() ? Math.ceilDiv(sum, 3) * 4 : sum) > held.bytes()) {
                throw changed();
            }
        }
        return lengths;
    }

    private byte[] read(
            Connection connection, SqlColumn source, Predicate key, long length, Session session)
            throws SQLException {
        boolean binary = source.column().type() == ColumnType.BINARY;
        if (!binary && dialect.readsLongTextAtOnce()) {
            return readAtOnce(connection, source, key, length);
        }
        byte[] text = new byte[Math.toIntExact(binary ? Math.ceilDiv(length, 3) * 4 : length)];
        int written = 0;
        long from = 1;
        while (written < text.length) {
            session.requireNotCancelled();
            byte[] part;
            try (PreparedStatement statement =
                            select(connection, dialect.chunk(source, from, CHUNK), key);
                    ResultSet result = statement.executeQuery()) {
                if (!result.next()) {
                    throw changed();
                }
                if (binary) {
                    byte[] bytes = result.getBytes(1);
                    part = bytes == null ? new byte[0] : Base64.getEncoder().encode(bytes);
                    from += CHUNK;
                } else {
                    String characters = whole(result.getString(1));
                    part = characters.getBytes(UTF_8);
                    from +=
                            dialect.countsUtf16Units()
                                    ? characters.length()
                                    : characters.codePointCount(0, characters.length());
                }
            }
            if (part.length == 0 || written + part.length > text.length) {
                throw changed();
            }
            System.arraycopy(part, 0, text, written, part.length);
            written += part.length;
        }
        return text;
    }

    /** Its length was reserved, and can't have changed: all of this is one repeatable-read transaction. */
    private byte[] readAtOnce(Connection connection, SqlColumn source, Predicate key, long length)
            throws SQLException {
        try (PreparedStatement statement =
                        select(connection, dialect.chunk(source, 1, Integer.MAX_VALUE), key);
                ResultSet result = statement.executeQuery()) {
            byte[] text = result.next() ? result.getBytes(1) : null;
            if (text == null || text.length != length) {
                throw changed();
            }
            return text;
        }
    }

    /** Without half a surrogate pair at the end. */
    private static String whole(@Nullable String part) {
        if (part == null) {
            return "";
        }
        int last = part.length() - 1;
        return last > 0 && Character.isHighSurrogate(part.charAt(last))
                ? part.substring(0, last)
                : part;
    }

    private PreparedStatement select(Connection connection, String what, Predicate key)
            throws SQLException {
        SqlText sql = new SqlText();
        sql.add("SELECT ").add(what).add(" FROM ").add(query.table().name()).add(" WHERE ");
        Literals literals = new Literals(List.of());
        new PredicateSql(query.table(), dialect, literals, sql).write(key);
        PreparedStatement statement = connection.prepareStatement(sql.text(_ -> "?"));
        int index = 1;
        for (Literals.Binding binding : sql.bindings()) {
            statement.setObject(index++, binding.value(literals.fitted()));
        }
        return statement;
    }

    private Predicate key(RowCursor row) {
        List<Predicate> equal = new ArrayList<>();
        int hidden = query.columns().size() + 1;
        for (SqlColumn key : query.wide().key()) {
            Object value = row.value(hidden++);
            equal.add(new Predicate.Comparison(key.column().name(), Comparator.EQUAL, value));
        }
        return new Predicate.And(equal);
    }

    private boolean hasBinary() {
        return query.wide().cells().stream()
                .anyMatch(cell -> query.sources().get(cell).column().type() == ColumnType.BINARY);
    }

    private String tooLittleMemory(long wanted) {
        String needs =
                "to send it takes %d bytes of memory; the limit is %d for all wide rows together; "
                        .formatted(wanted, budget.bytes());
        return needs
                + (budget == ByteBudget.PROCESS
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

    private QueryException changed() {
        return new QueryException(
                QueryException.Kind.DATABASE,
                "a wide row of table "
                        + query.table().table().name()
                        + " was changed while it was read");
    }
}
