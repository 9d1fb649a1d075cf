package dev.penstock.transfer.store;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.store.journal.Disk;
import dev.penstock.transfer.store.journal.Stage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The uploads in a directory, and the files that they become. Files that are complete lie in the directory, under their
 * names; the rest is in {@code .uploads}, a directory for each upload. Thread-safe. One store at a time may have a
 * directory open.
 *
 * <p>Every method that takes an identifier throws {@link TransferException} of the kind {@code NOT_FOUND} where there
 * is no such upload or it is another owner's, and {@code GONE} where it was deleted or has expired.
 */
public final class UploadStore implements AutoCloseable {
    private static final int MOST_LISTED = 1_000;
    private static final int CLOSE_SECONDS = 10;

    private final StoreContext store;
    private final Creation creation;
    private final Completion completion;
    private final Removal removal;
    private final Sweeper sweeper;

    private UploadStore(StoreContext store) {
        this.store = store;
        creation = new Creation(store);
        completion = new Completion(store);
        removal = new Removal(store);
        sweeper = new Sweeper(store, completion);
    }

    /**
     * Opens a directory, which is made if it is not there, and recovers what a crash has left.
     *
     * @throws TransferException of the kind {@code NOT_WRITABLE}
     */
    public static UploadStore open(Path directory, StoreSettings settings, UploadHooks hooks) {
        return open(directory, settings, hooks, Disk.SYSTEM);
    }

    static UploadStore open(Path directory, StoreSettings settings, UploadHooks hooks, Disk disk) {
        try {
            Files.createDirectories(directory);
            Path real = directory.toRealPath();
            Path uploads = real.resolve(".uploads");
            if (!Files.isDirectory(uploads, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(uploads);
                disk.forceNames(real);
            }
            if (!Files.isWritable(uploads) || !Files.isWritable(real)) {
                throw new AccessDeniedException(directory.toString());
            }
            StoreContext store = new StoreContext(real, uploads, settings, hooks, disk);
            new Recovery(store).run();
            UploadStore opened = new UploadStore(store);
            opened.sweeper.start(settings.sweepInterval());
            return opened;
        } catch (IOException e) {
            throw new TransferException(
                    Kind.NOT_WRITABLE,
                    "Uploads can't be kept in %s; see that it is a directory that this user may write, and so is the"
                                    .formatted(directory)
                            + " directory .uploads in it: "
                            + e,
                    e);
        }
    }

    /**
     * Makes an upload without bytes. One whose length is 0 is complete at once.
     *
     * @throws TransferException {@code INVALID} (the name of the file, facts beyond 8 KiB), {@code TOO_LARGE}, {@code
     *     QUOTA_EXCEEDED}, {@code NO_SPACE}, {@code NOT_WRITABLE}, or {@code REJECTED} by the hook
     */
    public UploadState create(NewUpload upload) {
        requireOpen();
        UploadEntry entry = creation.create(upload);
        return completeIfWhole(entry);
    }

    /**
     * Tells how far an upload is. Never waits for an append; an offset that it states stays, as the durability
     * promises.
     */
    public UploadState state(String id, String owner) {
        return asked(find(id, owner), UploadEntry::state);
    }

    /** Ends the append of an upload that runs, if one does, and tells how far the upload is. */
    public UploadState endAppend(String id, String owner) {
        UploadEntry entry = find(id, owner);
        entry.lock();
        try {
            entry.endRunning(
                    Kind.SUPERSEDED,
                    "A newer request has asked how far this upload is, and ended it");
        } finally {
            entry.lock.unlock();
        }
        return asked(entry, UploadEntry::state);
    }

    /**
     * Adds bytes, and completes the upload when its last byte is there. An older append of the same upload is ended
     * first. Blocks while the body comes, on the caller's thread, which is interrupted where a newer request ends it.
     * What came before a failure stays, unless the append has a digest. On an upload that is complete, an append
     * without bytes at its end tells its state.
     *
     * @throws TransferException {@code WRONG_OFFSET}, {@code COMPLETE}, {@code TOO_LARGE}, {@code LENGTH_MISMATCH} (a
     *     body shorter or longer than announced, or an upload that is said to end elsewhere than its length says),
     *     {@code QUOTA_EXCEEDED}, {@code NO_SPACE}, {@code NOT_WRITABLE}, {@code DIGEST_MISMATCH}, {@code SUPERSEDED},
     *     {@code REJECTED} by the hook, {@code GONE} where it was deleted meanwhile, {@code FAILED}
     * @throws IOException as the body's channel has thrown it
     */
    public UploadState append(String id, String owner, long offset, Append append)
            throws IOException {
        UploadEntry entry = find(id, owner);
        AppendRun run = new AppendRun(store, entry, append);
        try {
            if (!run.run(offset)) {
                requireNothing(entry, offset, append);
            }
        } catch (TransferException e) {
            throw unlessLost(entry, e);
        }
        UploadState state = completeIfWhole(entry);
        if (state.offset() < run.reached()) {
            // A force that had begun before its end has failed after it.
            throw new TransferException(Kind.FAILED, UploadEntry.DISK_FAILED);
        }
        return state;
    }

    /** An append to an upload that has all its bytes: somebody repeats the last one, or asks whether it is complete. */
    private static void requireNothing(UploadEntry entry, long offset, Append append)
            throws IOException {
        boolean isEmpty =
                append.bodyLength().orElse(0) == 0
                        && append.body().read(ByteBuffer.allocate(1)) < 0;
        if (!isEmpty) {
            throw new TransferException(
                    Kind.COMPLETE,
                    "The upload is complete with %d bytes, and takes no more"
                            .formatted(entry.offset));
        }
        if (offset != entry.offset) {
            throw TransferException.wrongOffset(entry.offset, offset);
        }
    }

    private UploadState completeIfWhole(UploadEntry entry) {
        return asked(
                entry,
                whole -> {
                    if (whole.stage != Stage.RECEIVING && whole.stage != Stage.FINISHED) {
                        completion.finish(whole);
                    }
                    return whole.state();
                });
    }

    /**
     * Says the length of an upload that was created without. Saying the same again changes nothing. One that has all
     * its bytes by that is complete.
     *
     * @throws TransferException {@code LENGTH_MISMATCH} (another than was said before, or fewer bytes than are there),
     *     {@code INVALID}, {@code TOO_LARGE}, {@code QUOTA_EXCEEDED}, {@code NO_SPACE}
     */
    public UploadState setLength(String id, String owner, long length) {
        UploadEntry entry = find(id, owner);
        asked(
                entry,
                each -> {
                    each.setLength(length);
                    return length;
                });
        return completeIfWhole(entry);
    }

    /**
     * Makes a complete upload of others' bytes, in their order. The partial ones stay.
     *
     * @throws TransferException as {@link #create} and the end of {@link #append}; {@code INVALID} where one of them is
     *     not partial or not complete
     */
    public UploadState concatenate(NewUpload upload, List<String> partials) {
        requireOpen();
        List<UploadEntry> parts = partials.stream().map(id -> find(id, upload.owner())).toList();
        return completeIfWhole(creation.concatenate(upload, parts));
    }

    /**
     * Deletes an upload, ending its append. A file that it has become goes too, as long as it lies unchanged where it
     * was put.
     *
     * @throws TransferException {@code NOT_WRITABLE}
     */
    public void delete(String id, String owner) {
        removal.remove(find(id, owner), true);
    }

    /** Lists an owner's uploads, newest first, at most 1,000. */
    public List<UploadState> list(String owner) {
        requireOpen();
        return store.entries.values().stream()
                .filter(entry -> entry.owner.equals(owner) && !entry.isExpired())
                .sorted(
                        Comparator.comparingLong((UploadEntry entry) -> entry.created)
                                .reversed()
                                .thenComparing(entry -> entry.id))
                .limit(MOST_LISTED)
                .flatMap(entry -> listed(entry).stream())
                .toList();
    }

    private Optional<UploadState> listed(UploadEntry entry) {
        try {
            return Optional.of(asked(entry, UploadEntry::state));
        } catch (TransferException _) {
            // It has gone meanwhile.
            return Optional.empty();
        }
    }

    /**
     * Opens the bytes of an upload that is complete. The caller closes the channel.
     *
     * @throws TransferException {@code INVALID} where it is not complete, {@code GONE} where its file was taken away
     */
    public FileChannel open(String id, String owner) {
        Path file = file(id, owner);
        try {
            return store.disk.openToRead(file);
        } catch (IOException e) {
            throw new TransferException(
                    Kind.GONE,
                    "The file of the upload is not where it was put; somebody has taken it over",
                    e);
        }
    }

    /** Finds the file that an upload has become; it may be taken away at any time. Throws as {@link #open} does. */
    public Path file(String id, String owner) {
        UploadEntry entry = find(id, owner);
        if (!entry.stage.isComplete()) {
            throw new TransferException(
                    Kind.INVALID,
                    "The upload is not complete; it has %d bytes so far".formatted(entry.offset));
        }
        Path file = entry.isPartial ? entry.files.data() : store.directory.resolve(entry.target);
        try {
            boolean isThere =
                    entry.isPartial
                            ? Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                            : Removal.isFileOf(entry, file);
            if (isThere) {
                return file;
            }
        } catch (IOException e) {
            throw entry.failure("While the file of an upload was looked for", e);
        }
        throw new TransferException(
                Kind.GONE,
                "The file of the upload is not where it was put; somebody has taken it over or changed it");
    }

    /** Removes what has expired, and goes on with what could not be completed or removed before. */
    public void sweep() {
        requireOpen();
        sweeper.sweep();
    }

    /** Ends all appends, and returns when nothing is written any more. What is there stays. */
    @Override
    public void close() {
        if (store.closed) {
            return;
        }
        store.closed = true;
        sweeper.close();
        store.entries.values().forEach(entry -> entry.close(CLOSE_SECONDS));
        store.writeBack.close();
    }

    /** The reservations; for tests. */
    Reservations reservations() {
        return store.reservations;
    }

    private void requireOpen() {
        if (store.closed) {
            throw new TransferException(
                    Kind.FAILED, "The store of uploads is closed; the server stops");
        }
    }

    private UploadEntry find(String id, String owner) {
        requireOpen();
        UploadEntry entry = store.entries.get(id);
        if (entry != null && entry.owner.equals(owner)) {
            if (entry.isExpired()) {
                throw new TransferException(Kind.GONE, "The upload has expired; begin a new one");
            }
            return entry;
        }
        if (store.ended.has(id, owner)) {
            throw new TransferException(
                    Kind.GONE, "The upload was deleted or has expired; begin a new one");
        }
        throw new TransferException(
                Kind.NOT_FOUND, "There is no such upload, or it is not yours; begin a new one");
    }

    private <T> T asked(UploadEntry entry, Function<UploadEntry, T> question) {
        try {
            entry.requireLive();
            return question.apply(entry);
        } catch (TransferException e) {
            throw unlessLost(entry, e);
        }
    }

    /** Forgets an upload whose directory is gone, so that it does not hold its space any longer. */
    private TransferException unlessLost(UploadEntry entry, TransferException failure) {
        if (failure.kind() == Kind.NOT_WRITABLE || failure.kind() == Kind.FAILED) {
            removal.forgetLost(entry);
        }
        return failure;
    }
}
