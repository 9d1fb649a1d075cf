package dev.penstock.snapshot.column;

import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.work.Pace;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * The difference between two versions of a table: runs of rows that are kept, and changed rows between them. Immutable,
 * thread-safe.
 */
public final class RowChanges {
    /** Rows that are given at once, at the most, so that whoever takes them can stop or rest between. */
    private static final int BLOCK = 1 << 16;

    private final int before;
    private final int rows;

    /** Of each run, its first row before and now, and how many rows it has. */
    private final int[] olds;

    private final int[] news;
    private final int[] lengths;

    /** The present row of each one that has changed. */
    private final int[] places;

    /** A receiver of runs of rows that are kept, by their numbers of before. */
    public interface KeptRows {
        /** Returns whether it wants more. */
        boolean take(int row, int count);
    }

    /** A receiver of the rows of the new version, in their order. */
    public interface Receiver {
        /** Takes a run of rows that are kept. */
        void kept(int old, int now, int count);

        /** Takes a changed row. */
        void changed(int index, int now);
    }

    /**
     * @param before how many rows there were
     * @param kept which of them are kept
     * @param positions for each changed row, in their order, before which row it comes
     */
    public RowChanges(int before, BitSet kept, int[] positions) {
        this.before = before;
        int most = Math.min(kept.cardinality(), before - kept.cardinality() + positions.length + 1);
        int[] runs = new int[3 * most];
        places = new int[positions.length];
        int count = 0;
        int old = 0;
        int next = 0;
        for (int i = 0; i <= positions.length; i++) {
            int end = i == positions.length ? before : positions[i];
            for (int row = kept.nextSetBit(old); row >= 0 && row < end; ) {
                int length = Math.min(kept.nextClearBit(row), end) - row;
                runs[3 * count] = row;
                runs[3 * count + 1] = next;
                runs[3 * count++ + 2] = length;
                next += length;
                row = kept.nextSetBit(row + length);
            }
            old = end;
            if (i < positions.length) {
                places[i] = next++;
            }
        }
        rows = next;
        olds = new int[count];
        news = new int[count];
        lengths = new int[count];
        for (int i = 0; i < count; i++) {
            olds[i] = runs[3 * i];
            news[i] = runs[3 * i + 1];
            lengths[i] = runs[3 * i + 2];
        }
    }

    /** Returns how many rows there were. */
    public int before() {
        return before;
    }

    /** Returns how many rows there are now. */
    public int rows() {
        return rows;
    }

    /** Returns whether each row that is kept has its number of before: rows were changed where they are, or added. */
    public boolean keepsNumbers() {
        return Arrays.equals(olds, news);
    }

    /** Returns whether each changed row takes the place of one that is not kept. */
    public boolean isInPlace() {
        return rows == before && keepsNumbers();
    }

    /** Returns how many rows have changed. */
    public int changed() {
        return places.length;
    }

    /** Returns where a changed row is now. */
    public int place(int index) {
        return places[index];
    }

    /** Gives all rows there are now, in their order, and not too many at once. */
    public void each(Receiver receiver) {
        int run = 0;
        for (int i = 0; i <= places.length; i++) {
            int end = i == places.length ? rows : places[i];
            for (; run < news.length && news[run] < end; run++) {
                giveKept(run, receiver);
            }
            if (i < places.length) {
                receiver.changed(i, end);
            }
        }
    }

    private void giveKept(int run, Receiver receiver) {
        int part;
        for (int done = 0; done < lengths[run]; done += part) {
            part = Math.min(BLOCK, lengths[run] - done);
            receiver.kept(olds[run] + done, news[run] + done, part);
        }
    }

    /** Gives the rows of before that are not kept. */
    public void eachDropped(IntConsumer receiver) {
        int next = 0;
        for (int i = 0; i <= olds.length; i++) {
            int end = i == olds.length ? before : olds[i];
            for (; next < end; next++) {
                receiver.accept(next);
            }
            next = i == olds.length ? before : end + lengths[i];
        }
    }

    /** Takes the rows of before that are kept, some at a time, until it returns false. */
    public void eachKept(KeptRows receiver) {
        for (int run = 0; run < olds.length; run++) {
            int end = olds[run] + lengths[run];
            int part;
            for (int row = olds[run]; row < end; row += part) {
                part = Math.min(BLOCK, end - row);
                if (!receiver.take(row, part)) {
                    return;
                }
            }
        }
    }

    /** Returns where each row of before is now; -1 of what is not kept. */
    public Longs rowsNow(SegmentAllocator memory) {
        Longs now = Longs.allocate(memory, before, -1, rows);
        for (int run = 0; run < olds.length; run++) {
            for (int i = 0; i < lengths[run]; i++) {
                Pace.step(i);
                now.set(olds[run] + i, news[run] + i);
            }
        }
        return now;
    }
}
