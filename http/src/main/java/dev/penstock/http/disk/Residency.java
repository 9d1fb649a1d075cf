package dev.penstock.http.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of whether bytes of a file are in memory. Thread-safe; nothing here waits for a disk.
 *
 * <p>The operating system is asked by {@code mincore}, which is what {@code MemorySegment.isLoaded} calls. Linux tells
 * the truth only to the file's owner and to those who may write it, and to all others that everything is there; where
 * that is so, it is not asked.
 */
public final class Residency {
    /** Nothing is known, and nobody can be asked. */
    public static final Residency UNKNOWN = new Residency(false, -1);

    /** How long bytes that were in memory are taken to be there still. */
    static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A larger file is not taken to be in memory as a whole because it was there lately. */
    private static final long MOST_REMEMBERED = 16 * 1024 * 1024;

    /** Noting a use costs other processors a little, so it is not done more often. */
    private static final long NOTED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final @Nullable Object OWN_USER = user(Path.of("/proc/self"));

    private final boolean isTold;
    private final long size;

    /** When all of the file had been sent the last time; long ago at first. */
    private volatile long sentNanos = System.nanoTime() - VALID_NANOS;

    private Residency(boolean isTold, long size) {
        this.isTold = isTold;
        this.size = size;
    }

    /**
     * That of a file that was opened.
     *
     * @param path its real path
     * @param size its length as it was opened
     */
    public static Residency of(Path path, long size) {
        Object owner = user(path);
        boolean isOwner = owner != null && owner.equals(OWN_USER);
        return new Residency(isOwner || Files.isWritable(path), size);
    }

    /** The number of a file's owner; null where files have none. */
    private static @Nullable Object user(Path file) {
        try {
            return Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            return null;
        }
    }

    /** Returns whether all of the file was sent within the last second, and is not large. */
    boolean wasSentLately(long now) {
        return size >= 0 && now - sentNanos < VALID_NANOS;
    }

    /** Notes that bytes have been sent. */
    public void sent(long position, long count) {
        if (position == 0 && count == size && size <= MOST_REMEMBERED) {
            long now = System.nanoTime();
            if (now - sentNanos > NOTED_NANOS) {
                sentNanos = now;
            }
        }
    }

    /** Returns whether the operating system says that these bytes are in memory. */
    boolean isResident(FileChannel file, long from, long to) {
        if (!isTold) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            return file.map(MapMode.READ_ONLY, from, to - from, arena).isLoaded();
        } catch (IOException | UnsupportedOperationException _) {
            // It has become shorter, or is of a file system that does not map. Whoever reads it
            // will see.
            return false;
        }
    }
}
