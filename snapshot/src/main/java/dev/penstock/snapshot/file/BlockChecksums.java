package dev.penstock.snapshot.file;

import dev.penstock.snapshot.work.IndexThreads;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32C;

/** A comparison of the blocks of a file with their checksums, by several threads. */
final class BlockChecksums {
    /** Bytes that are read at once. */
    private static final int READ = 1 << 17;

    private final FileChannel channel;
    private final long end;
    private final List<Integer> checksums;
    private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

    private BlockChecksums(FileChannel channel, long end, List<Integer> checksums) {
        this.channel = channel;
        this.end = end;
        this.checksums = checksums;
    }

    /**
     * Compares the checksum of every block. The file is read for that, and not looked at where it is mapped: what can't
     * be read there ends the process.
     *
     * @param end where the data end
     * @throws RefusedFileException if one is another
     */
    static void check(FileChannel channel, long end, List<Integer> checksums)
            throws IOException, RefusedFileException {
        long size = end - FileHeader.BYTES;
        if (checksums.size() != (size + SegmentWriter.BLOCK - 1) / SegmentWriter.BLOCK) {
            throw new RefusedFileException(
                    "is damaged: it has %,d checksums".formatted(checksums.size()));
        }
        BlockChecksums check = new BlockChecksums(channel, end, checksums);
        List<Runnable> work = new ArrayList<>();
        for (int i = 0; i < checksums.size(); i++) {
            int block = i;
            work.add(() -> check.run(block));
        }
        IndexThreads.all(work);
        switch (check.failures.peek()) {
            case null -> {}
            case RefusedFileException first -> throw first;
            case IOException first -> throw first;
            case Exception first -> throw new IllegalStateException(first);
        }
    }

    private void run(int block) {
        if (!failures.isEmpty()) {
            return;
        }
        // Given back at once, and not by a collection, since as much is taken again for each block.
        try (Arena arena = Arena.ofConfined()) {
            ByteBuffer bytes = arena.allocate(READ).asByteBuffer();
            CRC32C checksum = new CRC32C();
            long start = FileHeader.BYTES + (long) block * SegmentWriter.BLOCK;
            long last = Math.min(end, start + SegmentWriter.BLOCK);
            for (long at = start; at < last; at += bytes.limit()) {
                bytes.clear().limit((int) Math.min(READ, last - at));
                while (bytes.hasRemaining()) {
                    if (channel.read(bytes, at + bytes.position()) < 0) {
                        throw new EOFException("it was cut while it was read");
                    }
                }
                checksum.update(bytes.flip());
            }
            if ((int) checksum.getValue() != checksums.get(block)) {
                throw new RefusedFileException(
                        "is damaged: the checksum of the block at byte %,d is another"
                                .formatted(start));
            }
        } catch (IOException | RefusedFileException e) {
            failures.add(e);
        }
    }
}
