package dev.penstock.transfer.store.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The journal of an upload: a file with two slots, written in turn, so that a record that a crash has cut short never
 * replaces the one before. The slots are a page apart, since a disk may lose the whole page that it was writing. The
 * file is opened for each record: an upload on which nobody works holds no descriptor.
 */
public final class Journal {
    private static final int SLOT_DISTANCE = 4096;

    private Journal() {}

    /** Makes one with its first record, and takes the space of both slots: later records need none. */
    public static void create(Disk disk, Path file, JournalRecord first) throws IOException {
        try (FileChannel channel = disk.create(file)) {
            write(channel, ByteBuffer.allocate(JournalRecord.BYTES), first.sequence() + 1);
            write(channel, first.encode(), first.sequence());
        }
    }

    /**
     * Adds a record.
     *
     * @param force whether it is on the disk when this returns
     */
    public static void append(Disk disk, Path file, JournalRecord record, boolean force)
            throws IOException {
        try (FileChannel channel = disk.openToWrite(file)) {
            write(channel, record.encode(), record.sequence());
            if (force) {
                channel.force(false);
            }
        }
    }

    private static void write(FileChannel channel, ByteBuffer bytes, long sequence)
            throws IOException {
        long at = (sequence & 1) * SLOT_DISTANCE;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }

    /** Reads the newest record; nothing where a power cut has left none. */
    public static Optional<JournalRecord> read(Disk disk, Path file) throws IOException {
        try (FileChannel channel = disk.openToRead(file)) {
            return Stream.of(slot(channel, 0), slot(channel, SLOT_DISTANCE))
                    .flatMap(Optional::stream)
                    .max(Comparator.comparingLong(JournalRecord::sequence));
        }
    }

    private static Optional<JournalRecord> slot(FileChannel channel, long at) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(JournalRecord.BYTES);
        int read = 0;
        while (read >= 0 && bytes.hasRemaining()) {
            read = channel.read(bytes, at + bytes.position());
        }
        return JournalRecord.decode(bytes.flip());
    }
}
