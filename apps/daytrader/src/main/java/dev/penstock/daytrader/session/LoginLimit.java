package dev.penstock.daytrader.session;

import java.net.InetAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A limit of wrong passwords: ten from one address for one user, and a hundred from one address for all, within five
 * minutes. Only wrong ones count, so that whoever knows the password is never kept out by others. An IPv6 network of 64
 * bits is one address. Thread-safe.
 */
public final class LoginLimit {
    /** The time for which a wrong password counts. */
    public static final Duration WINDOW = Duration.ofMinutes(5);

    /** The wrong passwords that one user may have from one address. */
    public static final int MOST_FOR_USER = 10;

    /** The wrong passwords that one address may send. */
    public static final int MOST_FOR_ADDRESS = 100;

    private static final int MOST_KEYS = 20_000;
    private static final int IPV6_BYTES = 16;

    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<String, Count> counts = new LinkedHashMap<>();

    /**
     * A limit that nobody has used.
     *
     * @param nanos the time, as {@link System#nanoTime}
     */
    public LoginLimit(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private record Count(long since, int wrong) {}

    /** Returns how long a client has to wait until it may try again; zero if it may at once. */
    public Duration waitFor(String address, String userID) {
        String network = network(address);
        lock.lock();
        try {
            return longer(
                    waitFor(network, MOST_FOR_ADDRESS),
                    waitFor(key(network, userID), MOST_FOR_USER));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts a wrong password. Returns whether it was one of those that may be tried: of many that are sent at once,
     * all pass {@link #waitFor} before the first is counted.
     */
    public boolean wrong(String address, String userID) {
        String network = network(address);
        lock.lock();
        try {
            int ofAddress = count(network);
            int ofUser = count(key(network, userID));
            return ofAddress <= MOST_FOR_ADDRESS && ofUser <= MOST_FOR_USER;
        } finally {
            lock.unlock();
        }
    }

    /** The part of an address that one client can't choose. */
    private static String network(String address) {
        try {
            byte[] bytes = InetAddress.ofLiteral(address).getAddress();
            return bytes.length == IPV6_BYTES
                    ? HexFormat.of().formatHex(bytes, 0, IPV6_BYTES / 2)
                    : address;
        } catch (IllegalArgumentException _) {
            return address;
        }
    }

    private static String key(String address, String userID) {
        return address + " " + userID;
    }

    private Duration waitFor(String key, int most) {
        Count count = counts.get(key);
        if (count == null || count.wrong < most) {
            return Duration.ZERO;
        }
        long left = WINDOW.toNanos() - (nanos.getAsLong() - count.since);
        return left <= 0 ? Duration.ZERO : Duration.ofNanos(left);
    }

    private int count(String key) {
        long now = nanos.getAsLong();
        Count before = counts.remove(key);
        Count after =
                before == null || now - before.since >= WINDOW.toNanos()
                        ? new Count(now, 1)
                        : new Count(before.since, before.wrong + 1);
        counts.put(key, after);
        if (counts.size() > MOST_KEYS) {
            counts.pollFirstEntry();
        }
        return after.wrong;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
