package dev.penstock.query.sql.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.render.PredicateSql;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.Literals;
import dev.penstock.query.sql.statement.SqlBuilder;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlQuery;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reader of wide cells within one transaction, in the way that takes the least memory with the driver. */
final class WideCellReader {
    /** The least bytes that a part of a long value has. */
    private static final int LEAST_PART = 192 << 10;

    /** In how many parts a value comes that is longer: few, since the server reads the whole value for each. */
    private static final int PARTS = 16;

    private static final int BUFFER = 32 << 10;

    private final Connection connection;
    private final Dialect dialect;
    private final SqlQuery query;
    private final Session session;

    WideCellReader(Connection connection, Dialect dialect, SqlQuery query, Session session) {
        this.connection = connection;
        this.dialect = dialect;
        this.query = query;
        this.session = session;
    }

    /**
     * The means to find a cell.
     *
     * @param row a condition that its row meets
     * @param isUnique whether no other row meets it
     * @param length of the value, in bytes, of a text in UTF-8
     * @param digest of the value; empty where it is not needed
     */
    record Target(Predicate row, boolean isUnique, long length, String digest) {}

    /** Every guarded cell of the row with this key; null for those that are NULL. */
    List<@Nullable Target> byKey(Predicate key) throws SQLException {
        List<String> lengths = new ArrayList<>();
        for (int cell : query.wide().cells()) {
            lengths.add(dialect.exactLength(query.sources().get(cell)));
        }
        List<@Nullable Target> targets = new ArrayList<>();
        SqlBuilder sql = new SqlBuilder().add("SELECT " + String.join(", ", lengths));
        one(
                from(sql, key),
                result -> {
                    for (int i = 1; i <= lengths.size(); i++) {
                        long length = result.getLong(i);
                        targets.add(result.wasNull() ? null : new Target(key, true, length, ""));
                    }
                });
        return targets;
    }

    /** Returns the bytes of a cell, of a text in UTF-8. */
    byte[] read(SqlColumn source, Target target) throws SQLException {
        boolean binary = source.column().type() == ColumnType.BINARY;
        return switch (dialect.wideValue(source.column().type())) {
            case AT_ONCE -> atOnce(source, target);
            case AS_STREAM -> streamed(source, target, binary);
            case IN_PARTS -> inParts(source, target);
        };
    }

    private byte[] atOnce(SqlColumn source, Target target) throws SQLException {
        byte[][] found = new byte[1][];
        one(at(source, dialect.whole(source), target), result -> found[0] = result.getBytes(1));
        byte[] value = found[0];
        if (value == null || value.length != target.length()) {
            throw changed();
        }
        return value;
    }

    private byte[] streamed(SqlColumn source, Target target, boolean binary) throws SQLException {
        byte[] value = new byte[Math.toIntExact(target.length())];
        one(
                at(source, dialect.whole(source), target),
                result -> {
                    try {
                        int count =
                                binary
                                        ? copy(result.getBinaryStream(1), value)
                                        : copy(
                                                result.getCharacterStream(1),
                                                ByteBuffer.wrap(value));
                        if (count != value.length) {
                            throw changed();
                        }
                    } catch (IOException e) {
                        throw new SQLException(
                                "reading a large object failed: " + e.getMessage(), e);
                    }
                });
        return value;
    }

    /** Fills an array; the result is how many bytes there are, or one more than fit. */
    private int copy(InputStream stream, byte[] value) throws IOException {
        try (stream) {
            int count = 0;
            while (count < value.length) {
                session.requireNotCancelled();
                int part = stream.readNBytes(value, count, Math.min(BUFFER, value.length - count));
                if (part == 0) {
                    return count;
                }
                count += part;
            }
            return stream.read() < 0 ? count : count + 1;
        }
    }

    private int copy(Reader reader, ByteBuffer value) throws IOException {
        CharsetEncoder encoder =
                UTF_8.newEncoder()
                        .onMalformedInput(CodingErrorAction.REPLACE)
                        .onUnmappableCharacter(CodingErrorAction.REPLACE);
        CharBuffer characters = CharBuffer.allocate(BUFFER);
        try (reader) {
            boolean more = true;
            while (more) {
                session.requireNotCancelled();
                more = reader.read(characters) >= 0;
                characters.flip();
                if (encoder.encode(characters, value, !more).isOverflow()) {
                    return value.limit() + 1;
                }
                characters.compact();
            }
            return value.position();
        }
    }

    private byte[] inParts(SqlColumn source, Target target) throws SQLException {
        Target cell = target.digest().isEmpty() ? target : withoutDigest(source, target);
        byte[] value = new byte[Math.toIntExact(target.length())];
        int wanted = Math.max(Math.ceilDiv(value.length, PARTS), LEAST_PART);
        int size = Math.min(wanted, dialect.largestPart(connection));
        for (int start = 0; start < value.length; start += size) {
            int from = start;
            int expected = Math.min(size, value.length - start);
            one(
                    at(source, dialect.part(source, from + 1L, expected), cell),
                    result -> {
                        byte[] part = result.getBytes(1);
                        if (part == null || part.length != expected) {
                            throw changed();
                        }
                        System.arraycopy(part, 0, value, from, expected);
                    });
        }
        return value;
    }

    /**
     * Returns the same cell without the digest, which takes long for each part, if all cells of this length have the
     * same value.
     */
    private Target withoutDigest(SqlColumn source, Target target) throws SQLException {
        Target byLength = new Target(target.row(), false, target.length(), "");
        SqlBuilder sql = new SqlBuilder().add("SELECT COUNT(*), COUNT(CASE WHEN ");
        sql.bind(dialect.digest(source) + " = ?", _ -> target.digest()).add(" THEN 1 END)");
        boolean[] alone = {false};
        one(
                find(sql, source, byLength),
                result -> {
                    if (result.getLong(2) == 0) {
                        throw changed();
                    }
                    alone[0] = result.getLong(1) == result.getLong(2);
                });
        return alone[0] ? byLength : target;
    }

    private Query at(SqlColumn source, String what, Target target) {
        return find(new SqlBuilder().add("SELECT ").add(what), source, target);
    }

    /** Adds FROM and WHERE. */
    private Query find(SqlBuilder sql, SqlColumn source, Target target) {
        Query select = from(sql, target.row());
        if (!target.isUnique()) {
            // Of most rows, only the length that is cheap to get is looked at.
            sql.add(" AND CASE WHEN " + source.length() + " > " + query.wide().limit());
            sql.add(" AND " + dialect.exactLength(source) + " = " + target.length());
            if (target.digest().isEmpty()) {
                sql.add(" THEN 1 END = 1");
            } else {
                sql.add(" THEN " + dialect.digest(source) + " END");
                sql.bind(" = ?", _ -> target.digest());
            }
        }
        return select;
    }

    private Query from(SqlBuilder sql, Predicate row) {
        sql.add(" FROM ").add(query.table().name()).add(" WHERE ");
        Literals literals = new Literals(List.of());
        PredicateSql.of(Map.of(), query.table(), dialect, literals, sql).write(row);
        return new Query(sql, literals);
    }

    /** A SELECT with the values that it binds. */
    private record Query(SqlBuilder sql, Literals literals) {}

    /** A query of one row and the reader of its result. */
    private interface Reading {
        void read(ResultSet row) throws SQLException;
    }

    /** Reads the first row, of which all that follow are repetitions. */
    private void one(Query select, Reading reading) throws SQLException {
        session.requireNotCancelled();
        try (PreparedStatement statement =
                connection.prepareStatement(select.sql().text(_ -> "?"))) {
            statement.setMaxRows(1);
            int index = 1;
            for (Literals.Binding binding : select.sql().bindings()) {
                statement.setObject(index++, binding.value(select.literals().comparisons()));
            }
            session.alsoRunning(statement::cancel);
            try (ResultSet result = statement.executeQuery()) {
                if (!result.next()) {
                    throw changed();
                }
                reading.read(result);
            }
        } finally {
            session.alsoRunning(null);
        }
    }

    QueryException changed() {
        return new QueryException(
                QueryException.Kind.DATABASE,
                "a wide row of table "
                        + query.table().table().name()
                        + " was changed while it was read");
    }
}
