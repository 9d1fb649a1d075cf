package dev.penstock.http.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that read files which are not in memory: one a processor, 2 to 8, for the whole process. With more of
 * them, where a disk is as fast as memory, event loops would wait for a processor. They are platform threads, since a
 * read from a disk holds a thread of the operating system. They are started when there is something to read, and end
 * when there was nothing for a while. Each response has at most two reads here at once, which are done in the order in
 * which they came, so that responses take turns. Thread-safe.
 */
final class FileReaders {
    private static final int THREADS = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 8);
    private static final int IDLE_SECONDS = 5;
    private static final int STEP = 128 * 1024;

    private static final ThreadPoolExecutor EXECUTOR = executor();

    private FileReaders() {}

    private static ThreadPoolExecutor executor() {
        ThreadPoolExecutor made =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().daemon().name("penstock-file-", 0).factory());
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    /** Has one of the threads run a read. */
    static void execute(Runnable read) {
        EXECUTOR.execute(read);
    }

    /**
     * Reads bytes of a file and drops them, so that the operating system has them in memory. Blocks.
     *
     * @param to at most; it may end before
     */
    static void read(FileChannel file, long from, long to) throws IOException {
        FileChannel sink = Sink.CHANNEL;
        if (sink == null) {
            copy(file, from, to);
            return;
        }
        long at = from;
        long moved = 1;
        while (at < to && moved > 0) {
            moved = file.transferTo(at, Math.min(STEP, to - at), sink);
            at += moved;
        }
    }

    private static void copy(FileChannel file, long from, long to) throws IOException {
        ByteBuffer step = ByteBuffer.allocateDirect(STEP);
        long at = from;
        int read = 1;
        while (at < to && read > 0) {
            step.clear().limit((int) Math.min(STEP, to - at));
            read = file.read(step, at);
            at += read;
        }
    }

    /** Has one of the threads read bytes, and waits until it has, interrupted or not. */
    static int read(FileChannel file, ByteBuffer target, long at) throws IOException {
        Supplier<Integer> read =
                () -> {
                    try {
                        return file.read(target, at);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                };
        try {
            return CompletableFuture.supplyAsync(read, EXECUTOR).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof UncheckedIOException failure) {
                throw failure.getCause();
            }
            throw e;
        }
    }

    /** A channel to which bytes can be sent without being copied, by operating systems that have such a device. */
    private static final class Sink {
        static final @Nullable FileChannel CHANNEL = open();

        private static @Nullable FileChannel open() {
            try {
                return FileChannel.open(Path.of("/dev/null"), StandardOpenOption.WRITE);
            } catch (IOException _) {
                return null;
            }
        }
    }
}
