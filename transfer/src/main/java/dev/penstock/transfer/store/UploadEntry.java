package dev.penstock.transfer.store;

import dev.penstock.transfer.Durability;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.Upload;
import dev.penstock.transfer.store.UploadDirectory.Description;
import dev.penstock.transfer.store.journal.Journal;
import dev.penstock.transfer.store.journal.JournalRecord;
import dev.penstock.transfer.store.journal.Stage;
import dev.penstock.transfer.store.journal.Uninterrupted;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An upload of an open store. Its state is in volatile fields, which anyone reads without a lock; changes are made
 * under {@link #lock}, which an append holds while it writes a buffer and never while it waits for its body. Whoever
 * completes the upload holds {@link #finishing}.
 */
final class UploadEntry {
    static final String DISK_FAILED = "The disk has failed; ask for the offset, and go on there";

    private static final long LOCK_SECONDS = 60;

    final String id;
    final String owner;
    final boolean isPartial;
    final long created;
    final UploadDirectory files;
    final Reservations.Reservation reservation;

    /** Fair, so that a newer request gets its turn beside an append that never waits. */
    final ReentrantLock lock = new ReentrantLock(true);

    final ReentrantLock finishing = new ReentrantLock();

    /** The append that runs; changed under the lock. */
    volatile @Nullable AppendRun running;

    volatile Stage stage = Stage.RECEIVING;
    volatile long offset;
    volatile long length;
    volatile long touched;
    volatile boolean gone;

    /** Why the application did not take the bytes, for all who wait for its answer; null where it has not refused. */
    volatile @Nullable TransferException refusal;

    /** Bytes of the data that are on the disk. */
    volatile long forced;

    /** Of them, how many the journal on the disk tells of too. */
    private volatile long acknowledged;

    /** The offset at which an append began whose digest was not compared yet; -1 for none. */
    volatile long unverified = -1;

    volatile long fileTime;
    volatile String target = "";

    private final StoreContext store;
    private final Object journal = new Object();
    private final Object forcing = new Object();

    /** Guarded by {@link #forcing}: a force has failed, and the offset has not gone back yet. */
    private boolean isSuspect;

    /** Guarded by {@link #forcing}: how often the offset has gone back. */
    private int setbacks;

    private long sequence;
    private volatile WeakReference<Description> description;

    UploadEntry(
            StoreContext store,
            Description description,
            long length,
            Reservations.Reservation reservation) {
        this.store = store;
        this.reservation = reservation;
        id = description.id();
        owner = description.upload().owner();
        isPartial = description.upload().isPartial();
        created = description.created().toEpochMilli();
        files = new UploadDirectory(store.disk, store.uploads.resolve(id));
        this.length = length;
        this.description = new WeakReference<>(description);
        touched = created;
    }

    /** Takes over what a journal says; nothing runs yet. */
    void restore(JournalRecord record) {
        sequence = record.sequence();
        stage = record.stage();
        forced = record.forced();
        length = record.length();
        touched = record.touched();
        fileTime = record.fileTime();
        target = record.target();
    }

    /** The record that says how it is. */
    JournalRecord record() {
        return new JournalRecord(
                sequence, store.boot, stage, forced, length, unverified, touched, fileTime, target);
    }

    /** Writes in the journal how it is. */
    void log(boolean force) throws IOException {
        synchronized (journal) {
            sequence++;
            JournalRecord record = record();
            try {
                Uninterrupted.run(() -> Journal.append(store.disk, files.journal(), record, force));
            } catch (IOException e) {
                // The next record goes to the same slot, so that the other one stays.
                sequence--;
                throw e;
            }
            if (force) {
                acknowledged = Math.max(acknowledged, record.forced());
            }
        }
    }

    /** Writes it where nothing depends on it. */
    void tryLog() {
        try {
            log(false);
        } catch (IOException e) {
            StoreContext.LOGGER.log(
                    System.Logger.Level.WARNING,
                    "The journal of upload " + id + " can't be written",
                    e);
        }
    }

    /** Takes the lock, or says that the file system hangs. */
    void lock() {
        try {
            if (lock.tryLock(LOCK_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new TransferException(Kind.FAILED, "The request was interrupted; try again");
        }
        throw new TransferException(
                Kind.FAILED,
                "A write to the disk has not returned for %d s; try again later"
                        .formatted(LOCK_SECONDS));
    }

    /** Refuses what is not there any more. */
    void requireLive() {
        TransferException refused = refusal;
        if (refused != null) {
            throw new TransferException(
                    refused.kind(), String.valueOf(refused.getMessage()), refused);
        }
        if (gone) {
            throw new TransferException(
                    Kind.GONE, "The upload was deleted or has expired; begin a new one");
        }
    }

    /** Ends the append that runs, under the lock; nothing of it is written from now on. */
    void endRunning(Kind kind, String why) {
        AppendRun run = running;
        if (run != null) {
            // First, for whoever looks without the lock whether it has expired.
            touched = store.now();
            running = null;
            run.end(kind, why);
            receivedIfWhole();
            trim();
        }
    }

    /** Notes that all bytes are there, also where the append that brought the last one was ended. Under the lock. */
    void receivedIfWhole() {
        if (stage == Stage.RECEIVING && unverified < 0 && length >= 0 && offset == length) {
            stage = Stage.RECEIVED;
        }
    }

    /** Cuts off bytes that do not count, such as those of an append whose digest was never compared. */
    void cutToOffset() throws IOException {
        Uninterrupted.run(() -> {
            try (FileChannel channel = store.disk.openToWrite(files.data())) {
                if (channel.size() > offset) {
                    channel.truncate(offset);
                }
            }
        });
        unverified = -1;
    }

    /** Gives back what was reserved for bytes that have not come. */
    void trim() {
        reservation.trim(Math.max(length, offset));
    }

    /** Forces data and journal, if that is necessary for so many bytes to be stated. */
    void acknowledge(long bytes) {
        if (store.durability == Durability.ACKNOWLEDGED && acknowledged < bytes) {
            force(true);
            if (acknowledged < bytes) {
                // Another force has failed meanwhile, and the offset has gone back behind them.
                throw new TransferException(Kind.FAILED, DISK_FAILED);
            }
        }
    }

    /** Ends what goes on, and waits for the application if that looks at it, so long at most. */
    void close(int seconds) {
        boolean wasRunning;
        lock.lock();
        try {
            wasRunning = running != null;
            endRunning(Kind.FAILED, "The server stops; go on when it is there again");
        } finally {
            lock.unlock();
        }
        try {
            if (wasRunning && store.forces()) {
                force(true);
            }
            if (finishing.isLocked() && finishing.tryLock(seconds, TimeUnit.SECONDS)) {
                finishing.unlock();
            }
        } catch (TransferException _) {
            // It is logged, and what is there was not stated.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** The number of bytes that may be stated without anything being forced first. */
    long statable() {
        return store.durability == Durability.ACKNOWLEDGED
                ? Math.min(acknowledged, offset)
                : offset;
    }

    /**
     * Forces the data that is there.
     *
     * @param withJournal whether the journal's record of it is forced too
     */
    void force(boolean withJournal) {
        int known = 0;
        try {
            synchronized (forcing) {
                known = setbacks;
                long reached = offset;
                if (forced < reached) {
                    if (isSuspect) {
                        throw new IOException("An earlier force has failed");
                    }
                    // The system tells of a failed write-back once: no other force may succeed
                    // until the offset has gone back.
                    isSuspect = true;
                    forceData();
                    isSuspect = false;
                    forced = reached;
                }
                if (!withJournal || acknowledged < forced) {
                    log(withJournal);
                }
            }
        } catch (IOException e) {
            distrust(known);
            throw failure("While bytes were forced to the disk", e);
        }
    }

    /** Forces the file, whatever of it counts. */
    void forceData() throws IOException {
        Uninterrupted.run(() -> {
            try (FileChannel channel = store.disk.openToWrite(files.data())) {
                channel.force(false);
            }
        });
    }

    /**
     * After a failed force nobody knows what is on the disk: goes back to what was there before.
     *
     * @param known how often it had gone back when that force began; where another that failed has gone back since, an
     *     append that began after that must not be ended by this one
     */
    private void distrust(int known) {
        lock();
        try {
            synchronized (forcing) {
                if (setbacks != known) {
                    return;
                }
            }
            endRunning(Kind.FAILED, DISK_FAILED);
            if (stage == Stage.RECEIVING || stage == Stage.RECEIVED) {
                stage = Stage.RECEIVING;
                offset = Math.min(offset, forced);
                tryLog();
            }
            synchronized (forcing) {
                isSuspect = false;
                setbacks++;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Logs a failure of the file system, and makes an exception of it that names no path. */
    TransferException failure(String doing, IOException cause) {
        StoreContext.LOGGER.log(System.Logger.Level.WARNING, doing + ", of upload " + id, cause);
        return StoreFailure.of(doing, cause);
    }

    Instant expires() {
        if (stage.isComplete() && !isPartial) {
            return after(touched, store.settings.finishedAge());
        }
        return after(running == null ? touched : store.now(), store.settings.unfinishedAge());
    }

    private static Instant after(long millis, Duration age) {
        try {
            return Instant.ofEpochMilli(millis).plus(age);
        } catch (ArithmeticException | DateTimeException _) {
            return Instant.MAX;
        }
    }

    boolean isExpired() {
        return running == null
                && !finishing.isLocked()
                && !Instant.ofEpochMilli(store.now()).isBefore(expires());
    }

    /** Reads what it was created with, from the disk unless somebody else holds it just now. */
    Description description() {
        Description known = description.get();
        if (known != null) {
            return known;
        }
        try {
            Description read =
                    files.describe()
                            .orElseThrow(() -> new NoSuchFileException(id + "/description"));
            description = new WeakReference<>(read);
            return read;
        } catch (IOException e) {
            throw failure("While the description was read", e);
        }
    }

    OptionalLong knownLength() {
        long known = length;
        return known < 0 ? OptionalLong.empty() : OptionalLong.of(known);
    }

    /** Notes the length, which is said once. */
    void setLength(long wanted) {
        if (wanted < 0) {
            throw new TransferException(
                    Kind.INVALID, "The length is %d; it can't be negative".formatted(wanted));
        }
        Creation.requireAllowed(store.settings.limits(), wanted);
        lock();
        try {
            requireLive();
            if (length == wanted) {
                return;
            }
            AppendRun run = running;
            if (length >= 0 || wanted < (run == null ? offset : run.position())) {
                throw new TransferException(
                        Kind.LENGTH_MISMATCH,
                        length >= 0
                                ? "The length was said to be %d bytes, and stays so"
                                        .formatted(length)
                                : "The length can't be %d bytes; %d are there"
                                        .formatted(wanted, offset));
            }
            reservation.require(wanted);
            length = wanted;
            if (run == null && offset == wanted) {
                stage = Stage.RECEIVED;
            }
            log(store.forces());
        } catch (IOException e) {
            throw failure("When the length was noted", e);
        } finally {
            lock.unlock();
        }
    }

    /** Describes it as a client may be told. */
    UploadState state() {
        boolean isComplete = stage.isComplete();
        long reached = offset;
        if (!isComplete) {
            acknowledge(reached);
        }
        return new UploadState(
                id,
                reached,
                knownLength(),
                isComplete,
                Instant.ofEpochMilli(created),
                expires(),
                description().upload());
    }

    /** Describes it as an application sees it. */
    Upload upload() {
        NewUpload upload = description().upload();
        return new Upload(
                id,
                owner,
                upload.fileName(),
                upload.mediaType(),
                knownLength(),
                offset,
                stage.isComplete(),
                Instant.ofEpochMilli(created),
                expires(),
                upload.facts());
    }
}
