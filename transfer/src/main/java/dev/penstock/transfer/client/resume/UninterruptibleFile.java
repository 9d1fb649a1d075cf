package dev.penstock.transfer.client.resume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileLock;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A file that stays open when a thread that reads or writes it is interrupted.
 *
 * <p>A {@link java.nio.channels.FileChannel} is closed by an interrupt, for all threads that use it, and a download
 * ends its further connections by interrupts. A channel for asynchronous reads and writes is not, and here the thread
 * that asks does the work itself. Thread-safe; the interrupt is still set when a method returns.
 */
final class UninterruptibleFile implements AutoCloseable {
    private final AsynchronousFileChannel channel;

    private UninterruptibleFile(AsynchronousFileChannel channel) {
        this.channel = channel;
    }

    static UninterruptibleFile open(Path path, OpenOption... options) throws IOException {
        return new UninterruptibleFile(
                AsynchronousFileChannel.open(path, Set.of(options), new CallingThread()));
    }

    /**
     * Locks it against other processes, and other locks of this one.
     *
     * @return nothing when another process has locked it
     */
    @Nullable FileLock tryLock() throws IOException {
        return channel.tryLock();
    }

    /** Writes all of a buffer at a position. */
    void write(ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += result(channel.write(bytes, at));
        }
    }

    /** Reads at a position; -1 at the end. */
    int read(ByteBuffer bytes, long position) throws IOException {
        return result(channel.read(bytes, position));
    }

    /** The bytes that it has. */
    long size() throws IOException {
        return channel.size();
    }

    /** Drops what lies behind a position. */
    void truncate(long size) throws IOException {
        channel.truncate(size);
    }

    /** Forces its bytes to the disk, and with {@code isWhole} what the system keeps about it, too. */
    void force(boolean isWhole) throws IOException {
        channel.force(isWhole);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static int result(Future<Integer> future) throws IOException {
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException(e.getCause());
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** An executor that runs each task in the thread that hands it over. */
    private static final class CallingThread extends AbstractExecutorService {
        private volatile boolean isShutdown;

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {
            isShutdown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutdown();
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return isShutdown;
        }

        @Override
        public boolean isTerminated() {
            return isShutdown;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return isShutdown;
        }
    }
}
