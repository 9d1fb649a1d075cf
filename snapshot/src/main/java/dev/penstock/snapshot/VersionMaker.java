package dev.penstock.snapshot;

import dev.penstock.snapshot.load.LoadContext;
import dev.penstock.snapshot.work.Pace;
import dev.penstock.snapshot.work.PlatformThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The making of a snapshot's versions, one at a time: the first one, from a file or from the database, and those that
 * bring it up to date. The newest is saved to the file. Thread-safe.
 */
final class VersionMaker {
    /** The longest wait of a schedule for the end of a version that was replaced: someone may read it for hours. */
    private static final Duration REPLACED = Duration.ofMillis(100);

    private final VersionLoader loader;
    private final @Nullable Following following;
    private final @Nullable VersionStore store;
    private final KeptVersions versions;
    private final Supplier<LoadContext> contexts;
    private final ReentrantLock refreshing = new ReentrantLock();
    private final ReentrantLock saving = new ReentrantLock();
    private volatile @Nullable LoadContext loading;

    /** The nanoseconds of the last scheduled refresh in which it waited, or worked or rested at its {@link Pace}. */
    private volatile long spared;

    /**
     * @param following the feed of changes that is followed; null for none
     * @param store the file of the newest version; null for none
     * @param versions where what is made is published
     * @param contexts makes the context of each loading
     */
    VersionMaker(
            VersionLoader loader,
            @Nullable Following following,
            @Nullable VersionStore store,
            KeptVersions versions,
            Supplier<LoadContext> contexts) {
        this.loader = loader;
        this.following = following;
        this.store = store;
        this.versions = versions;
        this.contexts = contexts;
    }

    /** Makes the first version: that in the file, where there is one and what has changed since can be told. */
    void start() {
        VersionStore from = store;
        LoadedVersion saved =
                from == null ? null : PlatformThread.call("penstock-load", from::read);
        Following changes = following;
        boolean goesOn = false;
        try {
            goesOn = changes == null || changes.start(saved);
        } finally {
            if (saved != null && !goesOn) {
                saved.lifetime().release();
            }
        }
        if (saved != null && goesOn) {
            versions.publish(saved);
        } else {
            Version _ = refresh();
        }
    }

    /** Makes the next version, as {@link Snapshot#refresh} says. */
    Version refresh() {
        return PlatformThread.call("penstock-refresh", this::refreshHere);
    }

    /** Makes the next version at a pace that leaves queries the processors. */
    Version refreshBeside() {
        return PlatformThread.call(
                "penstock-refresh",
                () -> {
                    long waited = versions.awaitReplaced(REPLACED);
                    return Pace.keep(this::refreshHere, nanos -> spared = nanos + waited);
                });
    }

    /** Returns the nanoseconds of the last {@link #refreshBeside} in which it waited, or kept its pace. */
    long sparedNanos() {
        return spared;
    }

    private Version refreshHere() {
        refreshing.lock();
        try {
            LoadContext current = contexts.get();
            loading = current;
            // After that, so that whoever closes the snapshot is seen here or ends the loading.
            LoadedVersion last = versions.acquiredIfAny();
            try {
                return refreshHere(last, current);
            } finally {
                if (last != null) {
                    last.lifetime().release();
                }
            }
        } finally {
            loading = null;
            refreshing.unlock();
        }
    }

    private Version refreshHere(@Nullable LoadedVersion last, LoadContext current) {
        Following changes = following;
        LoadedVersion loaded =
                changes == null ? loader.load(last, current) : changes.load(last, current);
        if (!loaded.equals(last)) {
            versions.publish(loaded);
            if (store == null) {
                confirm(loaded);
            }
        }
        return loaded.version();
    }

    /** Tells the feed that a version lasts. */
    private void confirm(LoadedVersion lasting) {
        Following changes = following;
        String position = lasting.position();
        if (changes != null && position != null) {
            changes.feed().confirm(position);
        }
    }

    /** Writes the newest version to the file, as {@link Snapshot#save} says. */
    Version save() throws IOException {
        VersionStore to = store;
        if (to == null) {
            throw new IllegalStateException(
                    "there is no file to save to: name one by file(…) in the snapshot's settings");
        }
        try {
            return PlatformThread.call("penstock-save", () -> saveHere(to));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Version saveHere(VersionStore to) {
        // One after the other, so that no older version comes last.
        saving.lock();
        try {
            LoadedVersion newest = versions.acquired();
            try {
                to.write(newest);
                confirm(newest);
                return newest.version();
            } finally {
                newest.lifetime().release();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            saving.unlock();
        }
    }

    /** Ends what is being loaded. */
    void stop() {
        LoadContext current = loading;
        if (current != null) {
            current.stop();
        }
    }
}
