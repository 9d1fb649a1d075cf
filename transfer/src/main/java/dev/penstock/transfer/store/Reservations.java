package dev.penstock.transfer.store;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.store.journal.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that uploads may use, given in one step each to requests that come together. They count twice: towards
 * the quotas of the owner and of all, from when they are reserved until the upload is complete or gone; and, as long as
 * they are not written, towards the space on the disk, of which all reservations together never promise more than there
 * is. Thread-safe.
 */
final class Reservations {
    private final StoreLimits limits;
    private final Disk disk;
    private final Path directory;
    private final Map<String, Share> shares = new HashMap<>();

    /** Promised, and not written yet. */
    private final AtomicLong unwritten = new AtomicLong();

    private long bytes;
    private int uploads;

    /** The bytes and the uploads of an owner. */
    private static final class Share {
        private long bytes;
        private int uploads;
    }

    Reservations(StoreLimits limits, Disk disk, Path directory) {
        this.limits = limits;
        this.disk = disk;
        this.directory = directory;
    }

    /** The bytes that one upload may have. Its methods may be called on any thread. */
    final class Reservation {
        private final String owner;
        private long reserved;
        private long written;
        private boolean holdsSpace = true;
        private boolean released;

        private Reservation(String owner) {
            this.owner = owner;
        }

        /** Sees to it that it has so many bytes in all. */
        void require(long wanted) {
            synchronized (Reservations.this) {
                if (wanted > reserved && !released) {
                    reserve(this, wanted - reserved);
                }
            }
        }

        /** Has the same, or a step less if there is no room for a whole step. */
        void grow(long needed, long step) {
            synchronized (Reservations.this) {
                if (needed <= reserved || released) {
                    return;
                }
                try {
                    reserve(this, needed + step - reserved);
                } catch (TransferException _) {
                    reserve(this, needed - reserved);
                }
            }
        }

        /** Gives back what it has beyond so many bytes. */
        void trim(long wanted) {
            synchronized (Reservations.this) {
                if (wanted < reserved && !released) {
                    long surplus = reserved - wanted;
                    count(owner, -surplus, 0);
                    reserved = wanted;
                    if (holdsSpace) {
                        unwritten.addAndGet(-surplus);
                    }
                }
            }
        }

        /** Notes that so many bytes are there. */
        void written(long total) {
            synchronized (Reservations.this) {
                if (holdsSpace && !released) {
                    unwritten.addAndGet(written - total);
                }
                written = total;
            }
        }

        /** Gives back the space that is not written, after the disk had none; the quota stays. */
        void giveSpaceBack() {
            synchronized (Reservations.this) {
                if (holdsSpace && !released) {
                    holdsSpace = false;
                    unwritten.addAndGet(written - reserved);
                }
            }
        }

        /** Takes it again. */
        void takeSpace() {
            synchronized (Reservations.this) {
                if (!holdsSpace && !released) {
                    requireSpace(reserved - written);
                    holdsSpace = true;
                    unwritten.addAndGet(reserved - written);
                }
            }
        }

        /** Gives everything back, once. */
        void release() {
            synchronized (Reservations.this) {
                if (!released) {
                    giveSpaceBack();
                    count(owner, -reserved, -1);
                    released = true;
                }
            }
        }
    }

    /** Reserves bytes for a new upload. */
    synchronized Reservation open(String owner, long wanted) {
        Share share = shares.get(owner);
        if (share != null && share.uploads >= limits.ownerUploads()) {
            throw quota(
                    "The owner has %d unfinished uploads, and %d are allowed"
                            .formatted(share.uploads, limits.ownerUploads()));
        }
        if (uploads >= limits.totalUploads()) {
            throw quota(
                    "There are %d unfinished uploads, and %d are allowed"
                            .formatted(uploads, limits.totalUploads()));
        }
        Reservation reservation = new Reservation(owner);
        count(owner, 0, 1);
        try {
            reserve(reservation, wanted);
        } catch (TransferException e) {
            count(owner, 0, -1);
            throw e;
        }
        return reservation;
    }

    /** Reserves what an upload had before the store was opened, whether or not the limits are others now. */
    synchronized Reservation restore(String owner, long reserved, long written) {
        Reservation reservation = new Reservation(owner);
        count(owner, reserved, 1);
        reservation.reserved = reserved;
        reservation.written = written;
        unwritten.addAndGet(reserved - written);
        return reservation;
    }

    /** The reservation of an upload that needs none. */
    Reservation none(String owner) {
        Reservation reservation = new Reservation(owner);
        reservation.released = true;
        return reservation;
    }

    /** Bytes that are reserved. */
    synchronized long bytes() {
        return bytes;
    }

    /** Bytes that are promised and not written. */
    long unwrittenBytes() {
        return unwritten.get();
    }

    /** Uploads that have a reservation. */
    synchronized int uploads() {
        return uploads;
    }

    private void reserve(Reservation reservation, long more) {
        Share share = shares.computeIfAbsent(reservation.owner, _ -> new Share());
        if (more > limits.ownerBytes() - share.bytes) {
            throw quota(
                    "%d bytes more would be too many for the owner, whose uploads have %d of %d bytes"
                            .formatted(more, share.bytes, limits.ownerBytes()));
        }
        if (more > limits.totalBytes() - bytes) {
            throw quota(
                    "%d bytes more would be too many; all uploads together have %d of %d bytes"
                            .formatted(more, bytes, limits.totalBytes()));
        }
        if (reservation.holdsSpace) {
            requireSpace(more);
            unwritten.addAndGet(more);
        }
        reservation.reserved += more;
        count(reservation.owner, more, 0);
    }

    private void requireSpace(long wanted) {
        if (wanted <= 0) {
            return;
        }
        long usable;
        try {
            usable = disk.usableBytes(directory);
        } catch (IOException e) {
            throw StoreFailure.of("While the free space was looked up", e);
        }
        if (wanted > usable - limits.freeBytes() - unwritten.get()) {
            throw new TransferException(
                    Kind.NO_SPACE,
                    "The disk has no room for %d bytes: %d are free, %d of them promised to other uploads, and %d stay"
                                    .formatted(wanted, usable, unwritten.get(), limits.freeBytes())
                            + " free; try again later");
        }
    }

    private void count(String owner, long moreBytes, int moreUploads) {
        Share share = shares.computeIfAbsent(owner, _ -> new Share());
        share.bytes += moreBytes;
        share.uploads += moreUploads;
        bytes += moreBytes;
        uploads += moreUploads;
        if (share.uploads == 0 && share.bytes == 0) {
            shares.remove(owner);
        }
    }

    private static TransferException quota(String what) {
        return new TransferException(
                Kind.QUOTA_EXCEEDED, what + "; complete or delete one, then try again");
    }
}
