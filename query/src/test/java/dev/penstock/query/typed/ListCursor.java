package dev.penstock.query.typed;

import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Base64;
import java.util.List;

/** The rows of a {@link ListEngine}; two threads at once are an error. */
final class ListCursor implements Cursor {
    private final ListEngine engine;
    private final List<Column> columns;
    private final List<List<Object>> rows;
    private final java.util.concurrent.locks.ReentrantLock lock =
            new java.util.concurrent.locks.ReentrantLock();
    private int at = -1;
    private boolean closed;

    ListCursor(ListEngine engine, List<Column> columns, List<List<Object>> rows) {
        this.engine = engine;
        this.columns = columns;
        this.rows = rows;
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public boolean next() {
        if (!lock.tryLock()) {
            throw new AssertionError("a cursor is used by two threads at once");
        }
        try {
            if (closed) {
                throw new AssertionError("a closed cursor is read");
            }
            if (at + 1 >= rows.size()) {
                return false;
            }
            at++;
            engine.rowsRead.incrementAndGet();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private Object cell(int column) {
        return rows.get(at).get(column);
    }

    private <T> T cell(int column, Class<T> type) {
        return type.cast(cell(column));
    }

    private Number number(int column) {
        Object cell = cell(column);
        return cell == null ? 0 : (Number) cell;
    }

    @Override
    public boolean isNull(int column) {
        return cell(column) == null;
    }

    @Override
    public boolean getBoolean(int column) {
        return Boolean.TRUE.equals(cell(column));
    }

    @Override
    public int getInt(int column) {
        return number(column).intValue();
    }

    @Override
    public long getLong(int column) {
        return number(column).longValue();
    }

    @Override
    public float getFloat(int column) {
        return number(column).floatValue();
    }

    @Override
    public double getDouble(int column) {
        return number(column).doubleValue();
    }

    @Override
    public BigDecimal getDecimal(int column) {
        return cell(column, BigDecimal.class);
    }

    @Override
    public String getString(int column) {
        return switch (cell(column)) {
            case null -> null;
            case BigDecimal decimal -> decimal.toPlainString();
            case byte[] bytes -> Base64.getEncoder().encodeToString(bytes);
            case Object value -> value.toString();
        };
    }

    @Override
    public byte[] getBytes(int column) {
        return cell(column, byte[].class);
    }

    @Override
    public LocalDate getDate(int column) {
        return cell(column, LocalDate.class);
    }

    @Override
    public LocalTime getTime(int column) {
        return cell(column, LocalTime.class);
    }

    @Override
    public LocalDateTime getTimestamp(int column) {
        return cell(column, LocalDateTime.class);
    }

    @Override
    public Instant getInstant(int column) {
        return cell(column, Instant.class);
    }

    @Override
    public Utf8 text(int column) {
        String text = getString(column);
        if (text == null) {
            return null;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Utf8().set(bytes, 0, bytes.length);
    }

    @Override
    public void cancel() {}

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            engine.open.decrementAndGet();
            if (engine.onClose != null) {
                throw engine.onClose;
            }
        }
    }
}
