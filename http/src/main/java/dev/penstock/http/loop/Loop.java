package dev.penstock.http.loop;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One event loop, with the timers of what waits on it and its connections, which get a tick ten times a second while
 * there are any. All of it is for the loop's own thread, save where a method says otherwise.
 */
public final class Loop {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");
    private static final int TICK_MILLIS = 100;

    /** So many wait at the most until the loop has looked at all that is ready. */
    private static final int MOST_STARTS = 16;

    private final EventLoop executor;
    private final TimerWheel wheel = new TimerWheel(System::nanoTime, this::setAlarm);
    private final List<ServerConnection> connections = new ArrayList<>();
    private @Nullable Future<?> alarm;
    private long tickNanos;

    /** Whether there is a tick to come. */
    private boolean ticks;

    private final List<Runnable> starts = new ArrayList<>(MOST_STARTS);

    Loop(EventLoop executor) {
        this.executor = executor;
    }

    /** Whether this is the loop's thread. */
    public boolean isHere() {
        return executor.inEventLoop();
    }

    /**
     * Runs an action on the loop's thread, later. On any thread.
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
     * Starts threads, together with those of what else is ready on the loop now: waking whoever runs them costs more
     * than a small request does, and so they are woken once.
     *
     * @param start starts one; on any thread
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

    /** Whether those that are to be started will be; not where the loop has stopped, or there is no memory for that. */
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

    /** Where there is no memory for that, they are started here. */
    private static void startTogether(List<Runnable> starts) {
        ClaimableTask task = new ClaimableTask(() -> starts.forEach(Loop::startOne));
        try {
            var _ = Thread.ofVirtual().name("penstock-start").start(task);
        } catch (OutOfMemoryError | RejectedExecutionException _) {
            task.run();
        }
    }

    /** One that fails must not keep the others from their threads. */
    @SuppressWarnings("CatchingUnchecked")
    private static void startOne(Runnable start) {
        try {
            start.run();
        } catch (Throwable failure) {
            LOGGER.log(System.Logger.Level.WARNING, "A thread could not be started", failure);
        }
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

    /** Has something done for each connection, on its loop; a loop that has ended has none. On any thread. */
    void forEach(Consumer<ServerConnection> action) {
        var _ = execute(() -> List.copyOf(connections).forEach(action));
    }

    /**
     * When connections had their latest tick: a tenth of a second ago at the most, unless the loop was kept from it.
     * Costs nothing.
     */
    public long tickNanos() {
        return tickNanos;
    }

    /** Where there is no memory for that, the next connection begins them again. */
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

    /** One connection that fails must not end the time limits of the others. */
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
