package dev.penstock.http.loop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One event loop, with its timers and its connections; while there are any, they get a tick ten times a second. All
 * methods are for the loop's own thread, except where one says otherwise.
 */
public final class Loop {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");
    private static final int TICK_MILLIS = 100;

    /** The time after a shortage of memory in which no chunk is kept that nobody uses. */
    private static final long SCARCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** The most starts that wait until the loop has looked at all that is ready. */
    private static final int MOST_STARTS = 16;

    private final EventLoop executor;
    private final ByteBufAllocator allocator;
    private final TimerWheel wheel = new TimerWheel(System::nanoTime, this::setAlarm);
    private final List<ServerConnection> connections = new ArrayList<>();
    private volatile @Nullable ByteBuf directChunk;
    private volatile @Nullable ByteBuf heapChunk;
    private final AtomicBoolean toldShort = new AtomicBoolean();
    private boolean wasShort;
    private long shortNanos;
    private @Nullable Future<?> alarm;
    private long tickNanos;

    /** Whether the next tick is scheduled. */
    private boolean ticks;

    private final List<Runnable> starts = new ArrayList<>(MOST_STARTS);

    Loop(EventLoop executor, ByteBufAllocator allocator) {
        this.executor = executor;
        this.allocator = allocator;
    }

    /**
     * Has this loop hold a byte of the pool from now on: the pool gives back a chunk of which nothing is used, and to
     * get one again costs more than to fill it. It is zeroed, and where it is direct memory, giving it back makes all
     * threads of the JVM answer. Does nothing for {@link #SCARCE_NANOS} after a shortage.
     *
     * @param onHeap whether of the heap's chunks too, which only TLS uses
     */
    public void keepChunks(boolean onHeap) {
        if (wasShort && System.nanoTime() - shortNanos < SCARCE_NANOS) {
            return;
        }
        wasShort = false;
        try {
            if (directChunk == null) {
                directChunk = allocator.directBuffer(1, 1);
            }
            if (onHeap && heapChunk == null) {
                heapChunk = allocator.heapBuffer(1, 1);
            }
        } catch (OutOfMemoryError _) {
            // It is a matter of speed alone, and the next connection tries again.
        }
    }

    boolean keepsChunk() {
        return directChunk != null;
    }

    /**
     * There is no memory for a buffer somewhere: gives back what it keeps for later, at once on its own thread, or else
     * soon. On any thread.
     *
     * @param giveBack gives back what else there is; on the loop's thread
     */
    void memoryIsShort(Runnable giveBack) {
        if (isHere()) {
            giveBackNow(giveBack);
        } else if (toldShort.compareAndSet(false, true)) {
            boolean queued = false;
            try {
                queued = execute(() -> giveBackNow(giveBack));
            } finally {
                // There may be no memory for that either.
                if (!queued) {
                    toldShort.set(false);
                }
            }
        }
    }

    private void giveBackNow(Runnable giveBack) {
        toldShort.set(false);
        wasShort = true;
        shortNanos = System.nanoTime();
        releaseChunks();
        giveBack.run();
    }

    /** Gives back the rests of the buffers that reads are cut from: when the loop has ended, or memory is short. */
    void releaseChunks() {
        ByteBuf direct = directChunk;
        ByteBuf heap = heapChunk;
        directChunk = null;
        heapChunk = null;
        if (direct != null) {
            direct.release();
        }
        if (heap != null) {
            heap.release();
        }
    }

    /** Returns whether this is the loop's thread. */
    public boolean isHere() {
        return executor.inEventLoop();
    }

    /**
     * Runs an action on the loop's thread, later. May be called on any thread.
     *
     * @return false if the server has stopped, and its connections with it: the action will not run
     */
    public boolean execute(Runnable action) {
        try {
            executor.execute(action);
            return true;
        } catch (RejectedExecutionException _) {
            return false;
        }
    }

    /** Runs an action on the loop's thread, at once if this is it; not at all if the server has stopped. */
    public void run(Runnable action) {
        if (isHere()) {
            action.run();
        } else {
            var _ = execute(action);
        }
    }

    /**
     * Starts a thread, together with the threads of all else that is ready on the loop now: waking the carriers of
     * virtual threads costs more than a small request does, and so they are woken once.
     *
     * @param start starts the thread; may run on any thread
     */
    public void start(Runnable start) {
        if (starts.isEmpty() && !startsSoon()) {
            startOne(start);
            return;
        }
        starts.add(start);
        if (starts.size() >= MOST_STARTS) {
            startAll();
        }
    }

    /** Schedules the starts that wait, and tells whether it could: the loop may have stopped, or memory be short. */
    private boolean startsSoon() {
        try {
            return execute(this::startAll);
        } catch (OutOfMemoryError _) {
            return false;
        }
    }

    private void startAll() {
        if (starts.size() > 1) {
            startTogether(List.copyOf(starts));
        } else {
            starts.forEach(Loop::startOne);
        }
        starts.clear();
    }

    /** Starts threads, from a thread made for that, or from this one if there is no memory for it. */
    private static void startTogether(List<Runnable> starts) {
        ClaimableTask task = new ClaimableTask(() -> starts.forEach(Loop::startOne));
        try {
            var _ = Thread.ofVirtual().name("penstock-start").start(task);
        } catch (OutOfMemoryError | RejectedExecutionException _) {
            task.run();
        }
    }

    /** Starts a thread. A failure is logged: it must not keep others from their threads. */
    private static void startOne(Runnable start) {
        LoggedAction.run(start, "A thread could not be started");
    }

    public TimerWheel wheel() {
        return wheel;
    }

    private void setAlarm(long delayNanos) {
        if (alarm != null) {
            alarm.cancel(false);
        }
        alarm = executor.schedule(wheel::turn, delayNanos, TimeUnit.NANOSECONDS);
    }

    public void add(ServerConnection connection) {
        connections.add(connection);
        if (!ticks) {
            tickNanos = System.nanoTime();
            scheduleTick();
        }
    }

    /**
     * Runs an action for each connection, on the loop's thread; a loop that has ended has none. May be called on any
     * thread.
     */
    void forEach(Consumer<ServerConnection> action) {
        var _ = execute(() -> List.copyOf(connections).forEach(action));
    }

    /**
     * Returns when connections had their latest tick: a tenth of a second ago at the most, unless the loop was held up.
     * Does not look at the clock.
     */
    public long tickNanos() {
        return tickNanos;
    }

    /** Schedules the next tick. If there is no memory for that, ticks begin again with the next new connection. */
    private void scheduleTick() {
        var _ = executor.schedule(this::tickAll, TICK_MILLIS, TimeUnit.MILLISECONDS);
        ticks = true;
    }

    private void tickAll() {
        ticks = false;
        long now = System.nanoTime();
        tickNanos = now;
        for (int i = 0; i < connections.size(); i++) {
            tick(connections.get(i), now);
        }
        connections.removeIf(ServerConnection::isOver);
        if (!connections.isEmpty()) {
            scheduleTick();
        }
    }

    /** Gives a connection its tick. If that fails, it is reset: it must not end the time limits of the others. */
    @SuppressWarnings("CatchingUnchecked")
    private static void tick(ServerConnection connection, long now) {
        try {
            connection.tick(now);
        } catch (Throwable failure) {
            LOGGER.log(System.Logger.Level.WARNING, "A connection's time limit failed", failure);
            connection.reset();
        }
    }
}
