package dev.penstock.query.typed.shortcut;

import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.stream.IntRecorder;
import dev.penstock.query.typed.stream.RowRecorder;
import dev.penstock.query.typed.stream.StreamContext;
import java.util.OptionalInt;

/** A stream of a field's ints, of all rows of a table in which it is not null. */
final class ShortcutExtremes<R> extends IntRecorder {
    private final RowRecorder<R> rows;
    private final Shortcuts shortcuts;
    private final IntField<?> field;

    ShortcutExtremes(
            StreamContext context, RowRecorder<R> rows, Shortcuts shortcuts, IntField<?> field) {
        super(context);
        this.rows = rows;
        this.shortcuts = shortcuts;
        this.field = field;
    }

    @Override
    protected Recording<?> recorded() {
        return rows.recording().then(new StreamOperation.Project(field, StreamOperation.Shape.INT));
    }

    @Override
    public OptionalInt min() {
        long least = shortcuts.extreme(field, false);
        return least == Shortcuts.UNKNOWN_NUMBER ? super.min() : known(least);
    }

    @Override
    public OptionalInt max() {
        long greatest = shortcuts.extreme(field, true);
        return greatest == Shortcuts.UNKNOWN_NUMBER ? super.max() : known(greatest);
    }

    private OptionalInt known(long number) {
        link();
        return number == Shortcuts.NO_NUMBER ? OptionalInt.empty() : OptionalInt.of((int) number);
    }
}
