package dev.penstock.transfer.store;

import dev.penstock.transfer.Durability;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.digest.Digest;
import dev.penstock.transfer.digest.ExpectedDigest;
import dev.penstock.transfer.store.journal.Stage;
import dev.penstock.transfer.store.journal.Uninterrupted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * One append while it runs, on the thread of its request.
 *
 * <p>It waits for its body without the upload's lock, and writes under it. A newer request takes the lock, and with it
 * ends this append ({@link #end}): from then on nothing of it is written, however long it still waits for its body, so
 * that nobody has to wait for it. Its thread is interrupted only while it waits for the body, since an interrupt in a
 * write would close the file.
 */
final class AppendRun {
    private static final long PROGRESS_BYTES = 256 * 1024;
    private static final long GROWTH_BYTES = 8L << 20;
    private static final long THROTTLE_SECONDS = 60;

    private final StoreContext store;
    private final UploadEntry entry;
    private final Append append;
    private final @Nullable Digest digest;
    private final Thread thread = Thread.currentThread();
    private final Condition changed;
    private final AtomicBoolean forcing = new AtomicBoolean();

    private long start;
    private volatile long position;
    private volatile long forced;
    private long told;
    private @Nullable FileChannel data;

    // Under the upload's lock.
    private boolean reads;
    private boolean interrupted;
    private @Nullable TransferException ended;

    AppendRun(StoreContext store, UploadEntry entry, Append append) {
        this.store = store;
        this.entry = entry;
        this.append = append;
        digest = append.digest().map(expected -> expected.algorithm().start()).orElse(null);
        changed = entry.lock.newCondition();
    }

    /**
     * Receives the body.
     *
     * @return false if the upload had all its bytes before
     */
    boolean run(long offset) throws IOException {
        if (!begin(offset)) {
            return false;
        }
        try {
            receive();
            finish();
        } catch (IOException | RuntimeException e) {
            throwEnded(e);
            throw e;
        } finally {
            leave();
        }
        return true;
    }

    /** Returns the offset up to which it has written. */
    long reached() {
        return position;
    }

    /** Receives with a buffer of the pool, which is taken when the older append, whose place this one has, is ended. */
    private void receive() throws IOException {
        ByteBuffer buffer = store.buffers.take();
        try {
            copy(buffer);
        } finally {
            store.buffers.give(buffer);
        }
    }

    private boolean begin(long offset) throws IOException {
        entry.lock();
        try {
            entry.requireLive();
            if (entry.stage != Stage.RECEIVING) {
                return false;
            }
            entry.endRunning(
                    Kind.SUPERSEDED,
                    "A newer request goes on with this upload; of two at once, the newer one wins");
            if (entry.stage != Stage.RECEIVING) {
                return false;
            }
            if (offset != entry.offset) {
                throw TransferException.wrongOffset(entry.offset, offset);
            }
            AppendLimits.check(entry, append, store.settings.limits());
            start = offset;
            position = offset;
            forced = offset;
            told = offset;
            prepareSpace();
            entry.reservation.written(offset);
            entry.running = this;
            reads = true;
            return true;
        } finally {
            entry.lock.unlock();
        }
    }

    private void prepareSpace() {
        try {
            entry.reservation.takeSpace();
            openData();
        } catch (RuntimeException e) {
            entry.trim();
            throw e;
        }
    }

    /** Opens the file at its end, without what an append before this one has left behind that does not count. */
    private void openData() {
        try {
            Uninterrupted.run(() -> {
                FileChannel channel = store.disk.openToWrite(entry.files.data());
                try {
                    prepare(channel);
                } catch (IOException | RuntimeException e) {
                    channel.close();
                    throw e;
                }
                data = channel;
            });
        } catch (IOException e) {
            throw entry.failure("When bytes were to be added", e);
        }
    }

    private void prepare(FileChannel channel) throws IOException {
        long size = channel.size();
        if (size < start) {
            throw new IOException("The data has %d bytes instead of %d".formatted(size, start));
        }
        if (size > start) {
            channel.truncate(start);
        }
        long unverified = digest == null ? -1 : start;
        if (entry.unverified != unverified) {
            entry.unverified = unverified;
            entry.log(false);
        }
    }

    private void copy(ByteBuffer buffer) throws IOException {
        while (append.body().read(buffer.clear()) >= 0) {
            buffer.flip();
            if (buffer.hasRemaining()) {
                if (digest != null) {
                    digest.update(buffer.duplicate());
                }
                requireEnd(buffer.remaining());
                write(buffer);
                forceEarly();
                tell();
            }
        }
    }

    /**
     * Before the last bytes that there may be are written, sees that nothing comes behind them: an upload that had them
     * all would be complete.
     */
    private void requireEnd(int bytes) throws IOException {
        StoreLimits limits = store.settings.limits();
        long left = AppendLimits.end(entry, append, start, limits) - position;
        if (bytes > left || (bytes == left && append.body().read(ByteBuffer.allocate(1)) > 0)) {
            throw AppendLimits.surplus(entry, append, start, limits);
        }
    }

    private void write(ByteBuffer buffer) throws IOException {
        entry.lock();
        try {
            stopReading();
            if (entry.length >= 0 && position + buffer.remaining() > entry.length) {
                // The length was said meanwhile.
                throw AppendLimits.surplus(entry, append, start, store.settings.limits());
            }
            entry.reservation.grow(position + buffer.remaining(), GROWTH_BYTES);
            try {
                writeAll(buffer);
            } finally {
                entry.reservation.written(position);
                if (digest == null) {
                    entry.offset = position;
                }
            }
            reads = true;
        } finally {
            entry.lock.unlock();
        }
    }

    private void writeAll(ByteBuffer buffer) throws IOException {
        FileChannel channel = Objects.requireNonNull(data);
        try {
            long reached = position;
            while (buffer.hasRemaining()) {
                reached += channel.write(buffer, reached);
                position = reached;
            }
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            throw entry.failure("While bytes were written", e);
        }
    }

    /** From here on no interrupt comes from a newer request. Under the lock. */
    private void stopReading() {
        reads = false;
        if (interrupted) {
            interrupted = false;
            var _ = Thread.interrupted();
        }
        if (ended != null) {
            throw ended;
        }
    }

    /** Has a thread force what is written, and waits if that is too far behind. */
    private void forceEarly() {
        if (!store.forces()) {
            return;
        }
        if (position - forced >= WriteBack.STEP_BYTES && forcing.compareAndSet(false, true)) {
            store.writeBack.request(this);
        }
        if (position - forced > WriteBack.AHEAD_BYTES) {
            waitForForce();
        }
    }

    private void waitForForce() {
        entry.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(THROTTLE_SECONDS);
            while (ended == null
                    && forcing.get()
                    && position - forced > WriteBack.AHEAD_BYTES
                    && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            entry.lock.unlock();
        }
    }

    /** Forces what is written. On a thread of the store's. */
    void force() throws IOException {
        boolean isForced = false;
        try {
            long reached = position;
            if (digest != null) {
                entry.forceData();
            } else if (entry.running == this) {
                entry.force(store.durability == Durability.ACKNOWLEDGED);
            }
            forced = reached;
            isForced = true;
        } finally {
            entry.lock.lock();
            try {
                if (!isForced && entry.running == this) {
                    // The system tells of a failed write-back once: a later force would succeed.
                    entry.endRunning(Kind.FAILED, UploadEntry.DISK_FAILED);
                }
                forcing.set(false);
                changed.signalAll();
            } finally {
                entry.lock.unlock();
            }
        }
    }

    /** Waits for the force that is under way, of bytes that count only when it has succeeded. Under the lock. */
    private void awaitForce() {
        try {
            long left = TimeUnit.SECONDS.toNanos(THROTTLE_SECONDS);
            while (ended == null && forcing.get()) {
                if (left <= 0) {
                    throw new TransferException(
                            Kind.FAILED,
                            "The disk has not taken the bytes for %d s; try again later"
                                    .formatted(THROTTLE_SECONDS));
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new TransferException(Kind.FAILED, "The request was interrupted; try again");
        }
    }

    private void tell() {
        if (digest == null) {
            long statable = entry.statable();
            if (statable - told >= PROGRESS_BYTES) {
                told = statable;
                append.progress().accept(statable);
            }
        }
    }

    private void finish() {
        AppendLimits.requireWhole(append, position - start);
        if (digest != null) {
            verify(digest);
        }
        entry.lock();
        try {
            stopReading();
            if (digest != null) {
                awaitForce();
                stopReading();
                entry.unverified = -1;
                entry.offset = position;
                logVerified();
            }
            AppendLimits.complete(entry, append);
        } finally {
            entry.lock.unlock();
        }
    }

    private void verify(Digest received) {
        ExpectedDigest expected = append.digest().orElseThrow();
        if (!expected.matches(received.value())) {
            throw new TransferException(
                    Kind.DIGEST_MISMATCH,
                    "The bytes do not have the %s that was sent with them, and were discarded; send them again"
                            .formatted(expected.algorithm().fieldName()));
        }
    }

    private void logVerified() {
        try {
            entry.log(false);
        } catch (IOException e) {
            entry.unverified = start;
            entry.offset = start;
            throw entry.failure("When verified bytes were noted", e);
        }
    }

    /** Throws the failure that has ended this request, of which the one that it has thrown is only a consequence. */
    private void throwEnded(Exception thrown) {
        if (thrown instanceof TransferException failure && failure.kind() == Kind.NO_SPACE) {
            entry.reservation.giveSpaceBack();
        }
        entry.lock.lock();
        try {
            TransferException cause = ended;
            if (cause != null) {
                if (cause != thrown) {
                    cause.addSuppressed(thrown);
                }
                throw cause;
            }
        } finally {
            entry.lock.unlock();
        }
    }

    private void leave() throws IOException {
        entry.lock.lock();
        try {
            reads = false;
            if (interrupted) {
                var _ = Thread.interrupted();
            }
            if (entry.running == this) {
                // First, for whoever looks without the lock whether it has expired.
                entry.touched = store.now();
                entry.running = null;
                discardUnverified();
                entry.receivedIfWhole();
                entry.trim();
                entry.tryLog();
            }
        } finally {
            entry.lock.unlock();
            if (data != null) {
                data.close();
            }
        }
    }

    /** Cuts off the bytes of an append whose digest was wrong, or that did not come to its end. */
    private void discardUnverified() {
        if (entry.unverified < 0) {
            return;
        }
        try {
            Uninterrupted.run(() -> {
                try (FileChannel channel = store.disk.openToWrite(entry.files.data())) {
                    channel.truncate(entry.offset);
                }
            });
            entry.unverified = -1;
            entry.reservation.written(entry.offset);
        } catch (IOException e) {
            StoreContext.LOGGER.log(
                    System.Logger.Level.WARNING,
                    "Unverified bytes of upload " + entry.id + " stay for now",
                    e);
        }
    }

    /** The offset at which the next byte is written, whether or not those before it are verified. */
    long position() {
        return position;
    }

    /** Ends it, under the lock. Its request gets the failure. */
    void end(Kind kind, String why) {
        ended = new TransferException(kind, why);
        if (reads) {
            interrupted = true;
            thread.interrupt();
        }
        changed.signalAll();
    }
}
