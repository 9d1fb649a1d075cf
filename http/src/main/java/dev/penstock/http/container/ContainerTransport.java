package dev.penstock.http.container;

import dev.penstock.http.loop.Loop;
import dev.penstock.http.message.Status;
import dev.penstock.http.response.Response;
import dev.penstock.http.response.ResponseTransport;
import dev.penstock.http.response.SendWindow;
import dev.penstock.http.response.Trailers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The response to a request that has come to another server, which takes a frame when it can, and says when it can
 * again. Frames are queued, at most {@link SendWindow#BYTES} bytes of them, and whoever comes by hands them on: the
 * handler's thread, the loop, the host's thread. It is one at a time; the others leave it a sign to look again ({@link
 * #pump}).
 *
 * <p>A frame is the host's until it can take another. Buffers are therefore on the heap and not pooled: a host that was
 * broken off may still have one.
 */
final class ContainerTransport implements ResponseTransport {
    private final ContainerConnection request;
    private final ContainerRequest host;
    private final Loop loop;
    private final ReentrantLock lock = new ReentrantLock();

    // Under the lock.

    private final SendWindow window = new SendWindow(lock);
    private final Queue<ByteBuf> queued = new ArrayDeque<>(4);
    private @Nullable Head head;
    private @Nullable Trailers trailers;
    private boolean lastQueued;
    private boolean open;
    private boolean scheduled;
    private boolean pumping;
    private boolean lookAgain;

    // For whoever pumps.

    /** Bytes that the host was given and may still use. */
    private int handed;

    private boolean unflushed;

    /**
     * The head is to leave before the end, which a host would take for that of an empty body, and say so in the head.
     */
    private boolean headAlone;

    private boolean ended;

    /** Whether some of the request's body is left unread, so that the response waits for it; null before its end. */
    private @Nullable Boolean leavesRest;

    private volatile @Nullable Runnable onRoom;
    private volatile long sent;

    ContainerTransport(ContainerConnection request, ContainerRequest host, Loop loop) {
        this.request = request;
        this.host = host;
        this.loop = loop;
    }

    /** Bytes of the body that the host took. */
    long sent() {
        return sent;
    }

    @Override
    public ByteBuf allocate(int bytes) {
        return Unpooled.buffer(bytes, Math.max(bytes, Response.FULL));
    }

    // What comes from handlers.

    @Override
    public void send(@Nullable Head head, @Nullable ByteBuf payload, boolean last)
            throws IOException {
        lock.lock();
        try {
            int size = payload == null ? 0 : payload.readableBytes();
            window.take(SendWindow.weight(size), last, loop.isHere());
            if (head != null) {
                this.head = head;
            }
            if (size > 0) {
                queued.add(payload);
            }
            lastQueued |= last;
        } finally {
            lock.unlock();
        }
        pump();
    }

    @Override
    public boolean offer(ByteBuf payload, int most) {
        int size = payload.readableBytes();
        boolean schedule;
        lock.lock();
        try {
            if (!window.offer(SendWindow.weight(size), most, lastQueued)) {
                return false;
            }
            queued.add(payload);
            schedule = !scheduled;
            scheduled = true;
        } finally {
            lock.unlock();
        }
        if (schedule) {
            pumpSoon();
        }
        return true;
    }

    /** What is offered together goes out together. */
    private void pumpSoon() {
        boolean running =
                loop.execute(() -> {
                    lock.lock();
                    try {
                        scheduled = false;
                    } finally {
                        lock.unlock();
                    }
                    pump();
                });
        if (!running) {
            gone();
        }
    }

    @Override
    public void trailers(Trailers announced) {
        lock.lock();
        try {
            trailers = announced;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onRoom(Runnable action) {
        onRoom = action;
    }

    @Override
    public void reset() {
        request.reset();
    }

    // What goes to the host.

    /** The host can take something. */
    void writable() {
        lock.lock();
        try {
            open = true;
        } finally {
            lock.unlock();
        }
        pump();
    }

    /** Hands on what the host takes now. On any thread; if another is at it, that one looks again. */
    private void pump() {
        lock.lock();
        try {
            lookAgain = true;
            if (pumping) {
                return;
            }
            pumping = true;
        } finally {
            lock.unlock();
        }
        try {
            while (mayStep()) {
                handOn();
            }
        } catch (IOException | RuntimeException failure) {
            stopPumping();
            request.gone(failure);
        }
    }

    private boolean mayStep() {
        boolean may;
        boolean abandoned;
        lock.lock();
        try {
            may = lookAgain && open && !ended && !window.isGone();
            abandoned = window.isGone() && !ended;
            ended |= abandoned;
            lookAgain = false;
            pumping = may;
        } finally {
            lock.unlock();
        }
        if (abandoned) {
            host.giveUp();
        }
        return may;
    }

    private void stopPumping() {
        lock.lock();
        try {
            pumping = false;
        } finally {
            lock.unlock();
        }
    }

    private void handOn() throws IOException {
        while (hasWork() && host.canWrite()) {
            // Each time, since the head comes together with the first frame, at whatever time that
            // is queued.
            sendHead();
            left();
            ByteBuf frame = next();
            if (frame != null) {
                handed = frame.readableBytes();
                unflushed = true;
                host.write(frame.array(), frame.arrayOffset() + frame.readerIndex(), handed);
            } else if (isLast() && !headAlone && !(unflushed && leavesRest())) {
                ended = true;
                request.responseGiven(leavesRest());
            } else if (unflushed) {
                unflushed = false;
                headAlone = false;
                host.flush();
            }
        }
    }

    private boolean leavesRest() {
        Boolean known = leavesRest;
        if (known == null) {
            known = request.leavesRest();
            leavesRest = known;
        }
        return known;
    }

    private void sendHead() {
        Head first;
        Trailers behind;
        lock.lock();
        try {
            first = head;
            head = null;
            behind = trailers;
        } finally {
            lock.unlock();
        }
        if (first == null) {
            return;
        }
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        first.fields()
                .forEach((name, value) -> fields.add(new SimpleImmutableEntry<>(name, value)));
        boolean bodyForbidden = Status.forbidsBody(first.status());
        host.head(first.status(), fields, bodyForbidden ? -1 : first.length());
        if (behind != null) {
            host.trailers(() -> values(behind));
        }
        unflushed = true;
        headAlone = first.bodiless();
    }

    /** Trailers by name, as containers take them: several of one name in one. */
    private static Map<String, String> values(Trailers trailers) {
        Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        trailers.fields()
                .forEach((name, value) ->
                        values.merge(name, value, (first, second) -> first + ", " + second));
        return values;
    }

    private boolean hasWork() {
        lock.lock();
        try {
            return !window.isGone()
                    && !ended
                    && (head != null || !queued.isEmpty() || handed > 0 || unflushed || lastQueued);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable ByteBuf next() {
        lock.lock();
        try {
            return queued.poll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isLast() {
        lock.lock();
        try {
            return lastQueued && queued.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** The host does not need any more what it was given. */
    private void left() {
        int size = handed;
        handed = 0;
        if (size == 0) {
            return;
        }
        long soFar = sent;
        sent = soFar + size;
        boolean roomAgain;
        lock.lock();
        try {
            roomAgain = window.giveBack(SendWindow.weight(size));
        } finally {
            lock.unlock();
        }
        Runnable action = onRoom;
        if (roomAgain && action != null) {
            var _ = loop.execute(action);
        }
    }

    /** The client has gone: wakes the writer, which gets an exception. */
    void gone() {
        lock.lock();
        try {
            window.gone();
            queued.clear();
        } finally {
            lock.unlock();
        }
        pump();
    }
}
