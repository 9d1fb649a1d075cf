package dev.penstock.http.limits;

import java.net.InetAddress;
import java.util.List;

/**
 * The limits on one client: what it may have at once, and how often it may ask.
 *
 * @param others what clients elsewhere may have at once
 * @param local what those on this machine may, of which one may be a proxy
 * @param ratePerSecond requests a second in the long run; 0 for no limit
 * @param burst how many it may send at once after a pause
 * @param proxies those that are believed whom they ask for, and have no limits of their own
 */
public record ClientLimits(
        AtOnce others, AtOnce local, double ratePerSecond, int burst, List<AddressRange> proxies) {
    public ClientLimits {
        proxies = List.copyOf(proxies);
    }

    /**
     * Limits on what a client may have at once; 0 is no limit.
     *
     * @param connections open ones
     * @param requests that run, are queued or wait
     */
    public record AtOnce(int connections, int requests) {
        public static final AtOnce UNLIMITED = new AtOnce(0, 0);
    }

    boolean isProxy(InetAddress address) {
        for (AddressRange range : proxies) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether clients at Unix domain sockets are proxies. */
    boolean isUnixProxy() {
        return proxies.contains(AddressRange.UNIX);
    }

    /** What clients at Unix domain sockets may have at once: they are on this machine. */
    AtOnce unixAtOnce() {
        return isUnixProxy() ? AtOnce.UNLIMITED : local;
    }

    AtOnce atOnce(InetAddress address) {
        if (isProxy(address)) {
            return AtOnce.UNLIMITED;
        }
        return address.isLoopbackAddress() ? local : others;
    }
}
