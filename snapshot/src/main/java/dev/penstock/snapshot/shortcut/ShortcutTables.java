package dev.penstock.snapshot.shortcut;

import org.jspecify.annotations.Nullable;

/** The tables of the newest version for shortcuts, few steps away from whoever asks. Thread-safe. */
public final class ShortcutTables {
    private volatile ShortcutColumns @Nullable [] tables;

    /**
     * @param tables of a version, by their places; null where there is none
     */
    public ShortcutTables(ShortcutColumns @Nullable [] tables) {
        this.tables = tables;
    }

    /** Returns those of the version that is the newest now; null where there is none. */
    public ShortcutColumns @Nullable [] newest() {
        return tables;
    }

    /** Has the tables of another version from now on, or after {@code null} none. */
    public void set(ShortcutColumns @Nullable [] next) {
        tables = next;
    }

    /**
     * Returns a table.
     *
     * @throws IllegalStateException if the snapshot is closed
     */
    ShortcutColumns table(int place) {
        ShortcutColumns[] newest = tables;
        if (newest == null) {
            throw new IllegalStateException("the snapshot is closed");
        }
        return newest[place];
    }
}
