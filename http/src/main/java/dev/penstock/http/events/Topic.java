package dev.penstock.http.events;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.Suspension;
import dev.penstock.http.exchange.SuspensionLimit;
import dev.penstock.http.limits.Bounds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Messages for whoever waits for them, by long polling ({@link #poll}) or as server-sent events ({@link #stream}). They
 * are numbered from 1 on, and the latest are kept, so that no message is lost between two polls, or while a client
 * comes back. What is kept is bounded in number and bytes; a client that has fallen behind it is told so.
 *
 * <p>Thread-safe; nothing in here waits for a client.
 */
public final class Topic {
    private final int mostMessages;
    private final long mostBytes;
    private final int mostWaiting;

    private final Object lock = new Object();

    /** What is kept, by number. */
    private final Map<Long, Kept> history = new HashMap<>();

    private final Set<Waiter> waiters = new LinkedHashSet<>();
    private final Set<Subscriber> subscribers = ConcurrentHashMap.newKeySet();
    private int streams;
    private long first = 1;
    private long last;
    private long bytes;

    /**
     * A message.
     *
     * @param number 1 for the first of its topic, 2 for the second
     */
    public record Message(long number, String text) {}

    /**
     * The events for a client that waited.
     *
     * @param messages the new ones, in their order; none, if the wait has ended without any
     * @param next what to pass to the next {@link Topic#poll}
     * @param missed whether there were others before these that are not kept any more
     */
    public record Batch(List<Message> messages, long next, boolean missed) {}

    /** A message, and the same as it is sent as an event. */
    private static final class Kept {
        private final Message message;
        private final byte[] event;

        Kept(Message message, byte[] event) {
            this.message = message;
            this.event = event;
        }
    }

    private record Waiter(
            long after, Suspension suspension, Suspension.Continuation<Batch> answer) {}

    /**
     * A topic without messages.
     *
     * @param mostMessages how many are kept, at least 1
     * @param mostBytes how many bytes of them are kept; the latest message is kept even if it alone is more
     * @param mostWaiting how many clients may wait for messages at once, either way
     */
    public Topic(int mostMessages, long mostBytes, int mostWaiting) {
        this.mostMessages = Bounds.within("mostMessages", mostMessages, 1, Integer.MAX_VALUE);
        this.mostBytes = Bounds.within("mostBytes", mostBytes, 1, Long.MAX_VALUE);
        this.mostWaiting = Bounds.within("mostWaiting", mostWaiting, 1, Integer.MAX_VALUE);
    }

    /** The number of the latest message; 0 while there is none. */
    public long last() {
        synchronized (lock) {
            return last;
        }
    }

    /** How many clients wait for messages now. */
    public int waiting() {
        synchronized (lock) {
            return waiters.size() + streams;
        }
    }

    /** Adds a message, and wakes all that wait. Returns its number. */
    public long publish(String text) {
        List<Waiter> woken;
        long number;
        synchronized (lock) {
            number = ++last;
            byte[] event = Event.of(text).withId(Long.toString(number)).encode();
            history.put(number, new Kept(new Message(number, text), event));
            bytes += event.length;
            while (last - first >= mostMessages || (bytes > mostBytes && first < last)) {
                Kept oldest = history.remove(first++);
                bytes -= oldest == null ? 0 : oldest.event.length;
            }
            woken = List.copyOf(waiters);
            waiters.clear();
        }
        for (Waiter waiter : woken) {
            waiter.suspension.resume(
                    exchange -> waiter.answer.handle(exchange, batch(waiter.after)));
        }
        subscribers.forEach(Subscriber::feed);
        return number;
    }

    /**
     * Answers with the messages after a number, at once if there are any, or else when there is one. When the timeout
     * comes, the answer is given an empty batch. To be called by a handler, which then returns.
     *
     * @param after the number of the last message that the client has seen, {@link Batch#next} of its last poll; 0
     *     for all that are kept. A number that there was not yet, from before a restart, say, gets all that are kept,
     *     and that it missed some
     * @throws HttpException (503) if as many wait as may
     */
    public void poll(
            Exchange exchange, long after, Duration timeout, Suspension.Continuation<Batch> answer)
            throws Exception {
        Batch ready = null;
        synchronized (lock) {
            if (after == last) {
                checkRoom();
                Suspension wait = exchange.suspend(timeout);
                Waiter waiter = new Waiter(after, wait, answer);
                waiters.add(waiter);
                wait.onTimeout(
                                x -> {
                                    // Before the client can know: its next poll may be here at
                                    // once.
                                    remove(waiter);
                                    answer.handle(x, new Batch(List.of(), after, false));
                                })
                        .onCancel(() -> remove(waiter));
            } else {
                ready = batch(after);
            }
        }
        if (ready != null) {
            answer.handle(exchange, ready);
        }
    }

    /**
     * Answers with server-sent events: the messages after the one that the client says it saw last, or those to come on
     * its first visit, each with its number as id. One that is slower than the messages gets those that it missed as
     * long as they are kept; beyond that they are left out. To be called by a handler, which then returns.
     *
     * @throws IOException if the client has gone
     * @throws HttpException (503) if as many wait as may
     */
    public void stream(Exchange exchange) throws IOException {
        long after = EventStream.lastEventId(exchange).map(Topic::number).orElse(last());
        synchronized (lock) {
            checkRoom();
            streams++;
        }
        Subscriber subscriber;
        try {
            subscriber = subscribe(EventStream.open(exchange), after);
        } catch (IOException | RuntimeException | Error failure) {
            streamEnded();
            throw failure;
        }
        subscriber.feed();
    }

    private Subscriber subscribe(EventStream stream, long after) {
        Subscriber subscriber = new Subscriber(stream, after);
        try {
            subscribers.add(subscriber);
            stream.onRoom(subscriber::feed);
            stream.onEnd(() -> {
                subscribers.remove(subscriber);
                streamEnded();
            });
            return subscriber;
        } catch (RuntimeException | Error failure) {
            subscribers.remove(subscriber);
            stream.close();
            throw failure;
        }
    }

    private void streamEnded() {
        synchronized (lock) {
            streams--;
        }
    }

    /** A number from elsewhere, or one that was never given, is as good as none. */
    private static long number(String id) {
        try {
            return Math.max(0, Long.parseLong(id));
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    private void checkRoom() {
        if (waiters.size() + streams >= mostWaiting) {
            throw SuspensionLimit.unavailable("Too many clients wait for this; try again later");
        }
    }

    private void remove(Waiter waiter) {
        synchronized (lock) {
            waiters.remove(waiter);
        }
    }

    private Batch batch(long after) {
        synchronized (lock) {
            boolean unknown = after < 0 || after > last;
            List<Message> messages = new ArrayList<>();
            for (long number = unknown ? first : Math.max(first, after + 1);
                    number <= last;
                    number++) {
                Kept kept = history.get(number);
                if (kept != null) {
                    messages.add(kept.message);
                }
            }
            boolean missed = unknown || after + 1 < first;
            return new Batch(List.copyOf(messages), last, missed);
        }
    }

    /** The first that is kept after a number, or null. */
    private @Nullable Kept next(long after) {
        synchronized (lock) {
            return history.get(after > last ? first : Math.max(first, after + 1));
        }
    }

    /** A client that gets events, and how far it has got. */
    private final class Subscriber {
        private final EventStream stream;
        private long after;

        Subscriber(EventStream stream, long after) {
            this.stream = stream;
            this.after = after;
        }

        /** Sends what there is and fits. */
        synchronized void feed() {
            for (Kept kept = next(after); kept != null; kept = next(after)) {
                if (!stream.offer(kept.event)) {
                    return;
                }
                after = kept.message.number;
            }
        }
    }
}
