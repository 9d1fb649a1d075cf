package dev.penstock.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.QueryException;
import dev.penstock.query.Utf8;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of canonical text in memory, given as many times over as asked. */
final class MemoryCursor implements Cursor {
    private final List<Column> columns = new ArrayList<>();
    private final List<byte[] @Nullable []> rows = new ArrayList<>();
    private final Utf8 view = new Utf8();
    private long count = -1;
    private long failAfter = Long.MAX_VALUE;
    private long at;
    private byte[] @Nullable [] row = new byte[0] @Nullable [];
    boolean closed;

    MemoryCursor column(String name, ColumnType type) {
        columns.add(new Column(name, type, type.name(), true, Column.UNBOUNDED));
        return this;
    }

    MemoryCursor row(@Nullable String... cells) {
        byte[] @Nullable [] row = new byte[cells.length] @Nullable [];
        for (int i = 0; i < cells.length; i++) {
            String cell = cells[i];
            row[i] = cell == null ? null : cell.getBytes(UTF_8);
        }
        return bytes(row);
    }

    MemoryCursor bytes(byte[] @Nullable ... row) {
        rows.add(row);
        return this;
    }

    /** Gives the rows again from the first on, until there were so many. */
    MemoryCursor repeat(long count) {
        this.count = count;
        return this;
    }

    MemoryCursor failAfter(long rows) {
        failAfter = rows;
        return this;
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public boolean next() {
        if (at == failAfter) {
            throw new QueryException(QueryException.Kind.DATABASE, "the test's failure");
        }
        if (at == (count < 0 ? rows.size() : count)) {
            return false;
        }
        row = rows.get((int) (at++ % rows.size()));
        return true;
    }

    @Override
    public boolean isNull(int column) {
        return row[column] == null;
    }

    @Override
    public @Nullable Utf8 text(int column) {
        byte[] cell = row[column];
        return cell == null ? null : view.set(cell, 0, cell.length);
    }

    @Override
    public @Nullable String getString(int column) {
        byte[] cell = row[column];
        return cell == null ? null : new String(cell, UTF_8);
    }

    @Override
    public boolean getBoolean(int column) {
        return Boolean.parseBoolean(getString(column));
    }

    @Override
    public int getInt(int column) {
        return (int) getLong(column);
    }

    @Override
    public long getLong(int column) {
        String text = getString(column);
        return text == null ? 0 : Long.parseLong(text);
    }

    @Override
    public float getFloat(int column) {
        return (float) getDouble(column);
    }

    @Override
    public double getDouble(int column) {
        String text = getString(column);
        return text == null ? 0 : Double.parseDouble(text);
    }

    @Override
    public @Nullable BigDecimal getDecimal(int column) {
        String text = getString(column);
        return text == null ? null : new BigDecimal(text);
    }

    @Override
    public byte @Nullable [] getBytes(int column) {
        String text = getString(column);
        return text == null ? null : Base64.getDecoder().decode(text);
    }

    @Override
    public @Nullable LocalDate getDate(int column) {
        String text = getString(column);
        return text == null ? null : LocalDate.parse(text);
    }

    @Override
    public @Nullable LocalTime getTime(int column) {
        String text = getString(column);
        return text == null ? null : LocalTime.parse(text);
    }

    @Override
    public @Nullable LocalDateTime getTimestamp(int column) {
        String text = getString(column);
        return text == null ? null : LocalDateTime.parse(text);
    }

    @Override
    public @Nullable Instant getInstant(int column) {
        String text = getString(column);
        return text == null ? null : Instant.parse(text);
    }

    @Override
    public void cancel() {}

    @Override
    public void close() {
        closed = true;
    }
}
