package dev.penstock.transfer.client.resume;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A file that one transfer of this process has for itself until it gives the file back; taken before the file is
 * opened.
 *
 * <p>The lock of a file keeps other processes away, but is no help within one: when a process closes any descriptor of
 * a file, a POSIX system drops every lock that the process has on it. A second transfer that opened the file, only to
 * find it locked, would take the lock from the first one by closing it again. Thread-safe.
 */
final class FileClaim implements AutoCloseable {
    private static final Set<Path> CLAIMED = ConcurrentHashMap.newKeySet();

    private final Path real;
    private final AtomicBoolean isHeld = new AtomicBoolean(true);

    private FileClaim(Path real) {
        this.real = real;
    }

    /**
     * Claims a file, which need not be there yet.
     *
     * @return nothing when it is claimed already, under whichever of its paths
     * @throws NoSuchFileException if its directory is not there
     */
    static Optional<FileClaim> take(Path file) throws IOException {
        Path real = realPath(file);
        return CLAIMED.add(real) ? Optional.of(new FileClaim(real)) : Optional.empty();
    }

    private static Path realPath(Path file) throws IOException {
        try {
            return file.toRealPath();
        } catch (NoSuchFileException _) {
            Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent(), "directory");
            return directory.toRealPath().resolve(file.getFileName());
        }
    }

    /** Gives the file back, after it was closed. */
    @Override
    public void close() {
        if (isHeld.compareAndSet(true, false)) {
            CLAIMED.remove(real);
        }
    }
}
