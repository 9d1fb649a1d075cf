package dev.penstock.transfer.client.http;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response, taken by the thread that calls {@link #take}.
 *
 * <p>Over HTTP/1.1 it holds at most three lists of buffers of 16 KiB; over HTTP/2 as much as the window of the stream
 * lets the server send. {@link #close} ends the response wherever it is.
 */
public final class BodyQueue implements BodySubscriber<BodyQueue>, AutoCloseable {
    private static final int AHEAD = 3;

    private final Duration stall;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<List<ByteBuffer>> buffers = new ArrayDeque<>();

    private Flow.@Nullable Subscription subscription;
    private @Nullable Throwable failure;
    private boolean isComplete;
    private boolean isClosed;

    BodyQueue(Duration stall) {
        this.stall = stall;
    }

    @Override
    public CompletionStage<BodyQueue> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        boolean isWanted;
        lock.lock();
        try {
            subscription = given;
            isWanted = !isClosed;
        } finally {
            lock.unlock();
        }
        if (isWanted) {
            given.request(AHEAD);
        } else {
            given.cancel();
        }
    }

    @Override
    public void onNext(List<ByteBuffer> given) {
        lock.lock();
        try {
            if (!isClosed) {
                buffers.add(given);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onError(Throwable cause) {
        end(cause);
    }

    @Override
    public void onComplete() {
        end(null);
    }

    /**
     * Takes the next buffers, waiting for them.
     *
     * @return nothing at the end of the body
     * @throws IOException when the response has broken off, or nothing has come for too long
     */
    public @Nullable List<ByteBuffer> take() throws IOException, InterruptedException {
        List<ByteBuffer> taken;
        Flow.Subscription from;
        lock.lockInterruptibly();
        try {
            long left = stall.toNanos();
            while (buffers.isEmpty() && !isComplete && failure == null && !isClosed) {
                if (left <= 0) {
                    throw new StalledException(
                            "The server has sent nothing for " + stall.toSeconds() + " s");
                }
                left = changed.awaitNanos(left);
            }
            taken = buffers.poll();
            from = subscription;
            if (taken == null) {
                throwFailure();
                return null;
            }
        } finally {
            lock.unlock();
        }
        if (from != null) {
            from.request(1);
        }
        return taken;
    }

    /** Ends the response; what has not been taken is dropped. */
    @Override
    public void close() {
        Flow.Subscription from;
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            buffers.clear();
            from = isComplete || failure != null ? null : subscription;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (from != null) {
            from.cancel();
        }
    }

    private void throwFailure() throws IOException {
        if (failure != null) {
            throw HttpCalls.asIOException(failure);
        }
        if (isClosed && !isComplete) {
            throw new IOException("The response was closed while it was read");
        }
    }

    private void end(@Nullable Throwable cause) {
        lock.lock();
        try {
            failure = cause;
            isComplete = cause == null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
