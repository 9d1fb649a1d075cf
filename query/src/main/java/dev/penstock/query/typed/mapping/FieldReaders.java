package dev.penstock.query.typed.mapping;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.QueryException;
import dev.penstock.query.typed.field.BinaryField;
import dev.penstock.query.typed.field.BooleanField;
import dev.penstock.query.typed.field.CharField;
import dev.penstock.query.typed.field.DoubleField;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FloatField;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.RowReader;
import dev.penstock.query.typed.field.TextField;
import dev.penstock.query.typed.field.ValueField;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.UUID;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The readers of fields' values from the cells of a row. */
public final class FieldReaders {
    private FieldReaders() {}

    /** Returns a reader of entities. Where a cell does not fit, its error names the field, the cause and the remedy. */
    public static <R> RowReader<R> reader(Entity<R> entity) {
        RowReader<R> reader = entity.reader();
        return row -> {
            try {
                return reader.read(row);
            } catch (QueryException e) {
                throw e;
            } catch (RuntimeException e) {
                throw misread(entity, row, e);
            }
        };
    }

    /** Returns the failure of the field that can't be read; where all can, it is the entity's own. */
    private static RuntimeException misread(
            Entity<?> entity, Cursor row, RuntimeException failure) {
        List<? extends Field<?, ?>> fields = entity.fields();
        for (int i = 0; i < fields.size(); i++) {
            Field<?, ?> field = fields.get(i);
            try {
                if (!field.isNullable() || !row.isNull(i)) {
                    Object ignored =
                            present(field, row.isNull(i) ? null : reader(field, i).read(row));
                }
            } catch (QueryException e) {
                e.addSuppressed(failure);
                return e;
            }
        }
        return failure;
    }

    /** Returns a reader of a field's value from a column. */
    @SuppressWarnings("unchecked") // each kind of field reads the values that it has
    public static <V> RowReader<V> reader(Field<?, V> field, int column) {
        RowReader<?> reader =
                switch (field) {
                    case IntField<?> _ -> row -> row.getInt(column);
                    case LongField<?> _ -> row -> row.getLong(column);
                    case FloatField<?> _ -> row -> row.getFloat(column);
                    case DoubleField<?> _ -> row -> row.getDouble(column);
                    case BooleanField<?> _ -> row -> truth(row, column);
                    case CharField<?> f -> row -> character(f, row.getString(column));
                    case TextField<?> f -> row -> present(f, row.getString(column));
                    case BinaryField<?> f -> row -> present(f, row.getBytes(column));
                    case EnumField<?, ?> f -> row -> constant(f, row.getString(column));
                    case ValueField<?, ?> f -> value(f, column);
                };
        RowReader<V> present = (RowReader<V>) reader;
        return field.isNullable() ? row -> orNull(present, row, column) : present;
    }

    @SuppressWarnings("NullAway") // a reader of a field that may be null gives null
    private static <V> V orNull(RowReader<V> reader, Cursor row, int column) {
        return row.isNull(column) ? null : reader.read(row);
    }

    /** Reads a truth value, also from a column of numbers. */
    static boolean truth(Cursor row, int column) {
        return row.columns().get(column).type() == ColumnType.INT
                ? row.getInt(column) != 0
                : row.getBoolean(column);
    }

    private static char character(CharField<?> field, @Nullable String text) {
        String given = present(field, text);
        if (given.length() != 1) {
            throw unfit(
                    field,
                    "the column holds a text of %d characters, and the field one; use a TextField"
                            .formatted(given.length()),
                    null);
        }
        return given.charAt(0);
    }

    private static <E extends Enum<E>> E constant(EnumField<?, E> field, @Nullable String text) {
        String given = present(field, text);
        try {
            return field.constant().apply(given);
        } catch (RuntimeException e) {
            throw unfit(
                    field,
                    "the column holds \"%s\", which is no text of a constant of %s"
                            .formatted(given, field.type().getSimpleName()),
                    e);
        }
    }

    private static RowReader<?> value(ValueField<?, ?> field, int column) {
        Class<?> type = field.type();
        if (type == BigDecimal.class) {
            return row -> present(field, row.getDecimal(column));
        }
        if (type == BigInteger.class) {
            return row -> whole(field, present(field, row.getDecimal(column)));
        }
        if (type == LocalDate.class) {
            return row -> present(field, row.getDate(column));
        }
        if (type == LocalTime.class) {
            return row -> present(field, row.getTime(column));
        }
        if (type == LocalDateTime.class) {
            return row -> present(field, row.getTimestamp(column));
        }
        if (type == Instant.class) {
            return row -> present(field, row.getInstant(column));
        }
        return row -> UUID.fromString(present(field, row.getString(column)));
    }

    private static BigInteger whole(Field<?, ?> field, BigDecimal number) {
        try {
            return number.toBigIntegerExact();
        } catch (ArithmeticException e) {
            throw unfit(field, "the column holds a fraction, and the field whole numbers", e);
        }
    }

    private static <V> V present(Field<?, ?> field, @Nullable V value) {
        if (value == null) {
            throw unfit(field, "it is never null, and the column holds a null", null);
        }
        return value;
    }

    private static QueryException unfit(
            Field<?, ?> field, String cause, @Nullable RuntimeException failure) {
        return new QueryException(
                QueryException.Kind.DATABASE,
                ("reading field %s failed: %s. If the table was changed after its schema was read, open the"
                                + " database again; if the entity does not fit then, generate it again")
                        .formatted(field, cause),
                failure);
    }

    /** Returns a reader of the only column as an int. */
    public static ToIntFunction<Cursor> ints(Field<?, ?> field) {
        return row -> row.getInt(present(field, row));
    }

    /** Returns a reader of the only column as a long. */
    public static ToLongFunction<Cursor> longs(Field<?, ?> field) {
        return row -> row.getLong(present(field, row));
    }

    /** Returns a reader of the only column as a double. */
    public static ToDoubleFunction<Cursor> doubles(Field<?, ?> field) {
        return row -> number(field, row, present(field, row));
    }

    /** Reads a number of a field's type as a double. */
    public static double number(Field<?, ?> field, Cursor row, int column) {
        return switch (field) {
            case IntField<?> _, LongField<?> _ -> row.getLong(column);
            case FloatField<?> _ -> row.getFloat(column);
            default -> row.getDouble(column);
        };
    }

    /** Returns the index of the only column, which must not be NULL. */
    private static int present(Field<?, ?> field, Cursor row) {
        if (field.isNullable() && row.isNull(0)) {
            Object ignored = field.required(null);
        }
        return 0;
    }
}
