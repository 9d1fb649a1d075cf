package dev.penstock.snapshot.aggregate;

import dev.penstock.query.Column;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.index.IndexedColumn;
import java.util.Arrays;

/** The row with the least or the greatest text, where there is no memory for their order. */
final class ExtremeText extends Accumulator {
    private final IndexedColumn column;
    private final TextColumn texts;
    private final TextColumn.Reader reader;
    private final boolean greatest;
    private int[] best = {-1};

    ExtremeText(IndexedColumn column, boolean greatest) {
        this.column = column;
        this.texts = (TextColumn) column.stored();
        this.reader = texts.reader();
        this.greatest = greatest;
    }

    @Override
    void add(int[] rows, int[] groups, int count, int size) {
        grow(size);
        for (int i = 0; i < count; i++) {
            add(groups[i], rows[i]);
        }
    }

    private void add(int group, int row) {
        if (row < 0 || texts.isNull(row)) {
            return;
        }
        int compared = best[group] < 0 ? 0 : reader.compare(row, best[group]);
        if (best[group] < 0 || (greatest ? compared > 0 : compared < 0)) {
            best[group] = row;
        }
    }

    private void grow(int size) {
        int length = best.length;
        if (length < size) {
            best = Arrays.copyOf(best, capacity(length, size));
            Arrays.fill(best, length, best.length, -1);
        }
    }

    @Override
    void addAll(Accumulator other, int[] groups, int size) {
        grow(size);
        int[] added = ((ExtremeText) other).best;
        for (int i = 0; i < Math.min(groups.length, added.length); i++) {
            add(groups[i], added[i]);
        }
    }

    @Override
    ResultColumn cells(Column label, int size) {
        grow(size);
        long[] cells = new long[size];
        boolean[] known = new boolean[size];
        for (int i = 0; i < size; i++) {
            known[i] = best[i] >= 0;
            cells[i] = Math.max(best[i], 0);
        }
        return StoredResultColumn.of(label, column.reader(), cells, known);
    }

    @Override
    int bytesAGroup() {
        return 3 * Long.BYTES;
    }
}
