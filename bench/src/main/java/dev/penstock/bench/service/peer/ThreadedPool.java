package dev.penstock.bench.service.peer;

import dev.penstock.service.ServicePool;
import dev.penstock.service.ServicePoolBuilder;

/** Penstock's pool of instances, with calls on a number of platform threads. */
public final class ThreadedPool {
    /** The calls that run on these threads. */
    public enum Kind {
        DEDICATED("dedicated instances, typed proxy"),
        ASYNCHRONOUS("asynchronous calls");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    private ThreadedPool() {}

    /**
     * Starts one.
     *
     * @param atOnce how many instances there are
     * @param waiting how many calls may wait
     */
    public static Bounded start(Kind kind, int atOnce, int waiting, int threads, Work.Maker maker) {
        ServicePoolBuilder<Work> builder =
                ServicePool.of(Work.class, _ -> maker.make())
                        .size(atOnce)
                        .queue(waiting)
                        .threads(threads);
        if (kind == Kind.DEDICATED) {
            return PenstockPool.proxy(builder.dedicated().start());
        }
        ServicePool<Work> pool = builder.start();
        return new Bounded() {
            @Override
            public long perform(long argument) throws Exception {
                return pool.async(work -> work.perform(argument)).get();
            }

            @Override
            public void close() {
                pool.close();
            }
        };
    }
}
