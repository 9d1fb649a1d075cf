package dev.penstock.transfer.store;

import dev.penstock.transfer.store.journal.Disk;
import dev.penstock.transfer.store.journal.Journal;
import dev.penstock.transfer.store.journal.JournalRecord;
import dev.penstock.transfer.store.journal.Stage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Changes to journals as crashes make them. */
final class JournalEdits {
    /** Of a journal. */
    static final int BYTES = 8 * 1024;

    private static final int RECORD_BYTES = 512;

    private JournalEdits() {}

    /** Takes an upload back to another stage. */
    static void stage(Path journal, String stage) throws IOException {
        JournalRecord last = Journal.read(Disk.SYSTEM, journal).orElseThrow();
        JournalRecord next =
                new JournalRecord(
                        last.sequence() + 1,
                        last.boot(),
                        Stage.valueOf(stage),
                        last.forced(),
                        last.length(),
                        last.unverified(),
                        last.touched(),
                        last.fileTime(),
                        last.target());
        Journal.append(Disk.SYSTEM, journal, next, false);
    }

    /** Leaves half of the newest record. */
    static void tearNewest(Path journal) throws IOException {
        JournalRecord last = Journal.read(Disk.SYSTEM, journal).orElseThrow();
        try (FileChannel channel = FileChannel.open(journal, StandardOpenOption.WRITE)) {
            long slot = (last.sequence() & 1) * (BYTES / 2);
            channel.write(ByteBuffer.allocate(RECORD_BYTES / 2), slot + RECORD_BYTES / 2);
        }
    }
}
