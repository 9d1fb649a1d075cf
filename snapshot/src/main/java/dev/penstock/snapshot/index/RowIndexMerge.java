package dev.penstock.snapshot.index;

import static java.util.Comparator.comparingLong;
import static java.util.Comparator.naturalOrder;

import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.memory.BinarySearch;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.work.Pace;
import java.util.stream.IntStream;

/**
 * The merge of the {@link RowIndex} of one version with the rows that have changed, which makes that of the next. Used
 * by one thread.
 */
final class RowIndexMerge {
    private final RowIndex before;

    /** The codes of the next version's rows. */
    private final Longs codes;

    /** The changed rows in the order of their codes, and those of one code in theirs. */
    private final int[] added;

    private final Longs target;
    private int nextAdded;
    private int size;

    private RowIndexMerge(RowIndex before, Longs codes, RowChanges changes, Memory memory) {
        this.before = before;
        this.codes = codes;
        added = sorted(codes, IntStream.range(0, changes.changed()).map(changes::place));
        target = Longs.allocateUnset(memory, codes.size(), 0, codes.size());
    }

    /**
     * Returns the index of a table's next version.
     *
     * @param before the index of this version
     * @param coding the codes of the next version's rows
     * @param difference what is between both
     */
    static RowIndex of(
            RowIndex before, OrderedCodes coding, VersionDifference difference, Memory memory) {
        Longs codes = coding.codes();
        RowChanges changes = difference.changes();
        RowIndexMerge merge = new RowIndexMerge(before, codes, changes, memory);
        if (changes.keepsNumbers()) {
            merge.takeRuns(changes);
        } else {
            merge.takeEach(difference.now());
        }
        merge.addRest();
        return new RowIndex(codes, merge.target);
    }

    private static int[] sorted(Longs codes, IntStream rows) {
        return rows.boxed()
                .sorted(
                        comparingLong((Integer row) -> codes.get(row))
                                .thenComparing(naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static boolean isBefore(Longs codes, int one, int other) {
        int compared = Long.compare(codes.get(one), codes.get(other));
        return compared < 0 || (compared == 0 && one < other);
    }

    /** Takes the rows one by one, by the numbers that they have now. */
    private void takeEach(Longs now) {
        for (int place = 0; place < before.size(); place++) {
            Pace.step(place);
            int row = (int) now.get(before.row(place));
            if (row >= 0) {
                while (nextAdded < added.length && isBefore(codes, added[nextAdded], row)) {
                    addNext();
                }
                target.set(size++, row);
            }
        }
    }

    /** Takes runs of rows between those that are gone, whose places are searched for. The others keep their numbers. */
    private void takeRuns(RowChanges changes) {
        int from = 0;
        for (int gone : placesOfDropped(changes)) {
            takeRun(from, gone);
            from = gone + 1;
        }
        takeRun(from, before.size());
    }

    private int[] placesOfDropped(RowChanges changes) {
        IntStream.Builder rows = IntStream.builder();
        changes.eachDropped(rows);
        return rows.build().map(this::placeBefore).sorted().toArray();
    }

    private int placeBefore(int row) {
        return (int)
                BinarySearch.first(
                        0,
                        before.size(),
                        place -> !isBefore(before.codes(), before.row((int) place), row));
    }

    /** Takes rows that are kept, and the changed ones that come before the last of them. */
    private void takeRun(int start, int end) {
        int from = start;
        while (from < end) {
            int to = nextAdded == added.length ? end : firstBehind(added[nextAdded], from, end);
            before.copyRows(from, target, size, to - from);
            size += to - from;
            from = to;
            if (from < end) {
                addNext();
            }
        }
    }

    private int firstBehind(int row, int from, int end) {
        return (int)
                BinarySearch.first(
                        from, end, place -> isBefore(codes, row, before.row((int) place)));
    }

    private void addNext() {
        target.set(size++, added[nextAdded++]);
    }

    private void addRest() {
        while (nextAdded < added.length) {
            addNext();
        }
    }
}
