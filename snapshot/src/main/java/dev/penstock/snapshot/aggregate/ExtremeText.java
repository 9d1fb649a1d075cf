package dev.penstock.snapshot.aggregate;

import dev.penstock.query.Column;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.rows.RowBlock;
import java.util.Arrays;

/** The row with the least or the greatest text, where there is no memory for their order. */
final class ExtremeText extends Accumulator {
    private final IndexedColumn column;
    private final TextColumn texts;
    private final TextColumn.Reader reader;
    private final boolean greatest;

    /** The row of each group; -1 where there is none. */
    private int[] best = {};

    ExtremeText(IndexedColumn column, boolean greatest) {
        super(3 * Long.BYTES);
        this.column = column;
        this.texts = (TextColumn) column.stored();
        this.reader = texts.reader();
        this.greatest = greatest;
    }

    @Override
    void add(RowBlock rows, int[] groups) {
        int[] each = rows.rows();
        for (int i = 0; i < rows.count(); i++) {
            add(groups[i], each[i]);
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

    @Override
    void merge(Accumulator other, int from, int group) {
        add(group, ((ExtremeText) other).best[from]);
    }

    @Override
    void resize(int capacity) {
        int length = best.length;
        best = Arrays.copyOf(best, capacity);
        Arrays.fill(best, length, capacity, -1);
    }

    @Override
    ResultColumn result(Column label, int size) {
        return new ResultColumn(column.reader(), group -> best[group], group -> best[group] >= 0);
    }
}
