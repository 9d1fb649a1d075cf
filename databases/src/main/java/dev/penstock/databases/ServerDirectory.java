package dev.penstock.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * A directory that holds one server's data from run to run, locked for this JVM. Several JVMs at once get one each, so
 * that test runs beside each other don't meet. The lock is held until the JVM ends.
 */
final class ServerDirectory {
    static final int MAX_JVMS = 256;

    /** Keeps the locks from being collected, which would release them, and let another JVM end our server. */
    private static final Queue<FileLock> HELD = new ConcurrentLinkedQueue<>();

    private final Path path;
    private final int slot;

    private ServerDirectory(Path path, int slot) {
        this.path = path;
        this.slot = slot;
    }

    /** The first directory of that kind of server that no other JVM holds. */
    static ServerDirectory lock(String server) {
        Path root = root();
        for (int slot = 0; slot < MAX_JVMS; slot++) {
            Path path = root.resolve(server + "-" + slot);
            try {
                Files.createDirectories(path);
                FileLock lock = tryLock(path.resolve("lock"));
                if (lock != null) {
                    HELD.add(lock);
                    return new ServerDirectory(path, slot);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "can't use " + path + " for a " + server + " server", e);
            }
        }
        throw new IllegalStateException(
                MAX_JVMS + " JVMs hold a " + server + " server under " + root + "; end some");
    }

    /** The directory of all servers. */
    static Path root() {
        String home = System.getProperty("user.home", ".");
        return Path.of(
                System.getProperty("penstock.databases", home + "/.cache/penstock/databases"));
    }

    @SuppressWarnings("resource") // the channel lives as long as the lock
    private static @org.jspecify.annotations.Nullable FileLock tryLock(Path file)
            throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // held by this JVM: not free
        }
        if (lock == null) {
            channel.close();
        }
        return lock;
    }

    Path path() {
        return path;
    }

    /** The number of this directory among those of its kind of server, from 0 and below {@link #MAX_JVMS}. */
    int slot() {
        return slot;
    }

    /**
     * Ends the server that an earlier JVM left running on this directory, if there is one: the directory is ours alone.
     *
     * @param pidFile holds its process number in the first line
     * @param command what its executable is called, so that no other process that got the number meanwhile is hit
     */
    static void endLeftover(Path pidFile, String command) {
        try {
            if (!Files.exists(pidFile)) {
                return;
            }
            long pid = Long.parseLong(Files.readAllLines(pidFile).getFirst().strip());
            ProcessHandle.of(pid)
                    .filter(process -> isCommand(process, command))
                    .ifPresent(ServerDirectory::end);
        } catch (IOException | RuntimeException e) {
            // An unreadable file tells of no server; if one runs all the same, the new one's start
            // says so.
        }
    }

    private static boolean isCommand(ProcessHandle process, String command) {
        return process.info().command().filter(path -> path.endsWith(command)).isPresent();
    }

    /** Ends a process: asks, and after ten seconds kills it. */
    static void end(ProcessHandle process) {
        process.destroy();
        try {
            process.onExit().get(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        } catch (java.util.concurrent.ExecutionException
                | java.util.concurrent.TimeoutException e) {
            process.destroyForcibly();
        }
    }
}
