package dev.penstock.snapshot.column;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Utf8;

/** A writer of the canonical text of codes that are numbers by themselves. Used by one thread. */
public final class CodeFormatter {
    private static final byte[] TRUE = "true".getBytes(ISO_8859_1);
    private static final byte[] FALSE = "false".getBytes(ISO_8859_1);

    /** More than any number or time takes. */
    private static final int SLOT = 64;

    private final ColumnType type;
    private final CodeEncoding encoding;
    private final Utf8 view = new Utf8();
    private final byte[] slot = new byte[SLOT];

    public CodeFormatter(Column column, CodeEncoding encoding) {
        type = column.type();
        this.encoding = encoding;
    }

    /** Returns the text of a code that is not NULL's; valid until the next call. */
    public Utf8 of(long code) {
        return switch (encoding) {
            case CodeEncoding.Whole whole -> whole(whole, code);
            case CodeEncoding.Scaled(int scale) ->
                    view.set(slot, 0, DecimalCodec.write(code, scale, slot, 0));
            case CodeEncoding.Floating() -> {
                String number =
                        type == ColumnType.FLOAT
                                ? Float.toString(single(code))
                                : Double.toString(binary64(code));
                yield view.set(number.getBytes(ISO_8859_1), 0, number.length());
            }
            case CodeEncoding.Listed _ ->
                    throw new IllegalStateException("the code of a listed value is no number");
        };
    }

    private Utf8 whole(CodeEncoding.Whole whole, long code) {
        return switch (type) {
            case BOOLEAN -> {
                byte[] word = code != 0 ? TRUE : FALSE;
                yield view.set(word, 0, word.length);
            }
            case DATE -> view.set(slot, 0, TemporalCodec.writeDate(code, slot, 0));
            case TIME -> view.set(slot, 0, TemporalCodec.writeTime(code * whole.nanos(), slot, 0));
            case TIMESTAMP, TIMESTAMP_UTC -> {
                boolean utc = type == ColumnType.TIMESTAMP_UTC;
                int length =
                        TemporalCodec.writeTimestamp(
                                seconds(whole, code), nano(whole, code), utc, slot, 0);
                yield view.set(slot, 0, length);
            }
            case INT, LONG, DECIMAL, FLOAT, DOUBLE, TEXT, BINARY, UUID, JSON, OTHER ->
                    view.set(slot, 0, DecimalCodec.write(code, slot, 0));
        };
    }

    static long seconds(CodeEncoding.Whole whole, long code) {
        return Math.floorDiv(code, whole.units());
    }

    static int nano(CodeEncoding.Whole whole, long code) {
        return (int) Math.floorMod(code, whole.units()) * whole.nanos();
    }

    static float single(long code) {
        return Float.intBitsToFloat(KeyCodec.sortable((int) code));
    }

    static double binary64(long code) {
        return Double.longBitsToDouble(KeyCodec.sortable(code));
    }
}
