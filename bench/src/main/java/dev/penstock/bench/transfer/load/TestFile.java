package dev.penstock.bench.transfer.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.zip.CRC32C;

/**
 * A file of random bytes that is sent and received, with its checksum.
 *
 * @param path where it is
 * @param bytes its length
 * @param checksum its CRC32C
 */
public record TestFile(Path path, long bytes, long checksum) {
    private static final int BLOCK = 1 << 20;

    /** Writes one. Files of different seeds differ everywhere. */
    public static TestFile write(Path path, long bytes, long seed) throws IOException {
        byte[] block = new byte[BLOCK];
        Random random = new Random(seed);
        CRC32C checksum = new CRC32C();
        try (FileChannel file =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            for (long at = 0; at < bytes; at += BLOCK) {
                random.nextBytes(block);
                ByteBuffer next = ByteBuffer.wrap(block, 0, (int) Math.min(BLOCK, bytes - at));
                checksum.update(next.duplicate());
                while (next.hasRemaining()) {
                    file.write(next);
                }
            }
            // What the disk has still to write would disturb what is measured.
            file.force(true);
        }
        return new TestFile(path, bytes, checksum.getValue());
    }

    /** Makes a file without blocks on the disk, which reads as zeros; its checksum is not known. */
    public static TestFile sparse(Path path, long bytes) throws IOException {
        try (FileChannel file =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.SPARSE)) {
            file.write(ByteBuffer.allocate(1), bytes - 1);
        }
        return new TestFile(path, bytes, 0);
    }

    /** Reads all of it, so that it is in memory as far as there is room: the system may have dropped it meanwhile. */
    public void readThrough() throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            while (file.read(block.clear()) >= 0) {
                // Nothing is done with it.
            }
        }
    }

    /** Has the operating system drop from memory what it has of it. */
    public void evict() throws IOException {
        evict(path);
    }

    /** Has the operating system drop from memory what it has of any file; it keeps what a process has mapped. */
    public static void evict(Path path) throws IOException {
        try {
            Process dd =
                    new ProcessBuilder("dd", "if=" + path, "iflag=nocache", "count=0")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (dd.waitFor() != 0) {
                throw new IOException("dd could not drop " + path + " from memory");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a file was dropped from memory", e);
        }
    }

    /** Returns whether a file has the same length and checksum. */
    public boolean isSame(Path other) {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        CRC32C sum = new CRC32C();
        try (FileChannel file = FileChannel.open(other)) {
            if (file.size() != bytes) {
                return false;
            }
            while (file.read(block.clear()) >= 0) {
                sum.update(block.flip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + other + " failed", e);
        }
        return sum.getValue() == checksum;
    }
}
