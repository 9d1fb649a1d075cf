package dev.penstock.transfer.store;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.store.journal.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;

/** The end of an upload: deleted, rejected or expired. */
record Removal(StoreContext store) {
    /**
     * Removes an upload, and ends its append.
     *
     * @param withFile whether the file that it has become goes too
     */
    void remove(UploadEntry entry, boolean withFile) {
        entry.lock();
        try {
            remove(entry, withFile, false);
        } finally {
            entry.lock.unlock();
        }
    }

    /** Removes an upload if it has expired, and nothing came at the last moment. */
    void expire(UploadEntry entry) {
        entry.lock();
        try {
            if (entry.isExpired()) {
                remove(entry, false, true);
            }
        } finally {
            entry.lock.unlock();
        }
    }

    private void remove(UploadEntry entry, boolean withFile, boolean expired) {
        if (entry.gone) {
            return;
        }
        entry.endRunning(
                Kind.GONE,
                expired ? "The upload has expired; begin a new one" : "The upload was deleted");
        try {
            if (withFile && entry.stage.isComplete() && !entry.isPartial) {
                removeFile(entry);
            }
            if (!entry.files.remove(store.forces())) {
                StoreContext.LOGGER.log(
                        System.Logger.Level.WARNING,
                        "What is left of upload {0} is removed when the store is opened again",
                        entry.id);
            }
        } catch (IOException e) {
            throw entry.failure("When an upload was to be removed", e);
        }
        forget(entry);
    }

    /** Forgets an upload whose directory is gone. */
    void forget(UploadEntry entry) {
        entry.gone = true;
        store.ended.add(entry.id, entry.owner);
        var _ = store.entries.remove(entry.id, entry);
        entry.reservation.release();
    }

    /**
     * Forgets an upload whose directory somebody else has removed, as long as there is the one of all uploads.
     *
     * @return whether it is so
     */
    boolean forgetLost(UploadEntry entry) {
        if (entry.files.isPublished() || !Files.isDirectory(store.uploads)) {
            return false;
        }
        entry.lock();
        try {
            entry.endRunning(Kind.GONE, "The directory of the upload was removed");
            forget(entry);
        } finally {
            entry.lock.unlock();
        }
        return true;
    }

    /** Removes the file of an upload, if it is still the one that was uploaded. */
    private void removeFile(UploadEntry entry) throws IOException {
        Path file = store.directory.resolve(entry.target);
        if (isFileOf(entry, file)) {
            Files.delete(file);
        }
    }

    /** Returns whether a file is what an upload has become, unchanged: its name may be another's by now. */
    static boolean isFileOf(UploadEntry entry, Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.size(file) == entry.length
                && Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toMillis()
                        == entry.fileTime;
    }

    /** Makes room for one more upload: forgets the complete one that is the oldest, where there are too many. */
    void makeRoom() {
        if (store.entries.size() < store.settings.limits().totalUploads()) {
            return;
        }
        store.entries.values().stream()
                .filter(entry -> entry.stage == Stage.FINISHED && !entry.isPartial)
                .min(Comparator.comparingLong(entry -> entry.touched))
                .ifPresentOrElse(
                        entry -> remove(entry, false),
                        () -> {
                            throw new TransferException(
                                    Kind.QUOTA_EXCEEDED,
                                    "There are %d unfinished uploads, which is the limit; try again later"
                                            .formatted(store.entries.size()));
                        });
    }
}
