package dev.penstock.service.handover;

import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The thread that watches the clock for all pools: a daemon, which is there while a pool is open. A platform thread, so
 * that calls which keep all carriers of virtual threads busy can't delay their own deadlines. It runs no code of users.
 */
public final class Watchdog {
    private static final System.Logger LOG = System.getLogger("dev.penstock.service");
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Set<Watched> WATCHED = ConcurrentHashMap.newKeySet();
    private static volatile @Nullable Thread thread;

    /** A pool, as the watchdog sees it. */
    @FunctionalInterface
    public interface Watched {
        /** Looks at its deadlines, and returns when to look again, both by {@link System#nanoTime}. */
        long tick(long now);
    }

    private Watchdog() {}

    /** Begins to watch. */
    public static void watch(Watched pool) {
        LOCK.lock();
        try {
            WATCHED.add(pool);
            Thread present = thread;
            if (present == null) {
                thread =
                        Thread.ofPlatform()
                                .daemon()
                                .name("penstock-service-watchdog")
                                .start(Watchdog::run);
            } else {
                LockSupport.unpark(present);
            }
        } finally {
            LOCK.unlock();
        }
    }

    /** Ends to watch. */
    public static void forget(Watched pool) {
        WATCHED.remove(pool);
        LockSupport.unpark(thread);
    }

    /** Lets it look again at once. */
    public static void wake() {
        LockSupport.unpark(thread);
    }

    private static void run() {
        while (!isOver()) {
            long next = System.nanoTime() + 1_000_000_000L;
            for (Watched each : WATCHED) {
                next = earlier(next, tick(each));
            }
            long nanos = next - System.nanoTime();
            if (nanos > 0) {
                LockSupport.parkNanos(Watchdog.class, nanos);
            }
        }
    }

    private static long tick(Watched pool) {
        long now = System.nanoTime();
        try {
            return pool.tick(now);
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "The watchdog of service pools goes on after a failure", e);
            return now + 1_000_000_000L;
        }
    }

    private static long earlier(long one, long other) {
        return one - other <= 0 ? one : other;
    }

    private static boolean isOver() {
        LOCK.lock();
        try {
            if (WATCHED.isEmpty()) {
                thread = null;
                return true;
            }
            return false;
        } finally {
            LOCK.unlock();
        }
    }
}
