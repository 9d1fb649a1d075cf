package dev.penstock.service;

import dev.penstock.service.async.CallFailures;
import dev.penstock.service.handover.Handover.Admission;
import dev.penstock.service.handover.Waiter.Outcome;
import dev.penstock.service.lane.LaneLimits;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The exceptions of calls that a pool does not make, or that end at their deadline, and their counts. Thread-safe. */
final class Refusals implements LaneLimits, CallFailures {
    private static final System.Logger LOG = System.getLogger("dev.penstock.service");

    /**
     * The counts since the pool's start.
     *
     * @param rejections calls that found the queue full
     * @param queueTimeouts calls that waited for too long
     */
    record Counted(long rejections, long queueTimeouts) {}

    private final String pool;
    private final int queue;
    private final long callNanos;
    private final long waitNanos;
    private final @Nullable PoolListener listener;
    private final Supplier<Duration> retryAfter;
    private final LongAdder rejections = new LongAdder();
    private final LongAdder queueTimeouts = new LongAdder();

    /**
     * The refusals of a pool.
     *
     * @param retryAfter in what time the present queue will have been served
     */
    Refusals(PoolSettings<?> settings, Supplier<Duration> retryAfter) {
        pool = settings.name();
        queue = settings.queue();
        callNanos = settings.callNanos();
        waitNanos = settings.waitNanos();
        listener = settings.listener();
        this.retryAfter = retryAfter;
    }

    Counted counted() {
        return new Counted(rejections.sum(), queueTimeouts.sum());
    }

    @Override
    public ServiceException of(String method, Admission admission) {
        return switch (admission) {
            case FULL -> full(method);
            case CLOSED -> closed();
            case STOPPED -> stopped();
            case ACQUIRED, QUEUED -> throw new IllegalArgumentException(admission.name());
        };
    }

    @Override
    public ServiceException of(String method, long arrived, Outcome outcome) {
        return switch (outcome) {
            case TIMED_OUT -> waitedTooLong(method, System.nanoTime() - arrived);
            case CANCELLED -> interrupted();
            case CLOSED -> closed();
            case STOPPED -> stopped();
            case WAITING, HANDED -> throw new IllegalArgumentException(outcome.name());
        };
    }

    ServiceException interrupted() {
        return new ServiceException(
                ServiceException.Kind.INTERRUPTED,
                "Pool " + pool + ": interrupted while waiting for an instance.");
    }

    private CallTimeoutException waitedTooLong(String method, long queued) {
        queueTimeouts.increment();
        if (listener != null) {
            listener.timedOut(method, queued, 0);
        }
        return new CallTimeoutException(
                "Pool %s: a call waited %s for an instance and never ran; the limit is %s. Make the pool larger, or the queue shorter."
                        .formatted(pool, Duration.ofNanos(queued), Duration.ofNanos(waitNanos)),
                Duration.ofNanos(queued),
                Duration.ZERO,
                null);
    }

    @Override
    public CallTimeoutException ranTooLong(long queued, long ran) {
        return ranTooLong(queued, ran, null);
    }

    CallTimeoutException ranTooLong(long queued, long ran, @Nullable Throwable failure) {
        return new CallTimeoutException(
                "Pool %s: a call waited %s and ran %s, longer than the call timeout of %s; its instance is replaced."
                        .formatted(
                                pool,
                                Duration.ofNanos(queued),
                                Duration.ofNanos(ran),
                                Duration.ofNanos(callNanos)),
                Duration.ofNanos(queued),
                Duration.ofNanos(ran),
                failure);
    }

    @Override
    public CallRejectedException full(String method) {
        rejections.increment();
        if (listener != null) {
            listener.rejected(method);
        }
        Duration after = retryAfter.get();
        return new CallRejectedException(
                "Pool %s: all instances are busy and %d calls wait, the most that the queue takes; try again in %d s, or enlarge the pool."
                        .formatted(pool, queue, after.toSeconds()),
                after);
    }

    @Override
    public int mostWaiting() {
        return queue;
    }

    @Override
    public long timeoutNanos() {
        return waitNanos;
    }

    @Override
    public RuntimeException timedOut(String method, long waitedNanos) {
        return waitedTooLong(method, waitedNanos);
    }

    @Override
    public RuntimeException interrupted(String method) {
        return interrupted();
    }

    /** Logs the failure of a call for which nobody waits, unless there is a listener that is told of failures. */
    @Override
    public void unseen(String method, Throwable failure) {
        if (listener == null) {
            LOG.log(
                    Level.WARNING,
                    "Pool %s: the one-way call %s failed, and its caller does not wait for it"
                            .formatted(pool, method),
                    failure);
        }
    }

    private ServiceException closed() {
        return new ServiceException(
                ServiceException.Kind.CLOSED,
                "Pool " + pool + ": it is closed and takes no calls.");
    }

    private ServiceException stopped() {
        return new ServiceException(
                ServiceException.Kind.STOPPED,
                "Pool "
                        + pool
                        + ": its supervision has stopped all instances; resize the pool to start new ones.");
    }
}
