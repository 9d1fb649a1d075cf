package dev.penstock.snapshot.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A writer of segments to a file behind its header, each from a multiple of 64 bytes on, and computes a checksum of
 * each block. Used by one thread.
 */
final class SegmentWriter {
    /** Bytes of a block; the first begins behind the header, and the last one may be shorter. */
    static final int BLOCK = 1 << 20;

    /** The alignment of the first byte of each segment, in bytes. */
    private static final int ALIGNMENT = 64;

    private final FileChannel channel;
    private final CRC32C checksum = new CRC32C();
    private final List<Integer> checksums = new ArrayList<>();
    private long position = FileHeader.BYTES;

    /** Goes on behind the header, for which room is left. */
    SegmentWriter(FileChannel channel) throws IOException {
        this.channel = channel;
        channel.position(position);
    }

    /** Returns where the next byte goes. */
    long position() {
        return position;
    }

    /** Writes a segment; returns where it begins. */
    long write(MemorySegment segment) throws IOException {
        int padding = (int) (-position & (ALIGNMENT - 1));
        append(ByteBuffer.allocate(padding));
        long start = position;
        long size = segment.byteSize();
        for (long from = 0; from < size; from += BLOCK) {
            append(segment.asSlice(from, Math.min(BLOCK, size - from)).asByteBuffer());
        }
        return start;
    }

    private void append(ByteBuffer bytes) throws IOException {
        int limit = bytes.limit();
        while (bytes.position() < limit) {
            int inBlock = (int) ((position - FileHeader.BYTES) % BLOCK);
            int count = Math.min(limit - bytes.position(), BLOCK - inBlock);
            bytes.limit(bytes.position() + count);
            checksum.update(bytes.duplicate());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            bytes.limit(limit);
            position += count;
            if (inBlock + count == BLOCK) {
                endBlock();
            }
        }
    }

    private void endBlock() {
        checksums.add((int) checksum.getValue());
        checksum.reset();
    }

    /** Returns the checksums of all blocks. Nothing is written after that. */
    List<Integer> checksums() {
        if ((position - FileHeader.BYTES) % BLOCK != 0) {
            endBlock();
        }
        return checksums;
    }
}
