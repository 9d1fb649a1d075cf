package dev.penstock.http.response;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A window of {@link #BYTES} bytes of a response that may be on their way. A frame holds memory besides its bytes, so
 * it counts as {@link #LEAST} if it is smaller. All of it is used under the lock that it was made with.
 */
public final class SendWindow {
    /** Bytes on their way to the client; a larger frame goes alone. */
    public static final int BYTES = 64 * 1024;

    /**
     * What a frame counts at the least. The end of a response is no more than that, and goes whatever is on its way.
     */
    static final int LEAST = 64;

    private final Lock lock;

    /** There once somebody has waited, which few do. */
    private @Nullable Condition room;

    private int inFlight;
    private boolean gone;

    /** An offer was refused; those after it are too until there is much room again, so that none overtakes it. */
    private boolean starved;

    public SendWindow(Lock lock) {
        this.lock = lock;
    }

    /** What a frame of so many bytes counts. */
    public static int weight(int bytes) {
        return bytes == 0 ? 0 : Math.max(bytes, LEAST);
    }

    /**
     * Waits until there is room for a frame, and takes it.
     *
     * @param weight what it counts
     * @param last whether nothing follows
     * @param onLoop whether this is a thread that must not wait
     * @throws IOException if the client has gone, or the thread is interrupted
     * @throws IllegalStateException if it would have to wait on such a thread
     */
    public void take(int weight, boolean last, boolean onLoop) throws IOException {
        boolean needsRoom = !last || weight > LEAST;
        try {
            while (needsRoom && !gone && inFlight > 0 && inFlight + weight > BYTES) {
                if (onLoop) {
                    throw new IllegalStateException(
                            ("A non-blocking handler wrote more than the %d bytes that may be on their way:"
                                            + " write less, or from a handler on a thread")
                                    .formatted(BYTES));
                }
                room().await();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while writing the response");
        }
        if (gone) {
            throw new IOException("The client has gone before the response was complete");
        }
        inFlight += weight;
    }

    /** Takes the room of something that goes whatever is on its way, and holds no memory. */
    void takeLast() {
        inFlight += LEAST;
    }

    /** Takes the room of a part of the last thing that is sent, which keeps to {@link #BYTES} by itself. */
    void takeRest(int bytes) {
        inFlight += weight(bytes);
    }

    /**
     * Takes room without waiting.
     *
     * @param most how many bytes may be on their way with it
     * @param ended whether the response's last frame was queued before
     * @return whether there was room
     */
    public boolean offer(int weight, int most, boolean ended) {
        boolean over = gone || ended;
        starved |= !over && inFlight > 0 && inFlight + weight > most;
        if (over || starved) {
            return false;
        }
        inFlight += weight;
        return true;
    }

    /** A frame has left. Returns whether whoever was refused may offer again: half of the room is free. */
    public boolean giveBack(int weight) {
        inFlight -= weight;
        if (room != null) {
            room.signal();
        }
        boolean roomAgain = starved && inFlight <= BYTES / 2;
        starved &= !roomAgain;
        return roomAgain;
    }

    /** Returns whether bytes are on their way. */
    boolean isUsed() {
        return inFlight > 0;
    }

    public boolean isGone() {
        return gone;
    }

    /** The client has gone: wakes the writer, which gets an exception. */
    public void gone() {
        gone = true;
        if (room != null) {
            room.signalAll();
        }
    }

    private Condition room() {
        Condition made = room == null ? lock.newCondition() : room;
        room = made;
        return made;
    }
}
