package dev.penstock.snapshot;

import dev.penstock.snapshot.shortcut.ShortcutColumns;
import dev.penstock.snapshot.shortcut.ShortcutTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The versions of a snapshot that are kept, each of which is used until it goes. Thread-safe. */
final class KeptVersions {
    private final int kept;

    /** The tables of the newest. */
    private final ShortcutTables shortcuts = new ShortcutTables(null);

    private final ReplacedVersion replaced = new ReplacedVersion();

    /**
     * The versions, the newest first; null once this is closed. While one is put in the place of another there is one
     * more, and which of them counts as the newest is told by {@link #shortcuts} alone: so plans and shortcuts go over
     * to it at the same moment.
     */
    private volatile @Nullable List<LoadedVersion> versions = List.of();

    /**
     * @param kept how many are kept, the newest included
     */
    KeptVersions(int kept) {
        this.kept = kept;
    }

    /** Returns the tables of the newest, whichever it is. */
    ShortcutTables shortcuts() {
        return shortcuts;
    }

    /**
     * Returns the versions that there are, the newest first, and perhaps one before it that is about to be the newest.
     */
    private List<LoadedVersion> present() {
        List<LoadedVersion> present = versions;
        if (present == null) {
            throw new IllegalStateException("the snapshot is closed");
        }
        return present;
    }

    /** Returns the versions that are kept, the newest first; the first one has been published. */
    List<LoadedVersion> all() {
        while (true) {
            ShortcutColumns[] newest = shortcuts.newest();
            List<LoadedVersion> present = present();
            for (int i = 0; i < present.size(); i++) {
                if (present.get(i).isOf(newest)) {
                    return present.subList(i, Math.min(present.size(), i + kept));
                }
            }
            // Another version came between the two looks.
        }
    }

    LoadedVersion newest() {
        return all().getFirst();
    }

    /** Returns the newest, for whoever {@linkplain LoadedVersion#lifetime() releases} it. */
    LoadedVersion acquired() {
        while (true) {
            LoadedVersion newest = newest();
            if (newest.lifetime().acquire()) {
                return newest;
            }
        }
    }

    /** Returns the newest likewise; null before there is one. */
    @Nullable LoadedVersion acquiredIfAny() {
        return present().isEmpty() ? null : acquired();
    }

    /**
     * Puts a version in the place of the newest; the oldest goes where there are more than are kept.
     *
     * @throws IllegalStateException if this is closed; the version ends then
     */
    synchronized void publish(LoadedVersion loaded) {
        List<LoadedVersion> before = versions;
        if (before == null) {
            loaded.lifetime().release();
            throw new IllegalStateException("the snapshot is closed");
        }
        List<LoadedVersion> next = new ArrayList<>(List.of(loaded));
        next.addAll(before);
        versions = List.copyOf(next);
        shortcuts.set(loaded.shortcuts());
        int most = Math.min(next.size(), kept);
        versions = List.copyOf(next.subList(0, most));
        for (LoadedVersion each : next.subList(most, next.size())) {
            replaced.set(each.lifetime().ended());
            each.lifetime().release();
        }
    }

    /** Waits for the end of the version that went last, as {@link ReplacedVersion#await} does. */
    long awaitReplaced(Duration most) {
        return replaced.await(most);
    }

    boolean areClosed() {
        return versions == null;
    }

    /** Lets every version go. Closing twice does no harm. */
    synchronized void close() {
        List<LoadedVersion> last = versions;
        versions = null;
        shortcuts.set(null);
        if (last != null) {
            last.forEach(each -> each.lifetime().release());
        }
    }
}
