package dev.penstock.bench.service.peer;

import dev.penstock.service.ServicePool;
import dev.penstock.service.ServicePoolBuilder;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Penstock's pool of instances. */
final class PenstockPool {
    private static final Duration DEADLINE = Duration.ofMinutes(1);

    private PenstockPool() {}

    /** Starts a pool, with a deadline for each call and figures of them, or with neither. */
    static ServicePool<Work> start(
            int atOnce, int waiting, boolean deadlineAndFigures, Work.Maker maker) {
        ServicePoolBuilder<Work> builder =
                ServicePool.of(Work.class, _ -> maker.make())
                        .size(atOnce)
                        .queue(waiting)
                        .figures(deadlineAndFigures)
                        .callTimeout(deadlineAndFigures ? DEADLINE : Duration.ZERO);
        return builder.start();
    }

    /** Calls through the generated proxy. */
    static Bounded proxy(ServicePool<Work> pool) {
        Work proxy = pool.proxy();
        return new Called(pool) {
            @Override
            public long perform(long argument) {
                return proxy.perform(argument);
            }
        };
    }

    /** Calls with a lambda. */
    static Bounded calls(ServicePool<Work> pool) {
        return new Called(pool) {
            @Override
            public long perform(long argument) {
                return pool.call(work -> work.perform(argument));
            }
        };
    }

    private abstract static class Called implements Bounded {
        private final ServicePool<Work> pool;

        private Called(ServicePool<Work> pool) {
            this.pool = pool;
        }

        @Override
        public CompletionStage<Long> later(long argument) {
            return pool.async(work -> work.perform(argument));
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
