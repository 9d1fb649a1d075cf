package dev.penstock.snapshot.aggregate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.penstock.query.Column;
import dev.penstock.query.Utf8;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/**
 * A column of a result. Its cells are read by the number of the row, or of the group; each getter is as
 * {@link dev.penstock.query.Cursor} has it. Used by one thread.
 */
public abstract class ResultColumn {
    final Column column;
    private final Utf8 view = new Utf8();

    ResultColumn(Column column) {
        this.column = column;
    }

    public abstract boolean isNull(int row);

    public abstract @Nullable Utf8 text(int row);

    public boolean getBoolean(int row) {
        throw mismatch("a boolean");
    }

    public int getInt(int row) {
        throw mismatch("an int");
    }

    public long getLong(int row) {
        throw mismatch("a long");
    }

    public float getFloat(int row) {
        throw mismatch("a number");
    }

    public double getDouble(int row) {
        throw mismatch("a number");
    }

    public @Nullable BigDecimal getDecimal(int row) {
        throw mismatch("a decimal");
    }

    public @Nullable String getString(int row) {
        Utf8 text = text(row);
        return text == null ? null : text.toString();
    }

    public byte @Nullable [] getBytes(int row) {
        throw mismatch("a BINARY");
    }

    public @Nullable LocalDate getDate(int row) {
        throw mismatch("a DATE");
    }

    public @Nullable LocalTime getTime(int row) {
        throw mismatch("a TIME");
    }

    public @Nullable LocalDateTime getTimestamp(int row) {
        throw mismatch("a TIMESTAMP");
    }

    public @Nullable Instant getInstant(int row) {
        throw mismatch("a TIMESTAMP_UTC");
    }

    /** A view of what is ASCII alone. */
    final Utf8 ascii(String text) {
        return view.set(text.getBytes(ISO_8859_1), 0, text.length());
    }

    private IllegalStateException mismatch(String wanted) {
        return new IllegalStateException(
                "column %s is %s and was read as %s"
                        .formatted(column.name(), column.type(), wanted));
    }
}
