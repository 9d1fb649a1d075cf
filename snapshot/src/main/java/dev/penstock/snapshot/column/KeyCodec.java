package dev.penstock.snapshot.column;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.ColumnType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The translation between the canonical text of a value and its key: bytes whose unsigned order is that of the values,
 * and from which the same text can be made again. Texts are their own keys, as UTF-8, whose order is by code point;
 * UUIDs are 16 bytes; numbers, dates and times begin with a byte for what they are, because databases have infinities,
 * NaN and days that are none among them. Values that are equal but not the same, such as 1.5 and 1.50, have keys that
 * begin with the same bytes. Not thread-safe.
 */
public final class KeyCodec {
    private static final int LOWEST = 0;
    private static final int NEGATIVE = 1;
    private static final int ZERO = 2;
    private static final int POSITIVE = 3;
    private static final int HIGHEST = 4;
    private static final int NAN = 5;
    private static final int UNKNOWN = 6;

    private static final byte[] INFINITY = "Infinity".getBytes(ISO_8859_1);
    private static final byte[] MINUS_INFINITY = "-Infinity".getBytes(ISO_8859_1);
    private static final byte[] NOT_A_NUMBER = "NaN".getBytes(ISO_8859_1);
    private static final byte[] FOREVER = "infinity".getBytes(ISO_8859_1);
    private static final byte[] MINUS_FOREVER = "-infinity".getBytes(ISO_8859_1);

    private final TemporalCodec temporals = new TemporalCodec();

    /** Writes the key of a value's canonical text. */
    public void encode(ColumnType type, byte[] text, int offset, int length, KeyBytes key) {
        key.clear();
        switch (type) {
            case TEXT, JSON, OTHER -> key.add(text, offset, length);
            case BINARY -> {
                byte[] base64 = java.util.Arrays.copyOfRange(text, offset, offset + length);
                byte[] bytes = Base64.getDecoder().decode(base64);
                key.add(bytes, 0, bytes.length);
            }
            case UUID -> uuid(UUID.fromString(ascii(text, offset, length)), key);
            case BOOLEAN -> key.add(text[offset] == 't' ? 1 : 0);
            case INT, LONG, DECIMAL -> decimal(text, offset, length, key);
            case FLOAT, DOUBLE -> floating(Double.parseDouble(ascii(text, offset, length)), key);
            case DATE, TIME, TIMESTAMP, TIMESTAMP_UTC -> temporal(type, text, offset, length, key);
        }
    }

    /** Writes the beginning that the keys of all values equal to this one have, and no other's. */
    public void encode(ColumnType type, Object value, KeyBytes key) {
        key.clear();
        switch (type) {
            case TEXT, JSON, OTHER -> {
                byte[] text = ((String) value).getBytes(UTF_8);
                key.add(text, 0, text.length);
            }
            case BINARY -> key.add((byte[]) value, 0, ((byte[]) value).length);
            case UUID -> uuid((UUID) value, key);
            case BOOLEAN -> key.add((boolean) value ? 1 : 0);
            case INT, LONG, DECIMAL -> {
                String text = ((BigDecimal) value).toPlainString();
                decimal(text.getBytes(ISO_8859_1), 0, text.length(), key);
                if (key.array()[0] != UNKNOWN) {
                    key.grow(-Integer.BYTES);
                }
            }
            case FLOAT, DOUBLE -> floating(((Number) value).doubleValue(), key);
            case DATE, TIME, TIMESTAMP, TIMESTAMP_UTC -> temporal(value, key);
        }
    }

    /** Returns whether equal values have keys that only begin with the same bytes. */
    public static boolean isPrefix(ColumnType type) {
        return type == ColumnType.DECIMAL || type == ColumnType.INT || type == ColumnType.LONG;
    }

    /** Returns how many bytes of a key the keys of all equal values begin with, and no other's. */
    static int commonLength(ColumnType type, byte[] key) {
        return isPrefix(type) && key[0] != UNKNOWN ? key.length - Integer.BYTES : key.length;
    }

    /** Writes a key's canonical text; gives its length. */
    int decode(ColumnType type, byte[] key, int length, KeyBytes text) {
        text.clear();
        switch (type) {
            case TEXT, JSON, OTHER -> text.add(key, 0, length);
            case BINARY -> {
                byte[] base64 = Base64.getEncoder().encode(java.util.Arrays.copyOf(key, length));
                text.add(base64, 0, base64.length);
            }
            case UUID -> uuidText(key, text);
            case BOOLEAN -> word(key[0] == 1 ? "true" : "false", text);
            case INT, LONG, DECIMAL -> decimalText(key, length, text);
            case FLOAT -> word(Float.toString((float) floating(key)), text);
            case DOUBLE -> word(Double.toString(floating(key)), text);
            case DATE, TIME, TIMESTAMP, TIMESTAMP_UTC -> temporalText(type, key, length, text);
        }
        return text.length();
    }

    private static String ascii(byte[] text, int offset, int length) {
        return new String(text, offset, length, ISO_8859_1);
    }

    private static void word(String word, KeyBytes text) {
        text.add(word.getBytes(ISO_8859_1), 0, word.length());
    }

    private static boolean is(byte[] text, int offset, int length, byte[] word) {
        return java.util.Arrays.equals(text, offset, offset + length, word, 0, word.length);
    }

    private static void uuid(UUID uuid, KeyBytes key) {
        // Unsigned, as its text is ordered.
        key.number(uuid.getMostSignificantBits() ^ Long.MIN_VALUE, Long.BYTES);
        key.number(uuid.getLeastSignificantBits() ^ Long.MIN_VALUE, Long.BYTES);
    }

    private static void uuidText(byte[] key, KeyBytes text) {
        HexFormat hex = HexFormat.of();
        for (int i = 0; i < 16; i++) {
            if (i == 4 || i == 6 || i == 8 || i == 10) {
                text.add('-');
            }
            text.add(hex.toHighHexDigit(key[i])).add(hex.toLowHexDigit(key[i]));
        }
    }

    private static void floating(double number, KeyBytes key) {
        key.number(sortable(Double.doubleToLongBits(number)), Long.BYTES);
    }

    private static double floating(byte[] key) {
        return Double.longBitsToDouble(sortable(KeyBytes.number(key, 0, Long.BYTES)));
    }

    /** Returns the bits of a double as a number in the order of {@link Double#compare}, and back. */
    public static long sortable(long bits) {
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }

    /** Returns the bits of a float as a number in the order of {@link Float#compare}, and back. */
    public static int sortable(int bits) {
        return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
    }

    /**
     * What it is; the place of its first digit; pairs of digits up to the last that is not 0, and an end; and the
     * digits after the point.
     */
    private static void decimal(byte[] text, int offset, int length, KeyBytes key) {
        if (is(text, offset, length, INFINITY)) {
            key.add(HIGHEST).number(0, Integer.BYTES);
            return;
        }
        if (is(text, offset, length, MINUS_INFINITY)) {
            key.add(LOWEST).number(0, Integer.BYTES);
            return;
        }
        if (is(text, offset, length, NOT_A_NUMBER)) {
            key.add(NAN).number(0, Integer.BYTES);
            return;
        }
        boolean negative = length > 0 && text[offset] == '-';
        int start = negative ? offset + 1 : offset;
        int end = offset + length;
        int point = end;
        for (int i = start; i < end; i++) {
            if (text[i] == '.' && point == end) {
                point = i;
            } else if (text[i] < '0' || text[i] > '9') {
                key.add(UNKNOWN).add(text, offset, length);
                return;
            }
        }
        digits(text, start, end, point, negative, key);
        key.number(point == end ? 0 : end - point - 1L, Integer.BYTES);
    }

    private static void digits(
            byte[] text, int start, int end, int point, boolean negative, KeyBytes key) {
        int first = start;
        while (first < end && (text[first] == '0' || text[first] == '.')) {
            first++;
        }
        if (first == end) {
            key.add(ZERO);
            return;
        }
        int last = end;
        while (text[last - 1] == '0' || text[last - 1] == '.') {
            last--;
        }
        int exponent = first < point ? point - first : point + 1 - first;
        key.add(negative ? NEGATIVE : POSITIVE);
        int from = key.length();
        key.number(exponent, Integer.BYTES);
        int pair = -1;
        for (int i = first; i < last; i++) {
            if (text[i] == '.') {
                continue;
            }
            int digit = text[i] - '0';
            if (pair < 0) {
                pair = digit * 10;
            } else {
                key.add(pair + digit + 1);
                pair = -1;
            }
        }
        if (pair >= 0) {
            key.add(pair + 1);
        }
        key.add(0);
        for (int i = from; negative && i < key.length(); i++) {
            key.array()[i] = (byte) ~key.array()[i];
        }
    }

    private static void decimalText(byte[] key, int length, KeyBytes text) {
        switch (key[0]) {
            case LOWEST -> text.add(MINUS_INFINITY, 0, MINUS_INFINITY.length);
            case HIGHEST -> text.add(INFINITY, 0, INFINITY.length);
            case NAN -> text.add(NOT_A_NUMBER, 0, NOT_A_NUMBER.length);
            case UNKNOWN -> text.add(key, 1, length - 1);
            default -> {
                int scale = (int) KeyBytes.number(key, length - Integer.BYTES, Integer.BYTES);
                digitsText(key, length - Integer.BYTES, scale, text);
            }
        }
    }

    private static void digitsText(byte[] key, int end, int scale, KeyBytes text) {
        boolean negative = key[0] == NEGATIVE;
        int flip = negative ? 0xFF : 0;
        byte[] digits = new byte[2 * end];
        int count = 0;
        long exponent = 1;
        if (key[0] != ZERO) {
            long stored = KeyBytes.number(key, 1, Integer.BYTES);
            exponent = negative ? ~stored : stored;
            // The last byte is the end.
            for (int i = 1 + Integer.BYTES; i < end - 1; i++) {
                int pair = (Byte.toUnsignedInt(key[i]) ^ flip) - 1;
                digits[count++] = (byte) (pair / 10);
                digits[count++] = (byte) (pair % 10);
            }
        }
        if (negative) {
            text.add('-');
        }
        if (exponent <= 0) {
            text.add('0');
        }
        for (long place = 0; place < exponent; place++) {
            text.add('0' + (place < count ? digits[(int) place] : 0));
        }
        if (scale > 0) {
            text.add('.');
        }
        for (long place = exponent; place < exponent + scale; place++) {
            boolean has = place >= 0 && place < count;
            text.add('0' + (has ? digits[(int) place] : 0));
        }
    }

    /** What it is; then year, month and day; then nanoseconds. */
    private void temporal(ColumnType type, byte[] text, int offset, int length, KeyBytes key) {
        if (is(text, offset, length, FOREVER)) {
            key.add(HIGHEST);
        } else if (is(text, offset, length, MINUS_FOREVER)) {
            key.add(LOWEST);
        } else if (type == ColumnType.DATE && temporals.date(text, offset, length)) {
            date(temporals.year, temporals.month, temporals.day, key);
        } else if (type == ColumnType.TIME && temporals.time(text, offset, length)) {
            key.add(ZERO).number(temporals.nanos, Long.BYTES);
        } else if ((type == ColumnType.TIMESTAMP || type == ColumnType.TIMESTAMP_UTC)
                && temporals.timestamp(text, offset, length, type == ColumnType.TIMESTAMP_UTC)) {
            date(temporals.year, temporals.month, temporals.day, key);
            key.number(temporals.nanos, Long.BYTES);
        } else {
            key.add(UNKNOWN).add(text, offset, length);
        }
    }

    private static void date(long year, int month, int day, KeyBytes key) {
        key.add(ZERO).number(year, Integer.BYTES).add(month).add(day);
    }

    private static void temporal(Object value, KeyBytes key) {
        switch (value) {
            case LocalDate date when date.equals(LocalDate.MAX) -> key.add(HIGHEST);
            case LocalDate date when date.equals(LocalDate.MIN) -> key.add(LOWEST);
            case LocalDate date ->
                    date(date.getYear(), date.getMonthValue(), date.getDayOfMonth(), key);
            case LocalTime time -> key.add(ZERO).number(time.toNanoOfDay(), Long.BYTES);
            case LocalDateTime time when time.equals(LocalDateTime.MAX) -> key.add(HIGHEST);
            case LocalDateTime time when time.equals(LocalDateTime.MIN) -> key.add(LOWEST);
            case LocalDateTime time -> {
                date(time.getYear(), time.getMonthValue(), time.getDayOfMonth(), key);
                key.number(time.toLocalTime().toNanoOfDay(), Long.BYTES);
            }
            case Instant instant when instant.equals(Instant.MAX) -> key.add(HIGHEST);
            case Instant instant when instant.equals(Instant.MIN) -> key.add(LOWEST);
            case Instant instant -> {
                // An instant may be a year before and after what a local time may be.
                boolean early = instant.isBefore(LocalDateTime.MIN.toInstant(ZoneOffset.UTC));
                boolean late = instant.isAfter(LocalDateTime.MAX.toInstant(ZoneOffset.UTC));
                if (early) {
                    key.add(LOWEST).add(0);
                } else if (late) {
                    key.add(ZERO).add(0xFF);
                } else {
                    temporal(LocalDateTime.ofInstant(instant, ZoneOffset.UTC), key);
                }
            }
            default ->
                    throw new IllegalArgumentException(
                            value.getClass().getSimpleName() + " is no date or time");
        }
    }

    private static void temporalText(ColumnType type, byte[] key, int length, KeyBytes text) {
        switch (key[0]) {
            case LOWEST -> text.add(MINUS_FOREVER, 0, MINUS_FOREVER.length);
            case HIGHEST -> text.add(FOREVER, 0, FOREVER.length);
            case ZERO -> {
                int at = text.reservation(64);
                byte[] to = text.array();
                if (type == ColumnType.TIME) {
                    text.grow(TemporalCodec.writeTime(KeyBytes.number(key, 1, Long.BYTES), to, at));
                    return;
                }
                long year = KeyBytes.number(key, 1, Integer.BYTES);
                int written = TemporalCodec.writeDate(year, key[5], key[6], to, at);
                if (type != ColumnType.DATE) {
                    to[at + written++] = 'T';
                    long nanos = KeyBytes.number(key, 7, Long.BYTES);
                    written += TemporalCodec.writeTime(nanos, to, at + written);
                }
                if (type == ColumnType.TIMESTAMP_UTC) {
                    to[at + written++] = 'Z';
                }
                text.grow(written);
            }
            default -> text.add(key, 1, length - 1);
        }
    }
}
