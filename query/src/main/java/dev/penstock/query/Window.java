package dev.penstock.query;

import dev.penstock.query.Plan.Slice;
import java.util.List;

/**
 * The one skip and the one limit that a sequence of skips and limits comes to.
 *
 * @param offset how many rows are left out first
 * @param limit how many rows there are at the most after that; {@link #UNLIMITED} for all
 */
public record Window(long offset, long limit) {
    /** A limit that is none. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** Every row. */
    public static final Window ALL = new Window(0, UNLIMITED);

    /** Applies the slices one after the other, as {@code Stream.skip} and {@code Stream.limit} would. */
    public static Window of(List<Slice> slices) {
        Window window = ALL;
        for (Slice slice : slices) {
            window =
                    switch (slice) {
                        case Slice.Skip(long rows) -> window.skip(rows);
                        case Slice.Limit(long rows) ->
                                new Window(window.offset, Math.min(window.limit, rows));
                    };
        }
        return window;
    }

    private Window skip(long rows) {
        long further = offset + rows < 0 ? Long.MAX_VALUE : offset + rows;
        return new Window(further, limit == UNLIMITED ? UNLIMITED : Math.max(0, limit - rows));
    }

    /** Returns whether there is a most. */
    public boolean isLimited() {
        return limit != UNLIMITED;
    }
}
