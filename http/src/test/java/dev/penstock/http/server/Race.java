package dev.penstock.http.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Several threads that do the same at once, again and again. */
public final class Race {
    /** How many races a test has. */
    public static final int ROUNDS = Boolean.getBoolean("penstock.soak") ? 2_000 : 20;

    private Race() {}

    /** The work of one thread. */
    @FunctionalInterface
    public interface Runner {
        void run(int thread) throws Exception;
    }

    /**
     * Runs it on so many platform threads, which begin together, and returns when all have ended; throws what one has
     * thrown.
     */
    public static void run(int threads, Runner runner) throws Exception {
        CyclicBarrier start = new CyclicBarrier(threads);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                all.add(
                        executor.submit(() -> {
                            start.await();
                            runner.run(thread);
                            return null;
                        }));
            }
            for (Future<?> each : all) {
                each.get(60, TimeUnit.SECONDS);
            }
        }
    }
}
