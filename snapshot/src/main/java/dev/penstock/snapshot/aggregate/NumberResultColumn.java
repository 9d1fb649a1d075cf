package dev.penstock.snapshot.aggregate;

import dev.penstock.query.Column;
import dev.penstock.query.Utf8;
import java.math.BigDecimal;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Cells that were calculated: a number for each group, as {@code Long}, {@code Double} or {@code BigDecimal}; null for
 * NULL.
 */
public final class NumberResultColumn extends ResultColumn {
    private final IntFunction<@Nullable Number> numbers;

    public NumberResultColumn(Column column, IntFunction<@Nullable Number> numbers) {
        super(column);
        this.numbers = numbers;
    }

    public @Override boolean isNull(int row) {
        return numbers.apply(row) == null;
    }

    @Override
    public @Nullable Utf8 text(int row) {
        return switch (numbers.apply(row)) {
            case null -> null;
            case BigDecimal decimal -> ascii(decimal.toPlainString());
            case Number number -> ascii(number.toString());
        };
    }

    public @Override long getLong(int row) {
        return numbers.apply(row) instanceof Long number
                ? number
                : isNull(row) ? 0 : super.getLong(row);
    }

    public @Override float getFloat(int row) {
        Number number = numbers.apply(row);
        return number == null ? 0 : number.floatValue();
    }

    public @Override double getDouble(int row) {
        Number number = numbers.apply(row);
        return number == null ? 0 : number.doubleValue();
    }

    @Override
    public @Nullable BigDecimal getDecimal(int row) {
        return switch (numbers.apply(row)) {
            case null -> null;
            case Long number -> BigDecimal.valueOf(number);
            case BigDecimal decimal -> decimal;
            case Number _ -> super.getDecimal(row);
        };
    }
}
