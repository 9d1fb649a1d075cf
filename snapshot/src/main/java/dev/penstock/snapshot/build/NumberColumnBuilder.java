package dev.penstock.snapshot.build;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeFormatter;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.DecimalCodec;
import dev.penstock.snapshot.column.KeyCodec;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.TemporalCodec;
import dev.penstock.snapshot.column.TextCompression;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.LongsBuilder;
import dev.penstock.snapshot.memory.Memory;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Cells that are numbers by themselves: of every type that has them, as long as all of the column's are of the usual
 * kind.
 */
final class NumberColumnBuilder extends ColumnBuilder {
    /**
     * Digits of the fraction of a second that are kept until it is known how many are needed: those of most databases.
     */
    private static final int MICROS = 6;

    private static final int NANOS = 9;

    /** A decimal of more digits after the point is kept by its text. */
    private static final int MAX_SCALE = 30;

    private final TemporalCodec temporals = new TemporalCodec();
    private final DecimalCodec decimals = new DecimalCodec();
    private LongsBuilder codes;
    private int scale = -1;
    private int digits;
    private boolean millis = true;
    private boolean seconds = true;

    NumberColumnBuilder(Column column, Memory.Scratch scratch, TextCompression compression) {
        super(column, scratch, compression);
        codes = new LongsBuilder(scratch);
        digits =
                switch (column.type()) {
                    case TIME -> NANOS;
                    case TIMESTAMP, TIMESTAMP_UTC -> MICROS;
                    case BOOLEAN, INT, LONG, DECIMAL, FLOAT, DOUBLE, DATE -> 0;
                    case TEXT, BINARY, UUID, JSON, OTHER ->
                            throw new IllegalArgumentException(column + " holds no numbers");
                };
    }

    /** Returns whether cells of that type may be numbers. */
    static boolean takes(ColumnType type) {
        return switch (type) {
            case BOOLEAN, INT, LONG, DECIMAL, FLOAT, DOUBLE, DATE, TIME, TIMESTAMP, TIMESTAMP_UTC ->
                    true;
            case TEXT, BINARY, UUID, JSON, OTHER -> false;
        };
    }

    @Override
    int size() {
        return codes.size();
    }

    @Override
    boolean add(Cursor cursor, int index) {
        return switch (column.type()) {
            case BOOLEAN -> add(cursor.getBoolean(index) ? 1 : 0);
            case INT, LONG -> add(cursor.getLong(index));
            case FLOAT -> add(KeyCodec.sortable(Float.floatToIntBits(cursor.getFloat(index))));
            case DOUBLE -> add(KeyCodec.sortable(Double.doubleToLongBits(cursor.getDouble(index))));
            case DECIMAL, DATE, TIME, TIMESTAMP, TIMESTAMP_UTC ->
                    add(requireNonNull(cursor.text(index)));
            case TEXT, BINARY, UUID, JSON, OTHER ->
                    throw new IllegalStateException(column + " holds no numbers");
        };
    }

    private boolean add(long code) {
        codes.add(code);
        return true;
    }

    private boolean add(Utf8 text) {
        byte[] bytes = text.array();
        int offset = text.offset();
        int length = text.length();
        boolean utc = column.type() == ColumnType.TIMESTAMP_UTC;
        return switch (column.type()) {
            case DECIMAL -> decimals.decimal(bytes, offset, length) && addDecimal();
            case DATE ->
                    temporals.date(bytes, offset, length)
                            && temporals.isDay()
                            && add(temporals.epochDay());
            case TIME -> temporals.time(bytes, offset, length) && addUnits(temporals.nanos);
            case TIMESTAMP, TIMESTAMP_UTC ->
                    temporals.timestamp(bytes, offset, length, utc) && addTimestamp();
            case BOOLEAN, INT, LONG, FLOAT, DOUBLE, TEXT, BINARY, UUID, JSON, OTHER ->
                    throw new IllegalStateException(column + " is not read by its text");
        };
    }

    private boolean addDecimal() {
        if (scale < 0 && decimals.scale <= MAX_SCALE) {
            scale = decimals.scale;
        }
        return decimals.scale == scale && add(decimals.unscaled);
    }

    private boolean addTimestamp() {
        if (!temporals.isDay()) {
            return false;
        }
        long nanos = temporals.nanos;
        if (digits == MICROS && nanos % 1000 != 0 && !toNanos()) {
            return false;
        }
        long units = digits == MICROS ? 1_000_000 : TemporalCodec.NANOS;
        long fraction = nanos / (TemporalCodec.NANOS / units);
        long day = temporals.epochDay();
        long unitsADay = TemporalCodec.SECONDS_A_DAY * units;
        if (Math.abs(day) > Long.MAX_VALUE / unitsADay - 1) {
            return false;
        }
        return addUnits(day * unitsADay + fraction);
    }

    private boolean addUnits(long number) {
        long unitsASecond = digits == MICROS ? 1_000_000 : TemporalCodec.NANOS;
        if (millis && number % (unitsASecond / 1000) != 0) {
            millis = false;
            seconds = false;
        }
        if (seconds && number % unitsASecond != 0) {
            seconds = false;
        }
        return add(number);
    }

    /** Keeps nanoseconds from now on; false where those so far leave no room for that. */
    private boolean toNanos() {
        long most = Long.MAX_VALUE / 1000;
        if (codes.least() < -most || codes.greatest() > most) {
            return false;
        }
        LongsBuilder finer = new LongsBuilder(scratch);
        for (int i = 0; i < codes.size(); i++) {
            if (nulls.get(i)) {
                finer.addNothing();
            } else {
                finer.add(codes.get(i) * 1000);
            }
        }
        codes = finer;
        digits = NANOS;
        return true;
    }

    @Override
    boolean addAll(ColumnBuilder other) {
        NumberColumnBuilder added = (NumberColumnBuilder) other;
        if (scale >= 0 && added.scale >= 0 && scale != added.scale) {
            return false;
        }
        boolean agrees =
                digits == added.digits || (digits < added.digits ? toNanos() : added.toNanos());
        if (!agrees) {
            return false;
        }
        scale = Math.max(scale, added.scale);
        millis &= added.millis;
        seconds &= added.seconds;
        addEach(added, i -> codes.add(added.codes.get(i)));
        return true;
    }

    @Override
    boolean addAll(StoredColumn cells, BitSet rows) {
        if (!(cells instanceof CodedColumn coded)) {
            return false;
        }
        if (coded.values().isEmpty()) {
            rows.stream().forEach(_ -> addNull());
            return true;
        }
        long factor =
                switch (coded.encoding()) {
                    case CodeEncoding.Listed _ -> 0;
                    case CodeEncoding.Floating() -> 1;
                    case CodeEncoding.Scaled(int other) -> agrees(other) ? 1 : 0;
                    case CodeEncoding.Whole whole -> factor(coded, whole);
                };
        if (factor == 0) {
            return false;
        }
        addEach(coded, rows, row -> codes.add(coded.cell(row) * factor));
        return true;
    }

    private boolean agrees(int other) {
        scale = scale < 0 ? other : scale;
        return scale == other;
    }

    /** Returns what makes the units of a column those of this one; 0 where that can't be. */
    private long factor(CodedColumn coded, CodeEncoding.Whole whole) {
        if (digits == 0) {
            return 1;
        }
        if (whole.digits() > digits && !toNanos()) {
            return 0;
        }
        long factor = new CodeEncoding.Whole(digits).units() / whole.units();
        long most = Long.MAX_VALUE / factor;
        if (coded.values().least() < -most || coded.values().greatest() > most) {
            return 0;
        }
        millis &= whole.digits() <= 3;
        seconds &= whole.digits() == 0;
        return factor;
    }

    @Override
    void addNothing() {
        codes.addNothing();
    }

    @Override
    ColumnBuilder wider() {
        DictionaryColumnBuilder wider = new DictionaryColumnBuilder(column, scratch, compression);
        CodeFormatter text = new CodeFormatter(column, encoding(digits));
        wider.addEach(this, i -> wider.add(text.of(codes.get(i))));
        return wider;
    }

    private CodeEncoding encoding(int digits) {
        return switch (column.type()) {
            case DECIMAL -> new CodeEncoding.Scaled(Math.max(scale, 0));
            case FLOAT, DOUBLE -> new CodeEncoding.Floating();
            case BOOLEAN, INT, LONG, DATE, TIME, TIMESTAMP, TIMESTAMP_UTC ->
                    new CodeEncoding.Whole(digits);
            case TEXT, BINARY, UUID, JSON, OTHER ->
                    throw new IllegalStateException(column + " holds no numbers");
        };
    }

    @Override
    @Nullable StoredColumn build(Memory memory, @Nullable Longs order) {
        int coarse = digits == 0 ? 0 : seconds ? 0 : millis ? 3 : digits;
        long divisor = 1;
        for (int i = coarse; i < digits; i++) {
            divisor *= 10;
        }
        boolean isEmpty = codes.isEmpty();
        CodeRange values =
                isEmpty
                        ? CodeRange.NONE
                        : CodeRange.of(codes.least() / divisor, codes.greatest() / divisor);
        int nullCount = nulls.cardinality();
        if (nullCount > 0 && !isEmpty && values.least() == Long.MIN_VALUE) {
            return null;
        }
        long lowest = isEmpty ? 0 : values.least() - (nullCount > 0 ? 1 : 0);
        long highest = isEmpty ? 0 : values.greatest();
        long unit = divisor;
        LongsBuilder.Values coded =
                (row, code) -> nullCount > 0 && nulls.get(row) ? lowest : code / unit;
        Longs all = codes.build(memory, order, coded, lowest, highest);
        return new CodedColumn(column, all, values, nullCount, encoding(coarse));
    }
}
