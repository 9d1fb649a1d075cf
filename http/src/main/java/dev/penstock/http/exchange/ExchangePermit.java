package dev.penstock.http.exchange;

import dev.penstock.http.limits.Client;
import dev.penstock.http.limits.ClientLimits;
import dev.penstock.http.limits.PermitQueue;
import dev.penstock.http.limits.PermitTransfer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The permit of an exchange, or its position in the queue for one. A permit is taken before the handler runs, given
 * back when the exchange is suspended or finished, and taken again when it goes on. Each of these is decided by the
 * queue in one step; what is remembered here follows. Thread-safe.
 */
public final class ExchangePermit implements PermitQueue.Waiter {
    private final ServerExchange exchange;
    private final ServerContext server;
    private final Client client;
    private final long startedNanos;

    /** The queue in which it has a permit or a position, or had one before it was suspended. */
    private volatile @Nullable PermitQueue queue;

    private volatile boolean heldOrQueued;
    private volatile boolean queued;

    /** Whether it has been suspended, and waits for its permit again. */
    private boolean resumed;

    /** The time that it was queued first; half an hour at most. */
    private int queuedMicros;

    /** The wait for another queue's permit, on the handler's thread; guarded by this object. */
    private @Nullable PermitTransfer transfer;

    ExchangePermit(
            ServerExchange exchange, ServerContext server, Client client, long startedNanos) {
        this.exchange = exchange;
        this.server = server;
        this.client = client;
        this.startedNanos = startedNanos;
    }

    /** The queue in which it has a permit or a position now. */
    public @Nullable PermitQueue queue() {
        return heldOrQueued ? queue : null;
    }

    /** Returns whether it waits in a queue, and its handler does not run. */
    public boolean isQueued() {
        return queued;
    }

    /** The time that it was queued before its handler ran first. */
    long queuedNanos() {
        return 1000L * queuedMicros;
    }

    /** Takes a permit or a position; called before anything else runs. */
    PermitQueue.Decision enter(PermitQueue chosen) {
        // Set before: another thread may admit it at once.
        begin(chosen);
        PermitQueue.Decision decision = chosen.enter(this);
        if (decision != PermitQueue.Decision.WAIT) {
            queued = false;
        }
        if (decision == PermitQueue.Decision.REFUSED) {
            heldOrQueued = false;
        }
        return decision;
    }

    /**
     * Takes a permit or a position again, in the queue that it was in before it was suspended.
     *
     * @param usual for one that was in none
     */
    PermitQueue.Decision reenter(PermitQueue usual) {
        PermitQueue before = queue;
        PermitQueue chosen = before == null ? usual : before;
        resumed = true;
        begin(chosen);
        PermitQueue.Decision decision = chosen.reenter(this);
        if (decision != PermitQueue.Decision.WAIT) {
            queued = false;
        }
        return decision;
    }

    private void begin(PermitQueue chosen) {
        queue = chosen;
        heldOrQueued = true;
        queued = true;
    }

    /**
     * Leaves the queue.
     *
     * @param timedOut whether it counts as refused
     * @return false if it waits in none
     */
    public boolean leaveQueue(boolean timedOut) {
        PermitQueue entered = queue();
        if (entered == null || !entered.abandon(this, timedOut)) {
            return false;
        }
        heldOrQueued = false;
        return true;
    }

    /** Leaves the queue if it has waited too long; a request that ran before has all the time that it wants. */
    public boolean timesOutInQueue(long now) {
        PermitQueue entered = queue();
        return entered != null
                && !resumed
                && now - startedNanos > entered.timeout().toNanos()
                && leaveQueue(true);
    }

    /** Gives the permit back, if it has one. */
    void release() {
        PermitQueue entered = queue();
        if (entered != null) {
            heldOrQueued = false;
            entered.leave(this);
        }
    }

    /** Returns whether it is to give up its permit for another client's request, since its own client is slow. */
    boolean mustYield() {
        PermitQueue entered = queue();
        return entered != null && entered.mustYield(this);
    }

    /**
     * Gives the permit back and waits for one of another queue, on the handler's thread.
     *
     * @param mayBeRefused whether the queue may refuse it as it may a new request
     * @throws dev.penstock.http.HttpException if it does
     * @throws IOException if the client has gone, or the thread was interrupted
     */
    void transferTo(PermitQueue target, boolean mayBeRefused) throws IOException {
        switch (transfer(target, mayBeRefused)) {
            case ADMITTED -> {
                queue = target;
                heldOrQueued = true;
            }
            case REFUSED -> throw server.dispatcher().refusal(target);
            case CANCELLED ->
                    throw new IOException(
                            "The client has gone, or the thread was interrupted,"
                                    + " while the request waited for a permit");
        }
    }

    private PermitTransfer.Outcome transfer(PermitQueue target, boolean mayBeRefused) {
        PermitTransfer wait = new PermitTransfer(target, client, mayTakeAll(), mayBeRefused);
        release();
        synchronized (this) {
            transfer = wait;
        }
        // Set first and then asked: either this sees the end, or the end sees the transfer.
        if (exchange.isGone()) {
            wait.cancel();
        } else if (server.stopping()) {
            wait.stop();
        }
        try {
            return wait.await();
        } finally {
            synchronized (this) {
                transfer = null;
            }
        }
    }

    /** Ends a transfer, since the client has gone. */
    void cancelTransfer() {
        PermitTransfer wait = transfer();
        if (wait != null) {
            wait.cancel();
        }
    }

    /**
     * Ends a transfer if it may be refused, since the server stops.
     *
     * @return whether there is one
     */
    boolean stopTransfer() {
        PermitTransfer wait = transfer();
        if (wait != null) {
            wait.stop();
        }
        return wait != null;
    }

    private synchronized @Nullable PermitTransfer transfer() {
        return transfer;
    }

    @Override
    public Object client() {
        return client;
    }

    @Override
    public boolean mayTakeAll() {
        return client.most().equals(ClientLimits.AtOnce.UNLIMITED);
    }

    @Override
    public void admitted() {
        if (!resumed) {
            queuedMicros =
                    (int) Math.min(Integer.MAX_VALUE, (System.nanoTime() - startedNanos) / 1000);
        }
        queued = false;
        exchange.admitted();
    }

    @Override
    public void displaced() {
        PermitQueue full = queue;
        heldOrQueued = false;
        if (full != null) {
            exchange.onLoop(() -> server.dispatcher().refuse(exchange, full));
        }
    }
}
