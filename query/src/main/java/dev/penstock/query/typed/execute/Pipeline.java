package dev.penstock.query.typed.execute;

import dev.penstock.query.typed.pushdown.Recording;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A recording and the operations after it that the JDK's streams run, the last one first. Immutable. Only the terminal
 * operation makes streams of it, because the plan depends on all of them: a {@code limit} behind a {@code map} goes to
 * the engine, and one behind a {@code filter} needs the rows in an order.
 *
 * @param recording what is read
 * @param before the operations before, or null at the start
 * @param operation the last operation, or null at the start
 */
public record Pipeline(
        Recording<?> recording, @Nullable Pipeline before, @Nullable JvmOperation operation) {
    public static Pipeline of(Recording<?> recording) {
        return new Pipeline(recording, null, null);
    }

    public Pipeline then(JvmOperation operation) {
        return new Pipeline(recording, this, operation);
    }

    /** Returns the same pipeline without the parts of recorded filters for which values are read before. */
    public Pipeline withoutReadings() {
        return new Pipeline(
                recording.withoutReadings(),
                before == null ? null : before.withoutReadings(),
                operation);
    }

    /** Returns the operations, the first one first. */
    List<JvmOperation> operations() {
        List<JvmOperation> all = new ArrayList<>();
        for (Pipeline each = this; each != null; each = each.before) {
            if (each.operation != null) {
                all.addFirst(each.operation);
            }
        }
        return all;
    }
}
