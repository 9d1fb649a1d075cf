package dev.penstock.snapshot.file;

import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.column.Tokens;
import dev.penstock.snapshot.index.CumulativeCounts;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.index.StoredComposite;
import dev.penstock.snapshot.index.StoredIndexes;
import dev.penstock.snapshot.memory.ByteStrings;
import dev.penstock.snapshot.memory.Longs;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A writer of tables: their numbers and bytes to the file, and where these lie to its directory, from where a {@link
 * TableReader} reads them in the same order.
 *
 * @param directory to which it writes what it has written
 * @param segments to which it writes the rest
 */
record TableWriter(DataOutputStream directory, SegmentWriter segments) {
    /** The form of a column of codes. */
    static final int CODED = 1;

    /** The form of a column of texts that are kept by themselves. */
    static final int TEXTS = 2;

    // Encodings of codes.
    static final int WHOLE = 1;
    static final int SCALED = 2;
    static final int FLOATING = 3;
    static final int LISTED = 4;

    void write(IndexedTable table) throws IOException {
        directory.writeInt(table.rows());
        directory.writeInt(table.columns().size());
        for (IndexedColumn column : table.columns()) {
            switch (column.stored()) {
                case CodedColumn coded -> write(coded);
                case TextColumn texts -> write(texts);
            }
            write(column.storedIndexes());
        }
        List<StoredComposite> composites = table.storedComposites();
        directory.writeInt(composites.size());
        for (StoredComposite each : composites) {
            write(each);
        }
    }

    private void write(StoredComposite index) throws IOException {
        directory.writeInt(index.columns().size());
        for (int i = 0; i < index.columns().size(); i++) {
            directory.writeInt(index.columns().get(i));
            write(index.codes().get(i));
        }
        write(index.weights());
    }

    private void write(CodedColumn column) throws IOException {
        directory.writeByte(CODED);
        write(column.codes());
        directory.writeLong(column.values().least());
        directory.writeLong(column.values().greatest());
        directory.writeInt(column.nulls());
        switch (column.encoding()) {
            case CodeEncoding.Whole(int digits) -> encoding(WHOLE, digits);
            case CodeEncoding.Scaled(int scale) -> encoding(SCALED, scale);
            case CodeEncoding.Floating() -> encoding(FLOATING, 0);
            case CodeEncoding.Listed(var values) -> {
                encoding(LISTED, 0);
                write(values.keys());
            }
        }
    }

    private void encoding(int kind, int digits) throws IOException {
        directory.writeByte(kind);
        directory.writeInt(digits);
    }

    private void write(TextColumn column) throws IOException {
        directory.writeByte(TEXTS);
        write(column.strings());
        write(column.isNull());
        directory.writeInt(column.nulls());
        Tokens tokens = column.tokens();
        directory.writeBoolean(tokens != null);
        if (tokens != null) {
            write(tokens.bytes());
            write(tokens.lengths());
            directory.writeInt(tokens.size());
        }
    }

    private void write(StoredIndexes indexes) throws IOException {
        directory.writeByte(indexes.texts().size());
        for (Longs each : indexes.texts()) {
            write(each);
        }
        CumulativeCounts counts = indexes.counts();
        directory.writeBoolean(counts != null);
        if (counts != null) {
            directory.writeLong(counts.base());
            write(counts.below());
        }
        Longs order = indexes.order();
        directory.writeBoolean(order != null);
        if (order != null) {
            write(order);
        }
    }

    private void write(ByteStrings strings) throws IOException {
        write(strings.bytes());
        write(strings.blocks());
        write(strings.within());
        directory.writeInt(strings.size());
    }

    private void write(Longs numbers) throws IOException {
        write(numbers.segment());
        directory.writeByte(numbers.width());
        directory.writeLong(numbers.base());
        directory.writeInt(numbers.size());
    }

    private void write(MemorySegment segment) throws IOException {
        directory.writeLong(segments.write(segment));
        directory.writeLong(segment.byteSize());
    }
}
