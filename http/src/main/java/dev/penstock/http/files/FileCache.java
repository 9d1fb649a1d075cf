package dev.penstock.http.files;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The files that were asked for within the last seconds, small ones with their bytes, others open, so that most
 * requests cost no look at the disk. It has at most 1,024 of them, in sets of four by the hash of their paths, of which
 * the one that was asked for longest ago makes room; they have at most 256 descriptors and 4 MiB of bytes together.
 * What nobody asks for is let go within seconds, by a virtual thread that lives while there is anything. Thread-safe;
 * nothing blocks.
 */
final class FileCache {
    private static final int SETS = 256;
    private static final int WAYS = 4;
    private static final int MOST_OPEN = 256;
    private static final int MOST_BYTES = 4 * 1024 * 1024;
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Uses are noted to this precision, so that cores need not tell each other of each. */
    private static final long NOTED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final long validNanos;
    private final LongSupplier clock;
    private final AtomicReferenceArray<@Nullable Entry> entries =
            new AtomicReferenceArray<>(SETS * WAYS);

    /** The descriptors of what is here, and of what was here and is still sent to somebody. */
    private final AtomicInteger open = new AtomicInteger();

    private final AtomicInteger bytes = new AtomicInteger();
    private final AtomicBoolean sweeping = new AtomicBoolean();

    /**
     * @param valid for how long what was found of a file is taken for true; zero to keep nothing
     * @param clock tells nanoseconds
     */
    FileCache(Duration valid, LongSupplier clock) {
        validNanos = valid.toNanos();
        this.clock = clock;
    }

    /** A file, and the request that it answers. */
    private static final class Entry {
        final String path;
        final int codings;
        final OpenFile file;
        final long foundNanos;
        final AtomicBoolean claimed = new AtomicBoolean();
        volatile long usedNanos;

        Entry(String path, int codings, OpenFile file, long now) {
            foundNanos = now;
            usedNanos = now;
            this.path = path;
            this.codings = codings;
            this.file = file;
        }

        boolean answers(String askedPath, int askedCodings) {
            return codings == askedCodings && path.equals(askedPath);
        }
    }

    /**
     * Returns the file that answers a request, as it was found within the time for which that is taken for true; null
     * where there is none.
     *
     * @param codings what the client takes, in whatever encoding
     */
    @Nullable OpenFile fresh(String path, int codings) {
        Entry entry = entry(path, codings);
        return entry != null && entry.foundNanos + validNanos - clock.getAsLong() >= 0
                ? entry.file
                : null;
    }

    /**
     * The same, but when the time is over, only one of those who ask then gets null, and is to look again and {@link
     * #put} what it finds; the others are served with what there is, for as long again.
     */
    @Nullable OpenFile freshOrClaim(String path, int codings) {
        Entry entry = entry(path, codings);
        if (entry == null) {
            return null;
        }
        long age = clock.getAsLong() - entry.foundNanos;
        boolean mayServe =
                age <= validNanos
                        || (maySomebodyServe(age) && !entry.claimed.compareAndSet(false, true));
        return mayServe ? entry.file : null;
    }

    /** Returns whether what is so old may still be served to those who do not look again. */
    private boolean maySomebodyServe(long age) {
        return age <= 2 * validNanos;
    }

    /** Returns the file that answered a request last, however long ago it was looked at; null where there is none. */
    @Nullable OpenFile held(String path, int codings) {
        Entry entry = entry(path, codings);
        return entry == null ? null : entry.file;
    }

    /** Returns whether a file that is open so often may be kept too. */
    boolean hasRoom(int times) {
        return validNanos > 0 && open.get() + times <= MOST_OPEN;
    }

    private @Nullable Entry entry(String path, int codings) {
        int set = set(path, codings);
        for (int i = set; i < set + WAYS; i++) {
            Entry entry = entries.get(i);
            if (entry != null && entry.answers(path, codings)) {
                long now = clock.getAsLong();
                // Whoever finds it too old looks for the file, and puts it here again if it is
                // there.
                if (maySomebodyServe(now - entry.foundNanos)
                        && now - entry.usedNanos > NOTED_NANOS) {
                    entry.usedNanos = now;
                }
                return entry;
            }
        }
        return null;
    }

    private static int set(String path, int codings) {
        int hash = (path.hashCode() * 31 + codings) * 0x9E3779B9;
        return (hash >>> 24) % SETS * WAYS;
    }

    /** Keeps a file for requests like this one, if there is room. The caller's own use of it goes on. */
    void put(String path, int codings, OpenFile file) {
        if (validNanos == 0 || !file.retain()) {
            return;
        }
        if (!reserve(file)) {
            file.release();
            return;
        }
        Entry made = new Entry(path, codings, file, clock.getAsLong());
        Entry before = entries.getAndSet(slot(path, codings), made);
        if (before != null) {
            letGo(before);
        }
        if (sweeping.compareAndSet(false, true)) {
            Thread.ofVirtual().name("penstock-files").start(this::sweep);
        }
    }

    /** Where it goes: instead of itself, or where nothing is, or of what was asked for longest ago. */
    private int slot(String path, int codings) {
        int set = set(path, codings);
        int slot = set;
        long oldest = Long.MAX_VALUE;
        long now = clock.getAsLong();
        for (int i = set; i < set + WAYS; i++) {
            Entry entry = entries.get(i);
            if (entry != null && entry.answers(path, codings)) {
                return i;
            }
            long used = entry == null ? Long.MIN_VALUE : entry.usedNanos - now;
            if (used < oldest) {
                oldest = used;
                slot = i;
            }
        }
        return slot;
    }

    private boolean reserve(OpenFile file) {
        byte[] content = file.content();
        if (content != null) {
            return reserve(bytes, content.length, MOST_BYTES);
        }
        // One that is put again has its descriptors already; it gives them back when its last user
        // lets go of it.
        int times = file.times();
        if (!file.tellsWhenClosed()) {
            if (!reserve(open, times, MOST_OPEN)) {
                return false;
            }
            file.whenClosed(() -> open.addAndGet(-times));
        }
        return true;
    }

    private static boolean reserve(AtomicInteger of, int more, int most) {
        boolean reserved = of.addAndGet(more) <= most;
        if (!reserved) {
            of.addAndGet(-more);
        }
        return reserved;
    }

    private void letGo(Entry entry) {
        byte[] content = entry.file.content();
        if (content != null) {
            bytes.addAndGet(-content.length);
        }
        entry.file.release();
    }

    /** Lets go of what nobody asks for, until there is nothing. */
    private void sweep() {
        boolean more = true;
        while (more) {
            LockSupport.parkNanos(SWEEP_NANOS);
            if (dropIdle() == 0) {
                sweeping.set(false);
                more = !isEmpty() && sweeping.compareAndSet(false, true);
            }
        }
    }

    /** Lets go of what nobody has asked for lately; returns how many are left. */
    int dropIdle() {
        int left = 0;
        long now = clock.getAsLong();
        for (int i = 0; i < entries.length(); i++) {
            Entry entry = entries.get(i);
            if (entry == null) {
                continue;
            }
            left++;
            if (now - entry.usedNanos > IDLE_NANOS && entries.compareAndSet(i, entry, null)) {
                left--;
                letGo(entry);
            }
        }
        return left;
    }

    private boolean isEmpty() {
        for (int i = 0; i < entries.length(); i++) {
            if (entries.get(i) != null) {
                return false;
            }
        }
        return true;
    }
}
