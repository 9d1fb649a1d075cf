package dev.penstock.follow.binlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A watched table as the log describes it before its row events.
 *
 * @param table which
 * @param formats of the cells of each column
 */
record MappedTable(WatchedTable table, List<CellFormat> formats) {
    MappedTable {
        formats = List.copyOf(formats);
    }

    /** The names at the beginning of a description. */
    record Name(String schema, String table) {
        static Name read(ByteBuffer event) {
            event.getShort(); // flags
            return new Name(name(event), name(event));
        }

        /** Reads a name between its length and a zero. */
        private static String name(ByteBuffer event) {
            byte[] bytes = new byte[event.get() & 0xFF];
            event.get(bytes);
            event.get();
            return new String(bytes, UTF_8);
        }
    }

    /**
     * Reads a description after its names.
     *
     * @return null if the cells can't be told from each other, or columns are missing
     */
    static @Nullable MappedTable read(WatchedTable table, ByteBuffer event) {
        int count = packed(event);
        byte[] types = new byte[count];
        event.get(types);
        byte[] metadata = new byte[packed(event)];
        event.get(metadata);
        ByteBuffer rest = ByteBuffer.wrap(metadata).order(ByteOrder.LITTLE_ENDIAN);
        List<CellFormat> formats = new ArrayList<>();
        for (byte type : types) {
            CellFormat format = CellFormat.read(type & 0xFF, rest);
            if (format == null) {
                return null;
            }
            formats.add(format);
        }
        return table.columns() == 0 || count < table.columns()
                ? null
                : new MappedTable(table, formats);
    }

    /** Reads a number of which the first byte says how long it is. */
    static int packed(ByteBuffer event) {
        int first = event.get() & 0xFF;
        return switch (first) {
            case 252 -> event.getShort() & 0xFFFF;
            case 253 -> (event.getShort() & 0xFFFF) | (event.get() & 0xFF) << 16;
            case 254 -> Math.toIntExact(event.getLong());
            default -> first;
        };
    }

    /** A kind of row events. */
    enum Kind {
        INSERT,
        UPDATE,
        DELETE
    }

    /** A receiver of rows that were changed. */
    interface Receiver {
        /**
         * Receives a row.
         *
         * @param before as it was; null if it is new
         * @param after as it is; null if it is gone
         */
        void row(WatchedTable table, @Nullable RowImage before, @Nullable RowImage after);
    }

    /** Reads a row event after its flags. */
    void rows(Kind kind, ByteBuffer event, Receiver receiver) {
        int count = packed(event);
        if (count != formats.size()) {
            throw new IllegalStateException(
                    "a row event of table %s has %d columns, and its description %d"
                            .formatted(table.name(), count, formats.size()));
        }
        BitSet read = new BitSet(count);
        table.readColumns().forEach(read::set);
        BitSet first = bits(event, count);
        BitSet second = kind == Kind.UPDATE ? bits(event, count) : first;
        while (event.hasRemaining()) {
            RowImage image = image(event, first, read);
            switch (kind) {
                case INSERT -> receiver.row(table, null, image);
                case DELETE -> receiver.row(table, image, null);
                case UPDATE -> receiver.row(table, image, image(event, second, read));
            }
        }
    }

    private static BitSet bits(ByteBuffer event, int count) {
        byte[] bytes = new byte[(count + 7) / 8];
        event.get(bytes);
        BitSet bits = BitSet.valueOf(bytes);
        bits.clear(count, Math.max(count, bits.length()));
        return bits;
    }

    private RowImage image(ByteBuffer event, BitSet present, BitSet read) {
        BitSet nulls = bits(event, present.cardinality());
        byte[][] cells = new byte[formats.size()][];
        int place = 0;
        for (int i = present.nextSetBit(0); i >= 0; i = present.nextSetBit(i + 1)) {
            if (nulls.get(place++)) {
                cells[i] = RowImage.NULL;
            } else if (read.get(i)) {
                cells[i] = formats.get(i).cell(event);
            } else {
                formats.get(i).skip(event);
            }
        }
        return new RowImage(this, cells);
    }
}
