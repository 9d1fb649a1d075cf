package dev.penstock.snapshot.column;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.QueryException;
import dev.penstock.query.Utf8;
import dev.penstock.snapshot.memory.Buffers;
import dev.penstock.snapshot.memory.RecentValues;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a column's cells: of stored ones, each by what {@link StoredColumn#cell} says, or of numbers that were
 * calculated. It gives what a database's cursor would give, and the same errors where a cell is read as something else.
 * Used by one thread.
 */
public final class CellReader {
    /** Up to here a power of ten is exact in binary64. */
    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };

    private static final long EXACT = 1L << 53;

    /** Of a reader of so few objects, none is kept. */
    private static final int FEW = 16;

    private final Column column;
    private final ColumnType type;
    private final String table;
    private final @Nullable CodeEncoding encoding;
    private final TextColumn.@Nullable Reader texts;
    private final @Nullable IntFunction<@Nullable Number> calculated;
    private final boolean hasNulls;
    private final long nullCode;

    /** The list of few texts that are kept as strings; null for none. */
    private final @Nullable Dictionary smallList;

    private final Utf8 view = new Utf8();
    private final Utf8 keyView = new Utf8();

    // Made when they are first needed: most readers read few cells, and of one kind.
    private @Nullable CodeFormatter numbers;
    private @Nullable KeyCodec keys;
    private @Nullable KeyBytes text;
    private byte[] slot = Buffers.NONE;
    private @Nullable RecentValues recent;

    /** The number of objects that were made of codes, as long as none is kept. */
    private int made;

    /**
     * @param cells the column
     * @param table its table's name, for messages
     */
    public CellReader(StoredColumn cells, String table) {
        this.table = table;
        column = cells.column();
        type = column.type();
        calculated = null;
        hasNulls = cells.hasNulls();
        smallList = smallList(cells);
        switch (cells) {
            case CodedColumn coded -> {
                encoding = coded.encoding();
                texts = null;
                nullCode = coded.nullCode();
            }
            case TextColumn stored -> {
                encoding = null;
                texts = stored.reader();
                nullCode = 0;
            }
        }
    }

    /**
     * @param column what the numbers are called
     * @param calculated a number for each cell, as {@code Long}, {@code Double} or {@code BigDecimal}; null for NULL
     */
    public CellReader(Column column, IntFunction<@Nullable Number> calculated) {
        this.column = column;
        this.calculated = calculated;
        type = column.type();
        table = "";
        encoding = null;
        texts = null;
        hasNulls = true;
        nullCode = 0;
        smallList = null;
    }

    private static @Nullable Dictionary smallList(StoredColumn cells) {
        return cells instanceof CodedColumn coded
                        && coded.column().type().isTextual()
                        && coded.encoding() instanceof CodeEncoding.Listed(Dictionary list)
                        && list.isSmall()
                ? list
                : null;
    }

    public boolean isNull(long cell) {
        if (!hasNulls || encoding != null) {
            return hasNulls && cell == nullCode;
        }
        return texts == null ? calculated(cell) == null : texts.isNull((int) cell);
    }

    /** Returns the number of a cell where they are calculated; null for NULL, and where they are not. */
    private @Nullable Number calculated(long cell) {
        return calculated == null ? null : calculated.apply((int) cell);
    }

    /**
     * Returns the key of a cell that is not NULL, where it has one: of texts the text itself, of bytes these. Valid
     * until the next call.
     */
    public Utf8 key(long cell) {
        if (texts != null) {
            return texts.key((int) cell);
        }
        if (encoding instanceof CodeEncoding.Listed(Dictionary dictionary)) {
            int length = dictionary.keys().length((int) cell);
            slot = Buffers.withRoom(slot, length);
            dictionary.keys().copy((int) cell, slot, 0);
            return keyView.set(slot, 0, length);
        }
        throw new IllegalStateException("column " + column.name() + " has no keys");
    }

    /** Returns the canonical text; null for NULL. Valid until the next call. */
    public @Nullable Utf8 text(long cell) {
        if (isNull(cell)) {
            return null;
        }
        return switch (encoding) {
            case null -> texts == null ? calculatedText(cell) : keyText(cell);
            case CodeEncoding.Listed _ -> keyText(cell);
            case CodeEncoding.Whole _, CodeEncoding.Scaled _, CodeEncoding.Floating _ ->
                    formatter(requireNonNull(encoding)).of(cell);
        };
    }

    /** Returns whether a cell has the same text as a cell of another reader, or both are NULL. */
    public boolean isSame(long cell, CellReader other, long otherCell) {
        if (isNull(cell) || other.isNull(otherCell)) {
            return isNull(cell) && other.isNull(otherCell);
        }
        CodeEncoding known = encoding;
        if (known != null
                && !(known instanceof CodeEncoding.Listed)
                && known.equals(other.encoding)) {
            return cell == otherCell;
        }
        boolean isBinary = type == ColumnType.BINARY && other.type == ColumnType.BINARY;
        Utf8 own = isBinary ? key(cell) : requireNonNull(text(cell));
        Utf8 its = isBinary ? other.key(otherCell) : requireNonNull(other.text(otherCell));
        return Arrays.equals(
                own.array(),
                own.offset(),
                own.offset() + own.length(),
                its.array(),
                its.offset(),
                its.offset() + its.length());
    }

    private CodeFormatter formatter(CodeEncoding of) {
        if (numbers == null) {
            numbers = new CodeFormatter(column, of);
        }
        return numbers;
    }

    private Utf8 calculatedText(long cell) {
        String number =
                calculated(cell) instanceof BigDecimal decimal
                        ? decimal.toPlainString()
                        : String.valueOf(calculated(cell));
        return view.set(number.getBytes(ISO_8859_1), 0, number.length());
    }

    private Utf8 keyText(long cell) {
        Utf8 key = key(cell);
        if (type.isTextual()) {
            return key;
        }
        if (keys == null || text == null) {
            keys = new KeyCodec();
            text = new KeyBytes();
        }
        int length = keys.decode(type, key.array(), key.length(), text);
        return view.set(text.array(), 0, length);
    }

    /** Returns the canonical text; null for NULL. */
    public @Nullable String getString(long cell) {
        Dictionary few = smallList;
        if (few != null) {
            return isNull(cell) ? null : few.text((int) cell);
        }
        Utf8 utf8 = text(cell);
        return utf8 == null ? null : utf8.toString();
    }

    private String string(long cell) {
        return requireNonNull(text(cell)).toString();
    }

    public boolean getBoolean(long cell) {
        require(ColumnType.BOOLEAN, "a boolean");
        return !isNull(cell)
                && (encoding instanceof CodeEncoding.Listed
                        ? string(cell).equals("true")
                        : cell != 0);
    }

    public int getInt(long cell) {
        require(ColumnType.INT, "an int");
        return (int) getLong(cell);
    }

    public long getLong(long cell) {
        if (type != ColumnType.INT && type != ColumnType.LONG) {
            throw mismatch("a long");
        }
        if (isNull(cell)) {
            return 0;
        }
        if (encoding instanceof CodeEncoding.Whole) {
            return cell;
        }
        Number number = calculated(cell);
        return number != null ? number.longValue() : Long.parseLong(string(cell));
    }

    public float getFloat(long cell) {
        requireNumber();
        if (isNull(cell)) {
            return 0;
        }
        if (encoding instanceof CodeEncoding.Floating && type == ColumnType.FLOAT) {
            return CodeFormatter.single(cell);
        }
        Number number = calculated(cell);
        return number != null ? number.floatValue() : Float.parseFloat(string(cell));
    }

    public double getDouble(long cell) {
        requireNumber();
        if (isNull(cell)) {
            return 0;
        }
        return switch (encoding) {
            case CodeEncoding.Whole _ -> cell;
            case CodeEncoding.Floating() ->
                    type == ColumnType.FLOAT
                            ? CodeFormatter.single(cell)
                            : CodeFormatter.binary64(cell);
            case CodeEncoding.Scaled(int scale)
                    when scale < POWERS.length && cell > -EXACT && cell < EXACT ->
                    cell / POWERS[scale];
            case null, default -> {
                Number number = calculated(cell);
                yield number != null
                        ? number.doubleValue()
                        : type == ColumnType.FLOAT
                                ? Float.parseFloat(string(cell))
                                : Double.parseDouble(string(cell));
            }
        };
    }

    private void requireNumber() {
        if (!type.isNumeric()) {
            throw mismatch("a number");
        }
    }

    public @Nullable BigDecimal getDecimal(long cell) {
        if (type != ColumnType.DECIMAL && type != ColumnType.INT && type != ColumnType.LONG) {
            throw mismatch("a decimal");
        }
        if (isNull(cell)) {
            return null;
        }
        if (encoding instanceof CodeEncoding.Scaled(int scale)) {
            return recent(cell) instanceof BigDecimal known
                    ? known
                    : kept(cell, BigDecimal.valueOf(cell, scale));
        }
        if (encoding instanceof CodeEncoding.Whole) {
            return BigDecimal.valueOf(cell);
        }
        if (calculated(cell) instanceof BigDecimal decimal) {
            return decimal;
        }
        try {
            return new BigDecimal(string(cell));
        } catch (NumberFormatException e) {
            throw unreadable("finite decimal", e);
        }
    }

    /** Returns the object that was made of a code before; null where it is not kept. */
    private @Nullable Object recent(long cell) {
        return recent == null ? null : recent.get(cell);
    }

    /** Keeps what was made of a code, once it is worth it. */
    private <T> T kept(long cell, T value) {
        if (recent != null) {
            recent.put(cell, value);
        } else if (++made == FEW) {
            recent = new RecentValues();
        }
        return value;
    }

    /** Returns the bytes, which are the caller's; null for NULL. */
    public byte @Nullable [] getBytes(long cell) {
        require(ColumnType.BINARY, "a BINARY");
        if (isNull(cell)) {
            return null;
        }
        Utf8 key = key(cell);
        return java.util.Arrays.copyOf(key.array(), key.length());
    }

    public @Nullable LocalDate getDate(long cell) {
        require(ColumnType.DATE, "a DATE");
        if (isNull(cell)) {
            return null;
        }
        if (recent(cell) instanceof LocalDate known) {
            return known;
        }
        return encoding instanceof CodeEncoding.Whole
                ? kept(cell, LocalDate.ofEpochDay(cell))
                : parsed(cell, LocalDate.MIN, LocalDate.MAX, LocalDate::parse);
    }

    public @Nullable LocalTime getTime(long cell) {
        require(ColumnType.TIME, "a TIME");
        if (isNull(cell)) {
            return null;
        }
        try {
            if (!(encoding instanceof CodeEncoding.Whole whole)) {
                return LocalTime.parse(string(cell));
            }
            long nanos = cell * whole.nanos();
            return nanos == TemporalCodec.SECONDS_A_DAY * TemporalCodec.NANOS
                    ? LocalTime.MAX
                    : LocalTime.ofNanoOfDay(nanos);
        } catch (DateTimeException e) {
            throw unreadable("time of day", e);
        }
    }

    public @Nullable LocalDateTime getTimestamp(long cell) {
        require(ColumnType.TIMESTAMP, "a TIMESTAMP");
        if (isNull(cell)) {
            return null;
        }
        if (recent(cell) instanceof LocalDateTime known) {
            return known;
        }
        return encoding instanceof CodeEncoding.Whole whole
                ? kept(
                        cell,
                        LocalDateTime.ofEpochSecond(
                                CodeFormatter.seconds(whole, cell),
                                CodeFormatter.nano(whole, cell),
                                ZoneOffset.UTC))
                : parsed(cell, LocalDateTime.MIN, LocalDateTime.MAX, LocalDateTime::parse);
    }

    public @Nullable Instant getInstant(long cell) {
        require(ColumnType.TIMESTAMP_UTC, "a TIMESTAMP_UTC");
        if (isNull(cell)) {
            return null;
        }
        if (recent(cell) instanceof Instant known) {
            return known;
        }
        return encoding instanceof CodeEncoding.Whole whole
                ? kept(
                        cell,
                        Instant.ofEpochSecond(
                                CodeFormatter.seconds(whole, cell),
                                CodeFormatter.nano(whole, cell)))
                : parsed(cell, Instant.MIN, Instant.MAX, Instant::parse);
    }

    /** Parses a text that may be one of the infinities. */
    private <T> T parsed(long cell, T least, T greatest, Function<String, T> parser) {
        try {
            return switch (string(cell)) {
                case "infinity" -> greatest;
                case "-infinity" -> least;
                case String text -> parser.apply(text);
            };
        } catch (DateTimeException e) {
            throw unreadable("date of the calendar", e);
        }
    }

    /** Returns the value as plans have it; null for NULL. */
    public @Nullable Object value(long cell) {
        if (isNull(cell)) {
            return null;
        }
        return switch (type) {
            case BOOLEAN -> getBoolean(cell);
            case INT -> getInt(cell);
            case LONG -> getLong(cell);
            case DECIMAL -> getDecimal(cell);
            case FLOAT -> getFloat(cell);
            case DOUBLE -> getDouble(cell);
            case TEXT, JSON, OTHER -> getString(cell);
            case DATE -> getDate(cell);
            case TIME -> getTime(cell);
            case TIMESTAMP -> getTimestamp(cell);
            case TIMESTAMP_UTC -> getInstant(cell);
            case BINARY -> getBytes(cell);
            case UUID -> UUID.fromString(string(cell));
        };
    }

    private void require(ColumnType wanted, String what) {
        if (type != wanted) {
            throw mismatch(what);
        }
    }

    private IllegalStateException mismatch(String wanted) {
        return new IllegalStateException(
                "column %s is %s and was read as %s".formatted(column.name(), type, wanted));
    }

    private QueryException unreadable(String what, RuntimeException cause) {
        return new QueryException(
                QueryException.Kind.DATABASE,
                "column %s of table %s holds a value that is no %s; read its text instead"
                        .formatted(column.name(), table, what),
                cause);
    }
}
