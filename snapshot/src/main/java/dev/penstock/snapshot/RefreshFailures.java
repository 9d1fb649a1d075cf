package dev.penstock.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * The refreshes that have failed since the last one that did not.
 *
 * @param inARow how many
 * @param last why the last one failed; null where none has
 */
public record RefreshFailures(int inARow, @Nullable RuntimeException last) {
    /** No failures. */
    public static final RefreshFailures NONE = new RefreshFailures(0, null);
}
