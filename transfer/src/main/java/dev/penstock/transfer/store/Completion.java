package dev.penstock.transfer.store;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.store.journal.Stage;
import dev.penstock.transfer.store.journal.Uninterrupted;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The way of an upload from its last byte to its file: forced, scanned, moved under its name, told to the application.
 * Each stage is noted in the journal, so that whoever comes next, after a failure or a crash, goes on where it stopped.
 *
 * <p>The name is noted before the file has it. The file gets it by a hard link, which never replaces another file, and
 * then loses its old one; where the file system has no links, by a rename, after a look whether the name is free.
 */
final class Completion {
    private static final long WAIT_SECONDS = 60;
    private static final int MOST_NAMES = 10_000;

    private final StoreContext store;

    /** For file systems without links: a name that was free stays so until the rename. */
    private final ReentrantLock naming = new ReentrantLock();

    Completion(StoreContext store) {
        this.store = store;
    }

    /** Does what is left to be done, once at a time for each upload; others wait for it. */
    void finish(UploadEntry entry) {
        try {
            if (!entry.finishing.tryLock(WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new TransferException(
                        Kind.FAILED,
                        "All bytes are there, and the application has been looking at them for %d s; ask again later"
                                .formatted(WAIT_SECONDS));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new TransferException(Kind.FAILED, "The request was interrupted; ask again");
        }
        try {
            if (entry.stage == Stage.RECEIVED) {
                receive(entry);
            }
            if (entry.stage == Stage.ACCEPTED) {
                move(entry);
            }
            if (entry.stage == Stage.MOVED) {
                tell(entry);
            }
        } finally {
            entry.finishing.unlock();
        }
    }

    private void receive(UploadEntry entry) {
        if (entry.refusal != null && !entry.gone) {
            // Its removal has failed before.
            new Removal(store).remove(entry, false);
        }
        entry.requireLive();
        cut(entry);
        if (store.forces()) {
            entry.force(false);
        }
        requireStage(entry, Stage.RECEIVED);
        if (entry.isPartial) {
            advance(entry, Stage.RECEIVED, Stage.FINISHED, store.forces());
            return;
        }
        try {
            store.hooks.scan(entry.upload(), entry.files.data());
        } catch (TransferException e) {
            if (e.kind() == Kind.REJECTED || e.kind() == Kind.DIGEST_MISMATCH) {
                entry.refusal = e;
                new Removal(store).remove(entry, false);
            }
            throw e;
        } catch (IOException | RuntimeException e) {
            throw hookFailed("scan", entry, e);
        }
        advance(entry, Stage.RECEIVED, Stage.ACCEPTED, false);
    }

    private static void cut(UploadEntry entry) {
        try {
            entry.cutToOffset();
        } catch (IOException e) {
            throw entry.failure("When an upload was completed", e);
        }
    }

    /** A force that began before all bytes were there may fail now: then the offset has gone back. */
    private static void requireStage(UploadEntry entry, Stage stage) {
        entry.lock();
        try {
            if (entry.stage != stage) {
                throw new TransferException(Kind.FAILED, UploadEntry.DISK_FAILED);
            }
        } finally {
            entry.lock.unlock();
        }
    }

    /** Takes an upload from a stage to the next, unless it was deleted, or its disk has failed, meanwhile. */
    private static void advance(UploadEntry entry, Stage before, Stage next, boolean force) {
        entry.lock();
        try {
            entry.requireLive();
            requireStage(entry, before);
            entry.stage = next;
            try {
                entry.log(force);
            } catch (IOException e) {
                entry.stage = before;
                throw entry.failure("When an upload was completed", e);
            }
        } finally {
            entry.lock.unlock();
        }
    }

    private void move(UploadEntry entry) {
        String name = entry.description().upload().fileName().orElse(entry.id);
        entry.lock();
        try {
            entry.requireLive();
            if (!wasMoved(entry)) {
                moveTo(entry, name);
            }
            Path file = store.directory.resolve(entry.target);
            entry.fileTime = Files.exists(file) ? Files.getLastModifiedTime(file).toMillis() : 0;
            entry.touched = store.now();
            if (store.forces()) {
                Uninterrupted.run(() -> store.disk.forceNames(store.directory));
            }
            advance(entry, Stage.ACCEPTED, Stage.MOVED, false);
        } catch (IOException e) {
            throw entry.failure("While the file of an upload got its name", e);
        } finally {
            entry.lock.unlock();
        }
        entry.reservation.release();
    }

    /** Returns whether the file has its name already; if a crash has left it with two, it loses the old one. */
    private boolean wasMoved(UploadEntry entry) throws IOException {
        if (entry.target.isEmpty()) {
            return false;
        }
        Path data = entry.files.data();
        if (!Files.exists(data, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        Path file = store.directory.resolve(entry.target);
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.isSameFile(file, data)) {
            Files.delete(data);
            return true;
        }
        return false;
    }

    private void moveTo(UploadEntry entry, String name) throws IOException {
        for (int number = 1; number <= MOST_NAMES; number++) {
            String candidate = FileNames.numbered(name, number);
            Path file = store.directory.resolve(candidate);
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                if (!entry.target.equals(candidate)) {
                    note(entry, candidate);
                }
                if (take(entry.files.data(), file)) {
                    return;
                }
            }
        }
        throw new TransferException(
                Kind.FAILED,
                "There are %d files of the name %s; use another name".formatted(MOST_NAMES, name));
    }

    private void note(UploadEntry entry, String name) throws IOException {
        String before = entry.target;
        entry.target = name;
        try {
            entry.log(store.forces());
        } catch (IOException e) {
            entry.target = before;
            throw e;
        }
    }

    /** Gives a file its name, unless another has it. */
    private boolean take(Path data, Path file) throws IOException {
        try {
            Files.createLink(file, data);
        } catch (FileAlreadyExistsException _) {
            return false;
        } catch (UnsupportedOperationException | FileSystemException _) {
            return rename(data, file);
        }
        Files.delete(data);
        return true;
    }

    private boolean rename(Path data, Path file) throws IOException {
        naming.lock();
        try {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            Files.move(data, file, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } finally {
            naming.unlock();
        }
    }

    private void tell(UploadEntry entry) {
        entry.requireLive();
        try {
            store.hooks.finished(entry.upload(), store.directory.resolve(entry.target));
        } catch (IOException | RuntimeException e) {
            StoreContext.LOGGER.log(
                    System.Logger.Level.WARNING,
                    "The application's hook has failed for the finished upload " + entry.id,
                    e);
        }
        try {
            advance(entry, Stage.MOVED, Stage.FINISHED, false);
        } catch (TransferException e) {
            // It is complete; the application hears of it again only after the next start.
            entry.stage = Stage.FINISHED;
            StoreContext.LOGGER.log(
                    System.Logger.Level.WARNING,
                    "The end of upload " + entry.id + " can't be noted",
                    e);
        }
    }

    /** The failure of a hook that has neither accepted nor refused. */
    static TransferException hookFailed(String hook, UploadEntry entry, Exception cause) {
        StoreContext.LOGGER.log(
                System.Logger.Level.ERROR,
                "The hook " + hook + " has failed for upload " + entry.id,
                cause);
        return new TransferException(
                Kind.FAILED,
                "The application could not look at the upload; try again later",
                cause);
    }
}
