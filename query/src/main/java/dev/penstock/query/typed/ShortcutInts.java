package dev.penstock.query.typed;

import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.Step;
import dev.penstock.query.typed.stream.IntRecorder;
import dev.penstock.query.typed.stream.Run;
import java.util.IntSummaryStatistics;

/** Ints of {@link ShortcutSortedRows} rows. */
final class ShortcutInts<R> extends IntRecorder {
    private final ShortcutSortedRows<R> rows;
    private final IntField<?> field;

    ShortcutInts(Run run, ShortcutSortedRows<R> rows, IntField<?> field) {
        super(run);
        this.rows = rows;
        this.field = field;
    }

    @Override
    protected Recording<?> recorded() {
        return rows.recording().then(new Step.Project(field, Step.Shape.INT));
    }

    @Override
    public IntSummaryStatistics summaryStatistics() {
        link();
        IntSummaryStatistics statistics = rows.statistics(field);
        return statistics != null ? statistics : rows.askedStatistics(field);
    }
}
