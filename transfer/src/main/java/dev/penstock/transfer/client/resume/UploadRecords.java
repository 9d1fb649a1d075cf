package dev.penstock.transfer.client.resume;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The uploads that a client has begun, one small file each in a directory that only its user can read.
 *
 * <p>Where the directory can't be used, uploads go on without it, and a kill then costs what was sent.
 */
public final class UploadRecords {
    private static final Duration KEPT = Duration.ofDays(30);

    private final Path directory;
    private final InstantSource clock;

    /** Records in a directory, which is made when the first is written. */
    public UploadRecords(Path directory, InstantSource clock) {
        this.directory = directory;
        this.clock = clock;
    }

    /** The directory for a user of this system: {@code $XDG_STATE_HOME/penstock/transfers}, or below the home. */
    public static Path defaultDirectory(Map<String, String> environment, String home) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        Path base = state.startsWith("/") ? Path.of(state) : Path.of(home, ".local", "state");
        return base.resolve("penstock").resolve("transfers");
    }

    /** The directory. */
    public Path directory() {
        return directory;
    }

    /**
     * Opens the record of an upload.
     *
     * @param key that identifies what is sent and where to; a name of a file
     * @return nothing when another transfer has it open, or the directory can't be used
     */
    public Optional<Entry> open(String key) {
        try {
            prepare();
            Path path = directory.resolve(key + ".upload");
            Path lockPath = directory.resolve(key + ".lock");
            Optional<FileClaim> claim = FileClaim.take(lockPath);
            if (claim.isEmpty()) {
                return Optional.empty();
            }
            Optional<FileChannel> lockFile = Optional.empty();
            try {
                lockFile = openLocked(lockPath);
            } finally {
                if (lockFile.isEmpty()) {
                    claim.get().close();
                }
            }
            return lockFile.map(file -> new Entry(path, claim.get(), file));
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    private static Optional<FileChannel> openLocked(Path path) throws IOException {
        FileChannel file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean isLocked = false;
        try {
            isLocked = file.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // Something else of this process has locked it.
        } finally {
            if (!isLocked) {
                file.close();
            }
        }
        return isLocked ? Optional.of(file) : Optional.empty();
    }

    private void prepare() throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory.toAbsolutePath().getParent());
            try {
                Files.createDirectory(
                        directory,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
            } catch (UnsupportedOperationException e) {
                Files.createDirectories(directory);
            } catch (FileSystemException e) {
                if (!Files.isDirectory(directory)) {
                    throw e;
                }
            }
        }
        Instant oldest = clock.instant().minus(KEPT);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files.limit(10_000)::iterator) {
                removeIfOld(file, oldest);
            }
        }
    }

    private static void removeIfOld(Path file, Instant oldest) throws IOException {
        String name = file.getFileName().toString();
        boolean isOurs =
                name.endsWith(".upload") || name.endsWith(".lock") || name.endsWith(".new");
        if (isOurs
                && Files.exists(file)
                && Files.getLastModifiedTime(file).toInstant().isBefore(oldest)) {
            Files.deleteIfExists(file);
        }
    }

    /** The record of one upload, which no other transfer has open. */
    public static final class Entry implements AutoCloseable {
        private final Path path;
        private final FileClaim claim;
        private final FileChannel lockFile;

        private Entry(Path path, FileClaim claim, FileChannel lockFile) {
            this.path = path;
            this.claim = claim;
            this.lockFile = lockFile;
        }

        /** Reads what was written, line by line; nothing when there is no such record, or it is torn. */
        public List<String> read() throws IOException {
            return Journal.read(path);
        }

        /** Writes these lines in the place of what is there, at once or not at all. */
        public void write(List<String> lines) throws IOException {
            try (Journal journal = Journal.open(path)) {
                journal.rewrite(lines);
            }
        }

        /** Removes it. */
        public void remove() throws IOException {
            Files.deleteIfExists(path);
        }

        @Override
        public void close() throws IOException {
            try {
                lockFile.close();
            } finally {
                claim.close();
            }
        }
    }
}
