package dev.penstock.bench.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cursor over rows whose canonical texts are in memory, over and over, so that only what reads them is measured. */
public final class MemoryRows implements Cursor {
    private final List<Column> columns;
    private final byte[][][] rows;
    private final Utf8 view = new Utf8();
    private final long count;
    private long next;
    private byte[][] row = new byte[0][];

    /**
     * @param count how many rows there are; those given repeat
     */
    public MemoryRows(List<Column> columns, List<List<String>> rows, long count) {
        this.columns = List.copyOf(columns);
        this.rows =
                rows.stream()
                        .map(each ->
                                each.stream()
                                        .map(cell -> cell.getBytes(UTF_8))
                                        .toArray(byte[][]::new))
                        .toArray(byte[][][]::new);
        this.count = count;
    }

    /** So many rows like those of {@link Lineitems}. */
    public static MemoryRows lineitems(long count) {
        return new MemoryRows(Lineitems.columns(), Lineitems.rows(64), count);
    }

    /** Begins again. */
    public void rewind() {
        next = 0;
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public boolean next() {
        if (next == count) {
            return false;
        }
        row = rows[(int) (next++ % rows.length)];
        return true;
    }

    @Override
    public boolean isNull(int column) {
        return false;
    }

    @Override
    public boolean getBoolean(int column) {
        return Boolean.parseBoolean(getString(column));
    }

    @Override
    public int getInt(int column) {
        return Integer.parseInt(getString(column));
    }

    @Override
    public long getLong(int column) {
        return Long.parseLong(getString(column));
    }

    @Override
    public float getFloat(int column) {
        return Float.parseFloat(getString(column));
    }

    @Override
    public double getDouble(int column) {
        return Double.parseDouble(getString(column));
    }

    @Override
    public BigDecimal getDecimal(int column) {
        return new BigDecimal(getString(column));
    }

    @Override
    public String getString(int column) {
        return new String(row[column], UTF_8);
    }

    @Override
    public byte[] getBytes(int column) {
        return Base64.getDecoder().decode(row[column]);
    }

    @Override
    public LocalDate getDate(int column) {
        return LocalDate.parse(getString(column));
    }

    @Override
    public LocalTime getTime(int column) {
        return LocalTime.parse(getString(column));
    }

    @Override
    public LocalDateTime getTimestamp(int column) {
        return LocalDateTime.parse(getString(column));
    }

    @Override
    public Instant getInstant(int column) {
        return Instant.parse(getString(column));
    }

    @Override
    public @Nullable Utf8 text(int column) {
        return view.set(row[column], 0, row[column].length);
    }

    @Override
    public void cancel() {}

    @Override
    public void close() {}
}
