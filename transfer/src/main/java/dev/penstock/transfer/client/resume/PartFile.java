package dev.penstock.transfer.client.resume;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
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
    private final FileClaim claim;
    private final UninterruptibleFile file;

    private PartFile(Path target, Path path, FileClaim claim, UninterruptibleFile file) {
        this.target = target;
        this.path = path;
        this.claim = claim;
        this.file = file;
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
        try {
            FileClaim claim = FileClaim.take(path).orElseThrow(() -> busy(target, null));
            try {
                return new PartFile(target, path, claim, openLocked(target, path));
            } catch (IOException | RuntimeException e) {
                claim.close();
                throw e;
            }
        } catch (AccessDeniedException | NoSuchFileException e) {
            throw new TransferException(
                    Kind.NOT_WRITABLE,
                    "%s can't be written; make its directory, or allow it to be written"
                            .formatted(path),
                    e);
        }
    }

    private static UninterruptibleFile openLocked(Path target, Path path) throws IOException {
        UninterruptibleFile file =
                UninterruptibleFile.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        try {
            if (file.tryLock() == null) {
                throw busy(target, null);
            }
            return file;
        } catch (OverlappingFileLockException e) {
            file.close();
            throw busy(target, e);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static TransferException busy(Path target, @Nullable Throwable cause) {
        return new TransferException(
                Kind.INVALID,
                "%s is being downloaded already; wait for that download, or choose another name"
                        .formatted(target),
                cause);
    }

    /** The file that describes it. */
    Path statePath() {
        return path.resolveSibling(path.getFileName() + ".state");
    }

    /** Writes all of a buffer at a position. */
    public void write(ByteBuffer bytes, long position) throws IOException {
        file.write(bytes, position);
    }

    /** Reads at a position; -1 at the end. */
    public int read(ByteBuffer bytes, long position) throws IOException {
        return file.read(bytes, position);
    }

    /** The bytes that it has. */
    public long size() throws IOException {
        return file.size();
    }

    /** Drops what lies behind a position. */
    public void truncate(long size) throws IOException {
        file.truncate(size);
    }

    /** Forces its bytes to the disk. */
    public void force() throws IOException {
        file.force(false);
    }

    /** Gives it the name of the target, whatever had that name before, and removes its description. */
    public void publish() throws IOException {
        file.force(true);
        Files.move(
                path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Files.deleteIfExists(statePath());
        // Another download of the same target has a file of its own from here on.
        claim.close();
    }

    /** Removes it and its description. */
    public void discard() throws IOException {
        Files.deleteIfExists(statePath());
        Files.deleteIfExists(path);
    }

    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            claim.close();
        }
    }
}
