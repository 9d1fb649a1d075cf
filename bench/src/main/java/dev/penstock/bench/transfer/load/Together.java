package dev.penstock.bench.transfer.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many tasks of one kind at once, each on a platform thread. */
public final class Together {
    /** One of the tasks. */
    public interface Task {
        /** Runs. */
        void run(int number) throws IOException;
    }

    private Together() {}

    /**
     * Runs tasks, numbered from 0, and waits for all of them.
     *
     * @throws IOException of the first that failed, when all have ended
     */
    public static void run(int count, Task task) throws IOException {
        if (count == 1) {
            task.run(0);
            return;
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                all.add(
                        threads.submit(() -> {
                            task.run(number);
                            return number;
                        }));
            }
            IOException failure = null;
            for (Future<?> each : all) {
                try {
                    each.get();
                } catch (ExecutionException e) {
                    failure = failure == null ? new IOException(e.getCause()) : failure;
                } catch (InterruptedException e) {
                    threads.shutdownNow();
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted while transfers ran", e);
                }
            }
            if (failure != null) {
                throw failure;
            }
        }
    }
}
