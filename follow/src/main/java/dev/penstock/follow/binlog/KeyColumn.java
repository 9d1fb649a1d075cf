package dev.penstock.follow.binlog;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column of a key, and how its cells in the log become the values that a predicate takes.
 *
 * @param index its place among the table's columns, from 0
 * @param dataType the database's name of its type, without a length
 * @param type what it holds
 * @param unsigned whether its numbers are never negative
 * @param charset of its texts; null if it has none, or one that Java reads in another way than the server
 * @param labels of an enum
 */
record KeyColumn(
        int index,
        String dataType,
        ColumnType type,
        boolean unsigned,
        @Nullable Charset charset,
        List<String> labels) {

    /**
     * Returns the column, or null if values of its type can't be said exactly in a predicate, or not be read from the
     * log.
     *
     * @param swapsUuids whether the server writes UUIDs as {@link UuidBytes} has it
     */
    static @Nullable KeyColumn of(
            Column column,
            int index,
            String dataType,
            String columnType,
            @Nullable String charset,
            boolean swapsUuids) {
        Charset known = charset == null ? null : charset(charset);
        boolean sayable =
                switch (column.type()) {
                    case BOOLEAN, INT, LONG, DECIMAL, DATE, TIME, TIMESTAMP, TIMESTAMP_UTC -> true;
                    case UUID -> swapsUuids && columnType.equals("uuid");
                    case TEXT ->
                            dataType.equals("enum")
                                    ? !column.nativeType().labels().isEmpty()
                                    : known != null
                                            && (dataType.equals("char")
                                                    || dataType.equals("varchar"));
                    case FLOAT, DOUBLE, BINARY, JSON, OTHER -> false;
                };
        return sayable
                ? new KeyColumn(
                        index,
                        dataType,
                        column.type(),
                        columnType.contains("unsigned"),
                        known,
                        column.nativeType().labels())
                : null;
    }

    private static @Nullable Charset charset(String name) {
        return switch (name) {
            case "utf8mb4", "utf8mb3", "utf8" -> UTF_8;
            case "ascii" -> US_ASCII;
            case "latin1" -> Charset.forName("windows-1252");
            case "ucs2", "utf16" -> UTF_16BE;
            case "utf16le" -> UTF_16LE;
            case "utf32" -> Charset.forName("UTF-32BE");
            default -> null;
        };
    }

    /** Returns the value of a cell, or null if no predicate has it, as a day that is none. */
    @Nullable Object value(CellFormat format, byte[] cell) {
        return switch (format.type()) {
            case CellFormat.TINY,
                    CellFormat.SHORT,
                    CellFormat.INT24,
                    CellFormat.LONG,
                    CellFormat.LONGLONG ->
                    number(littleEndian(cell));
            case CellFormat.YEAR -> number(cell[0] == 0 ? 0 : 1900 + (cell[0] & 0xFF));
            case CellFormat.BIT -> bits(cell);
            case CellFormat.NEWDECIMAL ->
                    type == ColumnType.DECIMAL ? DecimalBytes.value(format.meta(), cell) : null;
            case CellFormat.ENUM -> label((int) unsigned(littleEndian(cell), cell.length));
            case CellFormat.VARCHAR, CellFormat.VAR_STRING -> text(cell);
            case CellFormat.STRING -> type == ColumnType.UUID ? UuidBytes.value(cell) : text(cell);
            case CellFormat.DATE, CellFormat.NEWDATE ->
                    type == ColumnType.DATE ? TimeBytes.date(cell) : null;
            case CellFormat.TIME2 ->
                    type == ColumnType.TIME ? TimeBytes.time(format.meta(), cell) : null;
            case CellFormat.DATETIME2 ->
                    type == ColumnType.TIMESTAMP ? TimeBytes.dateTime(format.meta(), cell) : null;
            case CellFormat.TIMESTAMP2 ->
                    type == ColumnType.TIMESTAMP_UTC
                            ? TimeBytes.instant(format.meta(), cell)
                            : null;
            default -> null;
        };
    }

    /** Returns a whole number, of which the highest bit of the cell is the sign. */
    private static long littleEndian(byte[] cell) {
        long number = cell[cell.length - 1];
        for (int i = cell.length - 2; i >= 0; i--) {
            number = number << 8 | (cell[i] & 0xFF);
        }
        return number;
    }

    private static long unsigned(long number, int bytes) {
        return bytes == 8 ? number : number & ((1L << (8 * bytes)) - 1);
    }

    private @Nullable Object number(long signed) {
        return switch (type) {
            case BOOLEAN -> truth(signed);
            case INT -> {
                long number = unsigned ? unsigned(signed, dataTypeBytes()) : signed;
                yield (int) number == number ? (Object) (int) number : null;
            }
            case LONG -> unsigned ? unsigned(signed, dataTypeBytes()) : (Object) signed;
            case DECIMAL ->
                    unsigned
                            ? new BigDecimal(Long.toUnsignedString(signed))
                            : BigDecimal.valueOf(signed);
            case FLOAT,
                    DOUBLE,
                    TEXT,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_UTC,
                    BINARY,
                    UUID,
                    JSON,
                    OTHER ->
                    null;
        };
    }

    private int dataTypeBytes() {
        return switch (dataType) {
            case "tinyint" -> 1;
            case "smallint" -> 2;
            case "mediumint" -> 3;
            case "int" -> 4;
            default -> 8;
        };
    }

    /** Any other number than 0 is true too, but not the only such key. */
    private static @Nullable Object truth(long number) {
        return number == 0 ? Boolean.FALSE : number == 1 ? Boolean.TRUE : null;
    }

    private @Nullable Object bits(byte[] cell) {
        BigInteger number = new BigInteger(1, cell);
        return switch (type) {
            case BOOLEAN -> truth(number.longValue());
            case LONG -> number.longValue();
            case DECIMAL -> new BigDecimal(number);
            case INT,
                    FLOAT,
                    DOUBLE,
                    TEXT,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_UTC,
                    BINARY,
                    UUID,
                    JSON,
                    OTHER ->
                    null;
        };
    }

    /** A value that was none when it was stored is the empty text with the number 0. */
    private @Nullable Object label(int place) {
        if (place > labels.size()) {
            return null;
        }
        return place == 0 ? "" : labels.get(place - 1);
    }

    private @Nullable Object text(byte[] cell) {
        if (charset == null || type != ColumnType.TEXT) {
            return null;
        }
        try {
            String text =
                    charset.newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT)
                            .decode(ByteBuffer.wrap(cell))
                            .toString();
            return dataType.equals("char") ? withoutPadding(text) : text;
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static String withoutPadding(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return text.substring(0, end);
    }
}
