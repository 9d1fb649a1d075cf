package dev.penstock.http.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.ChildJvm;
import io.netty.buffer.ByteBuf;
import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loops in a JVM with a megabyte of direct memory: what they keep for later must not be missing for ever. */
@Tag("any-loops")
@Timeout(120)
final class BufferPoolIT {
    @ParameterizedTest
    @CsvSource({"1, true", "4, true", "8, true", "1, false", "4, false"})
    void memory_thatLoopsKeepForLater_isThereForOthers(int loops, boolean nativeAccess)
            throws Exception {
        List<String> options = new ArrayList<>(List.of("-Xmx64m", "-XX:MaxDirectMemorySize=1m"));
        List<String> command = ChildJvm.command(options, Loops.class, Integer.toString(loops));
        if (!nativeAccess) {
            // Then Netty has its memory from the JDK, and other errors.
            command.removeIf(option -> option.startsWith("--enable-native-access"));
        }
        Process child =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader out = child.inputReader()) {
            assertThat(out.readLine()).isEqualTo("There is some for another size");
        } finally {
            child.destroyForcibly();
        }
    }

    /** Loops whose caches have taken all memory for one size. */
    static final class Loops {
        private static final int KEPT = 16;
        private static final long PAUSE_NANOS = 1_000_000;

        private Loops() {}

        /**
         * Uses all memory on the loops, gives it back there, and asks for buffers of another size on another thread.
         *
         * @param arguments the number of loops
         */
        public static void main(String[] arguments) throws InterruptedException {
            int count = Integer.parseInt(arguments[0]);
            EventLoops all = new EventLoops(count, true);
            List<Loop> loops = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                loops.add(all.next());
            }
            List<List<ByteBuf>> taken = new ArrayList<>();
            for (Loop loop : loops) {
                List<ByteBuf> own = new ArrayList<>();
                taken.add(own);
                await(loop, () -> fill(all.buffers(), own));
            }
            for (int i = 0; i < count; i++) {
                List<ByteBuf> own = taken.get(i);
                await(loops.get(i), () -> own.forEach(ByteBuf::release));
            }
            while (!hasMemory(all.buffers())) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            System.out.println("There is some for another size");
        }

        /** Takes as many as a cache keeps of each size, until there is no memory. */
        private static void fill(BufferPool buffers, List<ByteBuf> taken) {
            try {
                for (int size = 32 * 1024; size >= 16 * 1024; size -= 4 * 1024) {
                    for (int i = 0; i < KEPT; i++) {
                        taken.add(buffers.directBuffer(size));
                    }
                }
            } catch (OutOfMemoryError _) {
                // That is all there is.
            }
        }

        private static boolean hasMemory(BufferPool buffers) {
            try {
                return buffers.directBuffer(700).release();
            } catch (OutOfMemoryError _) {
                return false;
            }
        }

        private static void await(Loop loop, Runnable action) throws InterruptedException {
            CountDownLatch done = new CountDownLatch(1);
            loop.run(() -> {
                action.run();
                done.countDown();
            });
            done.await();
        }
    }
}
