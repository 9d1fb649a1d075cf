package dev.penstock.snapshot.execute;

import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.memory.HeapReservation;
import dev.penstock.snapshot.rows.RowBlock;
import dev.penstock.snapshot.rows.RowSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A collector of the different codes that a column has in some rows: a list as long as that is shorter than a bit for
 * each code that the column may have, then these bits. The list loses what came again whenever it is full, and is
 * never longer than four times what is different. Used by one thread.
 */
final class CodeCollector {
    /** The most bits that a set of bits numbers. */
    private static final long MOST_BITS = Integer.MAX_VALUE - 64;

    private static final int FIRST = 64;

    /** What making ranges of a listed code takes meanwhile: it is copied, sorted, and joined. */
    private static final int LISTED_BYTES = 6 * Long.BYTES;

    private static final int RANGE_BYTES = 2 * Long.BYTES;

    private final HeapReservation heap;
    private final long least;

    /** How many words the bits take; none where there are too many. */
    private final int words;

    private long[] list;
    private int listed;
    private long @Nullable [] bits;

    private CodeCollector(CodeRange all, HeapReservation heap) {
        this.heap = heap;
        least = all.least();
        long distance = all.greatest() - least;
        words = distance >= 0 && distance < MOST_BITS ? (int) (distance >>> 6) + 1 : 0;
        list = heap.grown(new long[0], FIRST);
    }

    /** Returns the codes of the rows, without that of NULL. */
    static CodeRanges codes(CodedColumn column, RowSource source, HeapReservation heap) {
        CodeRange all = column.values();
        if (all.isEmpty()) {
            return CodeRanges.NONE;
        }
        CodeCollector collector = new CodeCollector(all, heap);
        RowBlock.each(
                source,
                (rows, count) -> {
                    for (int i = 0; i < count; i++) {
                        if (!column.isNull(rows[i])) {
                            collector.add(column.cell(rows[i]));
                        }
                    }
                });
        return collector.ranges();
    }

    private void add(long code) {
        long[] marks = bits;
        if (marks == null && listed == list.length) {
            marks = grown();
        }
        if (marks == null) {
            list[listed++] = code;
        } else {
            mark(marks, code);
        }
    }

    /**
     * Makes room for more: of what is listed each code is kept once, and the list grows where that is most of it, or
     * becomes bits where these take less.
     *
     * @return the bits; null while there are none
     */
    private long @Nullable [] grown() {
        keepOnce();
        if (2L * listed <= list.length) {
            return null;
        }
        if (words == 0 || listed < words) {
            list = heap.grown(list, 2L * list.length);
            return null;
        }
        heap.take((long) words * Long.BYTES);
        long[] marks = new long[words];
        for (int i = 0; i < listed; i++) {
            mark(marks, list[i]);
        }
        bits = marks;
        heap.giveBack((long) list.length * Long.BYTES);
        list = new long[0];
        return marks;
    }

    /** Sorts the list, and drops what came again. */
    private void keepOnce() {
        // Sorting may copy.
        long copied = (long) listed * Long.BYTES;
        heap.take(copied);
        Arrays.sort(list, 0, listed);
        heap.giveBack(copied);
        int kept = 0;
        for (int i = 0; i < listed; i++) {
            if (kept == 0 || list[i] != list[kept - 1]) {
                list[kept++] = list[i];
            }
        }
        listed = kept;
    }

    private void mark(long[] marks, long code) {
        long at = code - least;
        marks[(int) (at >>> 6)] |= 1L << at;
    }

    /** Returns the ranges. What they take while they are made is counted before, and what they keep after that. */
    private CodeRanges ranges() {
        long[] marks = bits;
        CodeRanges ranges;
        long made;
        if (marks == null) {
            keepOnce();
            made = (long) listed * LISTED_BYTES;
            heap.take(made);
            ranges = CodeRanges.of(Arrays.copyOf(list, listed));
            made += (long) list.length * Long.BYTES;
        } else {
            int count = CodeRanges.count(marks);
            // The bits are copied, and are perhaps kept once more.
            made = (long) count * RANGE_BYTES + 2L * words * Long.BYTES;
            heap.take(made);
            ranges = CodeRanges.ofBits(least, marks, count);
            made += (long) words * Long.BYTES;
        }
        heap.giveBack(made - ranges.bytes());
        return ranges;
    }
}
