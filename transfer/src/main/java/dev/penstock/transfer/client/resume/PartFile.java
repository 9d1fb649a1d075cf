package dev.penstock.transfer.client.resume;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code NAME.part} of a download, locked against other downloads of the same target as long as it is open.
 *
 * <p>{@link #publish} gives it its name: what carries the name is always whole. Writes are positional and may come from
 * several threads.
 */
public final class PartFile implements AutoCloseable {
    private final Path target;
    private final Path path;
    private final FileChannel channel;

    private PartFile(Path target, Path path, FileChannel channel) {
        this.target = target;
        this.path = path;
        this.channel = channel;
    }

    /**
     * Opens the part file of a target, with what is in it.
     *
     * @throws TransferException when its directory can't be written, or another download has it open
     */
    public static PartFile open(Path target) throws IOException {
        Path path = target.resolveSibling(target.getFileName() + ".part");
        if (Files.isDirectory(target)) {
            throw new TransferException(
                    Kind.INVALID,
                    target + " is a directory; name the file in it that is to be made");
        }
        FileChannel channel;
        try {
            channel =
                    FileChannel.open(
                            path,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
        } catch (AccessDeniedException | NoSuchFileException e) {
            throw new TransferException(
                    Kind.NOT_WRITABLE,
                    "%s can't be written; make its directory, or allow it to be written"
                            .formatted(path),
                    e);
        }
        @Nullable FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw new TransferException(
                    Kind.INVALID,
                    "%s is being downloaded already; wait for that download, or choose another name"
                            .formatted(target));
        }
        return new PartFile(target, path, channel);
    }

    /** The file that describes it. */
    Path statePath() {
        return path.resolveSibling(path.getFileName() + ".state");
    }

    /** Writes all of a buffer at a position. */
    public void write(ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }

    /** Reads at a position; -1 at the end. */
    public int read(ByteBuffer bytes, long position) throws IOException {
        return channel.read(bytes, position);
    }

    /** The bytes that it has. */
    public long size() throws IOException {
        return channel.size();
    }

    /** Drops what lies behind a position. */
    public void truncate(long size) throws IOException {
        channel.truncate(size);
    }

    /** Forces its bytes to the disk. */
    public void force() throws IOException {
        channel.force(false);
    }

    /** Gives it the name of the target, whatever had that name before, and removes its description. */
    public void publish() throws IOException {
        channel.force(true);
        Files.move(
                path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Files.deleteIfExists(statePath());
    }

    /** Removes it and its description. */
    public void discard() throws IOException {
        Files.deleteIfExists(statePath());
        Files.deleteIfExists(path);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
