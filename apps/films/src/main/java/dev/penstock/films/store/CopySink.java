package dev.penstock.films.store;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Rows for PostgreSQL's {@code COPY}, in its text form. */
final class CopySink implements RowSink {
    private static final int FULL = 48 * 1024;

    private final CopyIn copy;

    /** Characters of the rows so far; ASCII but for a few. */
    private final StringBuilder rows = new StringBuilder(2 * FULL);

    CopySink(Connection connection, String table, List<String> columns) throws SQLException {
        copy =
                connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn(
                                "COPY "
                                        + table
                                        + " ("
                                        + String.join(", ", columns)
                                        + ") FROM STDIN (ENCODING 'UTF8')");
    }

    @Override
    public void number(long value) {
        rows.append(value).append('\t');
    }

    @Override
    public void hundredths(long value) {
        rows.append(value / 100).append('.').append((char) ('0' + value / 10 % 10));
        rows.append((char) ('0' + value % 10)).append('\t');
    }

    @Override
    public void text(@Nullable String value) {
        if (value == null) {
            nothing();
            return;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '\\' -> rows.append("\\\\");
                case '\t' -> rows.append("\\t");
                case '\n' -> rows.append("\\n");
                case '\r' -> rows.append("\\r");
                default -> rows.append(c);
            }
        }
        rows.append('\t');
    }

    @Override
    public void truth(boolean value) {
        rows.append(value ? "t\t" : "f\t");
    }

    @Override
    public void time(long epochSecond) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC);
        rows.append(time.getYear()).append('-');
        two(time.getMonthValue()).append('-');
        two(time.getDayOfMonth()).append(' ');
        two(time.getHour()).append(':');
        two(time.getMinute()).append(':');
        two(time.getSecond()).append('\t');
    }

    private StringBuilder two(int value) {
        return rows.append((char) ('0' + value / 10)).append((char) ('0' + value % 10));
    }

    @Override
    public void bytes(byte[] value) {
        rows.append("\\\\x").append(HexFormat.of().formatHex(value)).append('\t');
    }

    @Override
    public void nothing() {
        rows.append("\\N\t");
    }

    @Override
    public void end() throws SQLException {
        rows.setCharAt(rows.length() - 1, '\n');
        if (rows.length() >= FULL) {
            send();
        }
    }

    private void send() throws SQLException {
        byte[] bytes = rows.toString().getBytes(StandardCharsets.UTF_8);
        copy.writeToCopy(bytes, 0, bytes.length);
        rows.setLength(0);
    }

    @Override
    public void finish() throws SQLException {
        send();
        copy.endCopy();
    }

    @Override
    public void close() throws SQLException {
        if (copy.isActive()) {
            copy.cancelCopy();
        }
    }
}
