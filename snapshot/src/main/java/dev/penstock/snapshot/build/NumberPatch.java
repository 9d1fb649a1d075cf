package dev.penstock.snapshot.build;

import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.work.Pace;
import org.jspecify.annotations.Nullable;

/** The next version of a column of numbers, see {@link TablePatch}. */
final class NumberPatch {
    private final CodedColumn before;
    private final CodedColumn changed;
    private final RowChanges changes;
    private final long factor;
    private long least = Long.MAX_VALUE;
    private long greatest = Long.MIN_VALUE;

    /** Whether a row that is not kept has the least or the greatest number. */
    private boolean isLeastDropped;

    private boolean isGreatestDropped;

    private int nulls;

    NumberPatch(CodedColumn before, CodedColumn changed, RowChanges changes) {
        this.before = before;
        this.changed = changed;
        this.changes = changes;
        factor = factor(before.encoding(), changed);
        nulls = before.nulls() + changed.nulls();
    }

    /** Returns whether numbers that have changed can be kept as those of before are. */
    static boolean takes(CodedColumn before, StoredColumn changed) {
        return !(before.encoding() instanceof CodeEncoding.Listed)
                && changed instanceof CodedColumn coded
                && factor(before.encoding(), coded) > 0;
    }

    /** Returns what makes codes of changed numbers codes of before; 0 where that can't be. */
    private static long factor(CodeEncoding before, CodedColumn changed) {
        if (changed.values().isEmpty() || before.equals(changed.encoding())) {
            return 1;
        }
        if (!(before instanceof CodeEncoding.Whole all)
                || !(changed.encoding() instanceof CodeEncoding.Whole some)
                || some.digits() > all.digits()) {
            return 0;
        }
        long factor = all.units() / some.units();
        long most = Long.MAX_VALUE / factor;
        return changed.values().least() < -most || changed.values().greatest() > most ? 0 : factor;
    }

    @Nullable StoredColumn column(Memory memory) {
        changes.eachDropped(this::drop);
        CodeRange values = before.values();
        if (!isLeastDropped) {
            widen(values.least());
        }
        if (!isGreatestDropped) {
            widen(values.greatest());
        }
        if (isLeastDropped || isGreatestDropped) {
            changes.eachKept(this::keep);
        }
        if (!changed.values().isEmpty()) {
            widen(changed.values().least() * factor);
            widen(changed.values().greatest() * factor);
        }
        if (least > greatest || (nulls > 0 && least == Long.MIN_VALUE)) {
            return null;
        }
        long lowest = least - (nulls > 0 ? 1 : 0);
        Longs codes = Longs.allocateUnset(memory, changes.rows(), lowest, greatest);
        boolean moves = before.hasNulls() && before.nullCode() != lowest;
        long nullBefore = before.nullCode();
        TablePatch.copy(
                before.codes(),
                codes,
                changes,
                moves ? code -> code == nullBefore ? lowest : code : null);
        for (int i = 0; i < changed.rows(); i++) {
            codes.set(changes.place(i), changed.isNull(i) ? lowest : changed.cell(i) * factor);
        }
        return new CodedColumn(
                before.column(), codes, CodeRange.of(least, greatest), nulls, before.encoding());
    }

    private void drop(int row) {
        if (before.isNull(row)) {
            nulls--;
        } else {
            long code = before.cell(row);
            isLeastDropped |= code == before.values().least();
            isGreatestDropped |= code == before.values().greatest();
        }
    }

    /** Looks at rows until both ends are found, or all were looked at. */
    private boolean keep(int row, int count) {
        Pace.step();
        Longs codes = before.codes();
        boolean hasNulls = before.hasNulls();
        long none = hasNulls ? before.nullCode() : 0;
        long low = least;
        long high = greatest;
        for (int i = row; i < row + count; i++) {
            long code = codes.get(i);
            if (!hasNulls || code != none) {
                low = Math.min(low, code);
                high = Math.max(high, code);
            }
        }
        least = low;
        greatest = high;
        return least > before.values().least() || greatest < before.values().greatest();
    }

    private void widen(long code) {
        least = Math.min(least, code);
        greatest = Math.max(greatest, code);
    }
}
