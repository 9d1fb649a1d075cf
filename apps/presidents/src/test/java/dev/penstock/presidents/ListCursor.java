package dev.penstock.presidents;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.QueryException;
import dev.penstock.query.Utf8;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Presidents out of a list, as a database would give them. */
final class ListCursor implements Cursor {
    private final List<President> presidents;
    private final Utf8 text = new Utf8();
    int row = -1;
    boolean closed;

    /** Fails when it comes to this row. */
    int failingRow = Integer.MAX_VALUE;

    ListCursor(List<President> presidents) {
        this.presidents = presidents;
    }

    @Override
    public List<Column> columns() {
        return CursorRow.COLUMNS.stream()
                .map(name -> new Column(name, ColumnType.OTHER, "?", true, Column.UNBOUNDED))
                .toList();
    }

    @Override
    public boolean next() {
        row++;
        if (row == failingRow) {
            throw new QueryException(QueryException.Kind.DATABASE, "the database fell over");
        }
        return row < presidents.size();
    }

    private @Nullable Object value(int column) {
        President president = presidents.get(row);
        return switch (column) {
            case CursorRow.NAME -> president.name();
            case CursorRow.OFFICE_START -> president.officeStart();
            case CursorRow.OFFICE_END -> president.officeEnd();
            case CursorRow.THUMBNAIL -> president.thumbnail();
            case CursorRow.SUMMARY -> president.summary();
            default -> throw new AssertionError(column);
        };
    }

    @Override
    public boolean isNull(int column) {
        return value(column) == null;
    }

    @Override
    public @Nullable String getString(int column) {
        Object value = value(column);
        return value instanceof byte[] bytes
                ? Base64.getEncoder().encodeToString(bytes)
                : value == null ? null : value.toString();
    }

    @Override
    public byte @Nullable [] getBytes(int column) {
        return (byte[]) value(column);
    }

    @Override
    public @Nullable LocalDate getDate(int column) {
        return (LocalDate) value(column);
    }

    @Override
    public @Nullable Utf8 text(int column) {
        String string = getString(column);
        if (string == null) {
            return null;
        }
        byte[] bytes = (" " + string + " ").getBytes(StandardCharsets.UTF_8);
        return text.set(bytes, 1, bytes.length - 2);
    }

    @Override
    public void cancel() {}

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public boolean getBoolean(int column) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getInt(int column) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long getLong(int column) {
        throw new UnsupportedOperationException();
    }

    @Override
    public float getFloat(int column) {
        throw new UnsupportedOperationException();
    }

    @Override
    public double getDouble(int column) {
        throw new UnsupportedOperationException();
    }

    @Override
    public BigDecimal getDecimal(int column) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LocalTime getTime(int column) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LocalDateTime getTimestamp(int column) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Instant getInstant(int column) {
        throw new UnsupportedOperationException();
    }
}
