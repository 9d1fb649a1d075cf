package dev.penstock.transfer.client.http;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, given by the thread that calls {@link #send}.
 *
 * <p>The JDK's client asks for one buffer at a time, and for the next when the one before is on its way to the
 * socket, so that at most three are held. A buffer belongs to the client once it was sent: it must not be filled
 * again.
 */
public final class BodyPump implements BodyPublisher {
    private final long length;
    private final Duration stall;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;
    private long demand;
    private boolean isOver;

    /**
     * A body of a length.
     *
     * @param length in bytes, more than 0; -1 if it is not known, and sent in chunks
     * @param stall the longest wait for demand
     */
    public BodyPump(long length, Duration stall) {
        if (length == 0 || length < -1) {
            throw new IllegalArgumentException(
                    "A body of " + length + " bytes is none; it is at least 1, or -1 if unknown");
        }
        this.length = length;
        this.stall = stall;
    }

    @Override
    public long contentLength() {
        return length;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> wanting) {
        boolean isFirst;
        lock.lock();
        try {
            isFirst = subscriber == null;
            if (isFirst) {
                subscriber = wanting;
            }
        } finally {
            lock.unlock();
        }
        if (isFirst) {
            wanting.onSubscribe(new Demand());
        } else {
            wanting.onSubscribe(new NoDemand());
            wanting.onError(
                    new IOException("The body of this request can't be sent a second time"));
        }
    }

    /**
     * Sends a buffer when the client wants one.
     *
     * @return whether it was sent; false when nobody wants the body any more, since the response has come or the
     *     request has failed
     * @throws StalledException when nothing was wanted for too long
     */
    public boolean send(ByteBuffer buffer) throws IOException, InterruptedException {
        Flow.Subscriber<? super ByteBuffer> to = awaitDemand();
        if (to == null) {
            return false;
        }
        to.onNext(buffer);
        return true;
    }

    /** Ends the body. */
    public void complete() {
        Flow.Subscriber<? super ByteBuffer> to = end();
        if (to != null) {
            to.onComplete();
        }
    }

    /** Ends the body with a failure, which breaks the request. */
    public void fail(Throwable cause) {
        Flow.Subscriber<? super ByteBuffer> to = end();
        if (to != null) {
            to.onError(cause);
        }
    }

    /** Notes that the response has come, or never will: what is not sent yet is not wanted. */
    void stop() {
        lock.lock();
        try {
            isOver = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Flow.@Nullable Subscriber<? super ByteBuffer> end() {
        lock.lock();
        try {
            Flow.Subscriber<? super ByteBuffer> to = isOver ? null : subscriber;
            isOver = true;
            return to;
        } finally {
            lock.unlock();
        }
    }

    private Flow.@Nullable Subscriber<? super ByteBuffer> awaitDemand()
            throws IOException, InterruptedException {
        long left = stall.toNanos();
        lock.lockInterruptibly();
        try {
            while (demand == 0 && !isOver) {
                if (left <= 0) {
                    throw new StalledException(
                            "The server has taken nothing for " + stall.toSeconds() + " s");
                }
                left = changed.awaitNanos(left);
            }
            if (isOver) {
                return null;
            }
            demand--;
            return subscriber;
        } finally {
            lock.unlock();
        }
    }

    private final class Demand implements Flow.Subscription {
        @Override
        public void request(long n) {
            lock.lock();
            try {
                demand = Math.min(demand + n, Integer.MAX_VALUE);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void cancel() {
            stop();
        }
    }

    private static final class NoDemand implements Flow.Subscription {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
    }
}
