package dev.penstock.snapshot.file;

import dev.penstock.snapshot.work.IndexThreads;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32C;

/** A comparison of the blocks of a file with their checksums, by several threads. */
final class BlockChecksums {
    /** Blocks that one piece of work compares. */
    private static final int BLOCKS_AT_ONCE = 32;

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
        for (int from = 0; from < checksums.size(); from += BLOCKS_AT_ONCE) {
            int first = from;
            int last = Math.min(checksums.size(), from + BLOCKS_AT_ONCE);
            work.add(() -> check.run(first, last));
        }
        IndexThreads.all(work);
        switch (check.failures.peek()) {
            case null -> {}
            case RefusedFileException first -> throw first;
            case IOException first -> throw first;
            case Exception first -> throw new IllegalStateException(first);
        }
    }

    private void run(int first, int last) {
        try {
            ByteBuffer block = ByteBuffer.allocateDirect(SegmentWriter.BLOCK);
            CRC32C checksum = new CRC32C();
            for (int i = first; i < last && failures.isEmpty(); i++) {
                long start = FileHeader.BYTES + (long) i * SegmentWriter.BLOCK;
                block.clear().limit((int) Math.min(SegmentWriter.BLOCK, end - start));
                while (block.hasRemaining()) {
                    if (channel.read(block, start + block.position()) < 0) {
                        throw new EOFException("it was cut while it was read");
                    }
                }
                checksum.reset();
                checksum.update(block.flip());
                if ((int) checksum.getValue() != checksums.get(i)) {
                    throw new RefusedFileException(
                            "is damaged: the checksum of the block at byte %,d is another"
                                    .formatted(start));
                }
            }
        } catch (IOException | RefusedFileException e) {
            failures.add(e);
        }
    }
}
