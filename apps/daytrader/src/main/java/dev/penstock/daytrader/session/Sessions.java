package dev.penstock.daytrader.session;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The sessions of users. One that was not used for half an hour is over, and where there are too many, the one that was
 * not used for the longest time ends. Thread-safe.
 */
public final class Sessions {
    /** The life of a session without a request. */
    public static final Duration IDLE = Duration.ofMinutes(30);

    private static final int ID_BYTES = 24;
    private static final int TOKEN_BYTES = 16;

    private final int most;
    private final LongSupplier nanos;
    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock lock = new ReentrantLock();

    /** By id, the one that was used last at the end. */
    private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * An empty set of sessions.
     *
     * @param most how many there are at the most
     * @param nanos the time, as {@link System#nanoTime}
     */
    public Sessions(int most, LongSupplier nanos) {
        if (most < 1) {
            throw new IllegalArgumentException(most + " sessions at most; it must be 1 or more");
        }
        this.most = most;
        this.nanos = nanos;
    }

    private static final class Entry {
        final Session session;
        long used;

        Entry(Session session, long used) {
            this.session = session;
            this.used = used;
        }
    }

    /** Begins a session. */
    public Session begin(String userID) {
        Session session = new Session(secret(ID_BYTES), userID, secret(TOKEN_BYTES));
        long now = nanos.getAsLong();
        lock.lock();
        try {
            entries.put(session.id(), new Entry(session, now));
            var oldest = entries.entrySet().iterator();
            while (oldest.hasNext()) {
                Entry entry = oldest.next().getValue();
                if (entries.size() <= most && now - entry.used <= IDLE.toNanos()) {
                    break;
                }
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
        return session;
    }

    /** Returns the session of an id, which is used by that. */
    public Optional<Session> find(String id) {
        long now = nanos.getAsLong();
        lock.lock();
        try {
            Entry entry = entries.get(id);
            if (entry == null) {
                return Optional.empty();
            }
            if (now - entry.used > IDLE.toNanos()) {
                entries.remove(id);
                return Optional.empty();
            }
            entry.used = now;
            return Optional.of(entry.session);
        } finally {
            lock.unlock();
        }
    }

    /** Ends a session. */
    public void end(Session session) {
        lock.lock();
        try {
            entries.remove(session.id());
        } finally {
            lock.unlock();
        }
    }

    /** Ends those of a kind. */
    public void endIf(Predicate<Session> which) {
        lock.lock();
        try {
            entries.values().removeIf(entry -> which.test(entry.session));
        } finally {
            lock.unlock();
        }
    }

    /** Ends all. */
    public void endAll() {
        lock.lock();
        try {
            entries.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The number of sessions, those included that are over and not yet forgotten. */
    public int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    private String secret(int bytes) {
        byte[] secret = new byte[bytes];
        random.nextBytes(secret);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }
}
