package dev.penstock.query.typed.shortcut;

import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.stream.IntRecorder;
import dev.penstock.query.typed.stream.StreamContext;
import java.util.IntSummaryStatistics;

/** A stream of a field's ints of {@link ShortcutSortedRows}. */
final class ShortcutInts<R> extends IntRecorder {
    private final ShortcutSortedRows<R> rows;
    private final IntField<?> field;

    ShortcutInts(StreamContext context, ShortcutSortedRows<R> rows, IntField<?> field) {
        super(context);
        this.rows = rows;
        this.field = field;
    }

    @Override
    protected Recording<?> recorded() {
        return rows.recording().then(new StreamOperation.Project(field, StreamOperation.Shape.INT));
    }

    @Override
    public IntSummaryStatistics summaryStatistics() {
        link();
        IntSummaryStatistics statistics = rows.statistics(field);
        return statistics != null ? statistics : rows.askedStatistics(field);
    }
}
