package dev.penstock.query.sql.statement;

import dev.penstock.query.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * A placeholder of the n-th value of a plan in its shape, counted from 0.
 *
 * @param index which of the values it is
 * @param type what the value is, where the SQL depends on that; null where what it is compared with decides
 */
public record Parameter(int index, @Nullable ColumnType type) {
    private static final Parameter[] FIRST = new Parameter[64];

    static {
        for (int i = 0; i < FIRST.length; i++) {
            FIRST[i] = new Parameter(i, null);
        }
    }

    public static Parameter of(int index) {
        return index < FIRST.length ? FIRST[index] : new Parameter(index, null);
    }
}
