package dev.penstock.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

/** How many bytes of a response are on their way, of which there are at most {@link #BYTES}. All of it is used under the lock that it was made with. */
final class Budget {
    /** Bytes on their way to the client; a larger frame goes alone. */
    static final int BYTES = 64 * 1024;

    /** The end of a response is no more than that, and goes whatever is on its way. */
    private static final int END = 16;

    private final Condition room;
    private int inFlight;
    private boolean gone;

    /** An offer was refused; those after it are too until there is much room again, so that none overtakes it. */
    private boolean starved;

    Budget(Lock lock) {
        room = lock.newCondition();
    }

    /**
     * Waits until there is room for a frame, and takes it.
     *
     * @param last whether nothing follows
     * @param onLoop whether this is a thread that must not wait
     * @throws IOException if the client has gone, or the thread is interrupted
     * @throws IllegalStateException if it would have to wait on such a thread
     */
    void take(int size, boolean last, BooleanSupplier onLoop) throws IOException {
        boolean needsRoom = !last || size > END;
        try {
            while (needsRoom && !gone && inFlight > 0 && inFlight + size > BYTES) {
                if (onLoop.getAsBoolean()) {
                    throw new IllegalStateException(
                            "A non-blocking handler wrote more than the %d bytes that may be on their way: write less, or from a handler on a thread"
                                    .formatted(BYTES));
                }
                room.await();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while writing the response");
        }
        if (gone) {
            throw new IOException("The client has gone before the response was complete");
        }
        inFlight += size;
    }

    /**
     * Takes room without waiting.
     *
     * @param most how many bytes may be on their way with it
     * @param ended whether the response's last frame was queued before
     * @return whether there was room
     */
    boolean offer(int size, int most, boolean ended) {
        boolean over = gone || ended;
        starved |= !over && inFlight > 0 && inFlight + size > most;
        if (over || starved) {
            return false;
        }
        inFlight += size;
        return true;
    }

    /** So many bytes have left. Returns whether whoever was refused may offer again: half of the room is free. */
    boolean giveBack(int size) {
        inFlight -= size;
        room.signal();
        boolean roomAgain = starved && inFlight <= BYTES / 2;
        starved &= !roomAgain;
        return roomAgain;
    }

    /** Whether bytes are on their way. */
    boolean isUsed() {
        return inFlight > 0;
    }

    boolean isGone() {
        return gone;
    }

    /** The client has gone: wakes the writer, which gets an exception. */
    void gone() {
        gone = true;
        room.signalAll();
    }
}
