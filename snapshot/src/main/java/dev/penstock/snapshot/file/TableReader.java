package dev.penstock.snapshot.file;

import dev.penstock.query.Column;
import dev.penstock.query.Table;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.Dictionary;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.column.Tokens;
import dev.penstock.snapshot.index.CumulativeCounts;
import dev.penstock.snapshot.index.StoredComposite;
import dev.penstock.snapshot.index.StoredIndexes;
import dev.penstock.snapshot.memory.ByteStrings;
import dev.penstock.snapshot.memory.Longs;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A reader of what a {@link TableWriter} has written. Tables stay in the file, and are read from there when they are
 * used.
 *
 * @param directory from which it reads where they lie
 * @param segments the data
 */
record TableReader(DataInputStream directory, MappedSegments segments) {
    /**
     * Reads a table.
     *
     * @param table what it is in the schema, whose fingerprint is that of the file's
     */
    VersionFile.StoredPart read(Table table) throws IOException, RefusedFileException {
        int rows = directory.readInt();
        int count = directory.readInt();
        if (count != table.columns().size()) {
            throw new RefusedFileException(
                    "is damaged: table %s has %d columns".formatted(table.name(), count));
        }
        List<StoredColumn> columns = new ArrayList<>();
        List<StoredIndexes> indexes = new ArrayList<>();
        for (Column column : table.columns()) {
            int form = directory.readByte();
            columns.add(
                    switch (form) {
                        case TableWriter.CODED -> coded(column, rows);
                        case TableWriter.TEXTS -> texts(column, rows);
                        default -> throw unknown("a column", form);
                    });
            indexes.add(indexes(rows));
        }
        List<StoredComposite> composites = new ArrayList<>();
        int several = directory.readInt();
        for (int left = require(several >= 0, several); left > 0; left--) {
            composites.add(composite(columns, rows));
        }
        return new VersionFile.StoredPart(
                new StoredTable(table, columns, rows), indexes, composites);
    }

    private StoredComposite composite(List<StoredColumn> of, int rows)
            throws IOException, RefusedFileException {
        int count = directory.readInt();
        List<Integer> places = new ArrayList<>();
        List<Longs> codes = new ArrayList<>();
        int last = -1;
        for (int i = 0; i < count; i++) {
            int place = directory.readInt();
            last = require(place > last && place < of.size(), place);
            Longs own = longs();
            boolean fits =
                    of.get(place) instanceof CodedColumn(_, Longs all, _, _, _)
                            && all.base() == own.base();
            places.add(place);
            codes.add(require(fits, own));
        }
        Longs weights = longs();
        boolean agree = codes.stream().allMatch(each -> each.size() == weights.size());
        return require(
                count > 0 && agree && weights.size() <= rows,
                new StoredComposite(places, codes, weights));
    }

    private static RefusedFileException unknown(String what, int form) {
        return new RefusedFileException("is damaged: %s of form %d".formatted(what, form));
    }

    private static <T> T require(boolean holds, T value) throws RefusedFileException {
        if (!holds) {
            throw new RefusedFileException("is damaged: its directory does not agree with itself");
        }
        return value;
    }

    private CodedColumn coded(Column column, int rows) throws IOException, RefusedFileException {
        Longs codes = longs(rows);
        CodeRange values = new CodeRange(directory.readLong(), directory.readLong());
        int nulls = directory.readInt();
        return new CodedColumn(column, codes, values, nulls, encoding());
    }

    private CodeEncoding encoding() throws IOException, RefusedFileException {
        int kind = directory.readByte();
        int digits = directory.readInt();
        return switch (kind) {
            case TableWriter.WHOLE ->
                    require(digits >= 0 && digits <= 9, new CodeEncoding.Whole(digits));
            case TableWriter.SCALED -> new CodeEncoding.Scaled(digits);
            case TableWriter.FLOATING -> new CodeEncoding.Floating();
            case TableWriter.LISTED -> new CodeEncoding.Listed(new Dictionary(strings()));
            default -> throw unknown("an encoding", kind);
        };
    }

    private TextColumn texts(Column column, int rows) throws IOException, RefusedFileException {
        ByteStrings strings = strings();
        Longs isNull = longs(rows);
        int nulls = directory.readInt();
        Tokens tokens =
                directory.readBoolean()
                        ? new Tokens(segment(), segment(), directory.readInt())
                        : null;
        return new TextColumn(column, strings, tokens, isNull, nulls);
    }

    private StoredIndexes indexes(int rows) throws IOException, RefusedFileException {
        List<Longs> texts = new ArrayList<>();
        int count = directory.readByte();
        if (require(count == 0 || count == 3, count) > 0) {
            texts.add(longs(rows));
            texts.add(longs());
            texts.add(longs());
        }
        CumulativeCounts counts =
                directory.readBoolean()
                        ? new CumulativeCounts(directory.readLong(), longs())
                        : null;
        Longs order = directory.readBoolean() ? longs(rows) : null;
        return new StoredIndexes(texts, counts, order);
    }

    private ByteStrings strings() throws IOException, RefusedFileException {
        ByteStrings strings = new ByteStrings(segment(), longs(), longs(), directory.readInt());
        int size = strings.size();
        return require(
                size >= 0
                        && strings.within().size() == size + 1
                        && strings.blocks().size() == (size >>> ByteStrings.BLOCK_BITS) + 1,
                strings);
    }

    private Longs longs(int size) throws IOException, RefusedFileException {
        Longs numbers = longs();
        return require(numbers.size() == size, numbers);
    }

    private Longs longs() throws IOException, RefusedFileException {
        MemorySegment segment = segment();
        int width = directory.readByte();
        Longs numbers = new Longs(segment, width, directory.readLong(), directory.readInt());
        return require(
                numbers.size() >= 0 && width >= 0 && width <= 8 && Integer.bitCount(width) <= 1,
                numbers);
    }

    private MemorySegment segment() throws IOException, RefusedFileException {
        return segments.segment(directory.readLong(), directory.readLong());
    }
}
