package dev.penstock.bench.service.peer;

import java.util.concurrent.TimeUnit;
import stormpot.Allocator;
import stormpot.Pool;
import stormpot.PoolTap;
import stormpot.Pooled;
import stormpot.Slot;
import stormpot.Timeout;

/** Stormpot's pool of objects, which are claimed and released around a call. */
final class StormpotPool {
    private static final Timeout LONG = new Timeout(1, TimeUnit.HOURS);

    private StormpotPool() {}

    private record Maker(Work.Maker work) implements Allocator<Pooled<Work>> {
        @Override
        public Pooled<Work> allocate(Slot slot) {
            return new Pooled<>(slot, work.make());
        }

        @Override
        public void deallocate(Pooled<Work> object) {}
    }

    /** Starts a pool, claimed from by its tap for any threads, or by that for virtual threads. */
    static Bounded start(int atOnce, boolean forVirtualThreads, Work.Maker maker) {
        Pool<Pooled<Work>> pool = Pool.from(new Maker(maker)).setSize(atOnce).build();
        PoolTap<Pooled<Work>> tap =
                forVirtualThreads ? pool.getVirtualThreadSafeTap() : pool.getThreadSafeTap();
        return new Bounded() {
            @Override
            public long perform(long argument) throws Exception {
                Pooled<Work> claimed = tap.claim(LONG);
                if (claimed == null) {
                    throw new IllegalStateException("Stormpot had no object within an hour");
                }
                try {
                    return claimed.getObject().perform(argument);
                } finally {
                    claimed.release();
                }
            }

            @Override
            public void close() {
                // It ends by itself; its JVM does not wait for it.
                var _ = pool.shutdown();
            }
        };
    }
}
