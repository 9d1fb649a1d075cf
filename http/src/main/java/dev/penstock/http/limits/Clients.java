package dev.penstock.http.limits;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The clients that have a connection or a request now, and, where their rate is limited, those that had one lately. As
 * many of the latter are kept as {@link #MOST_RESTING}; whoever comes from more addresses than that is not held back by
 * a rate for each. Thread-safe.
 */
public final class Clients {
    /**
     * How many clients without a connection are remembered for their rate; twice as many until they are looked through,
     * which each thread may be at.
     */
    private static final int MOST_RESTING = 8 * 1024;

    /** All clients at Unix domain sockets are one. No client has such an address: multicast. */
    private static final Long UNIX = -1L;

    /** Further addresses in {@code X-Forwarded-For} are not looked at. */
    private static final int MOST_PROXIES = 16;

    private final ClientLimits limits;
    private final ConcurrentHashMap<Long, Client> clients = new ConcurrentHashMap<>();
    private final AtomicInteger resting = new AtomicInteger();
    private final LongAdder limited = new LongAdder();

    public Clients(ClientLimits limits) {
        this.limits = limits;
    }

    /** How many connections and requests were answered with 429 so far. */
    public long limited() {
        return limited.sum();
    }

    /** How many clients are known. */
    public int known() {
        return clients.size();
    }

    /** An open connection of a client, and what was decided of it. */
    public record Connection(Client client, Client.Verdict verdict) {}

    /**
     * A request of a client.
     *
     * @param admitted whether it is one of those that the client may have at once
     */
    public record Request(Client client, boolean admitted) {}

    /** A connection is open, and judged by what its client has. To be told when it is closed. */
    public Connection connected(@Nullable SocketAddress address) {
        return find(internet(address), client -> new Connection(client, client.addConnection()));
    }

    /** The same for a connection to a Unix domain socket. */
    public Connection connectedToUnixSocket() {
        return find(
                UNIX,
                now -> new Client(UNIX, limits.unixAtOnce(), limits.isUnixProxy(), limits, now),
                client -> new Connection(client, client.addConnection()));
    }

    /** The same for a connection of another server, which judges it. */
    public Connection connectedToContainer(@Nullable SocketAddress address) {
        return find(
                internet(address),
                client -> {
                    client.addUnjudgedConnection();
                    return new Connection(client, Client.Verdict.ADMITTED);
                });
    }

    private static InetAddress internet(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress internet
                ? internet.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    public void disconnected(Connection connection) {
        if (connection.client.removeConnection(connection.verdict)) {
            rests(connection.client);
        }
    }

    /** A proxy has sent a request for a client. To be told when the request is done with. */
    public Request requestedFor(InetAddress forwardedFor) {
        return find(forwardedFor, client -> new Request(client, client.addRequest()));
    }

    /**
     * A request that {@link Client#addRequest} or {@link #requestedFor} has counted is done with.
     *
     * @param admitted what they said
     */
    public void done(Client client, boolean admitted) {
        if (client.removeRequest(admitted)) {
            rests(client);
        }
    }

    /**
     * Whom a proxy asks for: the last address in its {@code X-Forwarded-For} that is no proxy's itself. What stands
     * before that may be anyone's invention.
     *
     * @param headers all of that name, in order
     * @return null where it names nobody, or something that is no address
     */
    public @Nullable InetAddress forwardedFor(List<String> headers) {
        InetAddress named = null;
        int looked = 0;
        for (String header : headers.reversed()) {
            int end = header.length();
            while (end >= 0) {
                int comma = header.lastIndexOf(',', end - 1);
                InetAddress address = literal(header.substring(comma + 1, end).trim());
                if (address == null || ++looked > MOST_PROXIES) {
                    return named;
                }
                named = address;
                if (!limits.isProxy(address)) {
                    return named;
                }
                end = comma;
            }
        }
        return named;
    }

    /** An address as proxies write it, some with a port or in brackets. */
    private static @Nullable InetAddress literal(String text) {
        int bracket = text.indexOf(']');
        int colon = text.indexOf(':');
        String address = text;
        if (text.startsWith("[") && bracket > 0) {
            address = text.substring(1, bracket);
        } else if (colon >= 0 && colon == text.lastIndexOf(':')) {
            address = text.substring(0, colon);
        }
        try {
            return InetAddress.ofLiteral(address);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /**
     * Checks a request against its client's limits, and counts it against its rate.
     *
     * @return null if it is within them
     *
     * @param admitted whether it is one of those that the client may have at once
     */
    public @Nullable LimitExceeded exceeded(Client client, boolean admitted, long now) {
        if (!admitted) {
            return limited(
                    "This client has as many requests at once as it may, %d: wait until one is answered"
                            .formatted(client.most().requests()),
                    1);
        }
        long nanos = client.spend(now);
        return nanos == 0
                ? null
                : limited(
                        "This client has sent more requests than the %s a second that it may: wait"
                                .formatted(rate()),
                        Math.ceilDiv(nanos, 1_000_000_000L));
    }

    private String rate() {
        double rate = limits.ratePerSecond();
        return rate == Math.rint(rate) ? Long.toString((long) rate) : Double.toString(rate);
    }

    /** Checks a connection against its client's limit; null if it is within it. */
    public @Nullable LimitExceeded exceeded(Connection connection) {
        return connection.verdict == Client.Verdict.ADMITTED
                ? null
                : limited(
                        ("This client has as many connections as it may, %d:"
                                        + " close one, or use those that are open for several requests")
                                .formatted(connection.client.most().connections()),
                        1);
    }

    private LimitExceeded limited(String message, long seconds) {
        limited.increment();
        return new LimitExceeded(message, seconds);
    }

    /** Uses a client while nobody can forget it. */
    private <T extends Record> T find(InetAddress address, Function<Client, T> use) {
        Long key = key(address);
        return find(key, now -> client(key, address, now), use);
    }

    private <T extends Record> T find(
            Long key, LongFunction<Client> create, Function<Client, T> use) {
        long now = System.nanoTime();
        List<T> used = new ArrayList<>(1);
        clients.compute(
                key,
                (_, known) -> {
                    Client client = known == null ? create.apply(now) : known;
                    used.add(use.apply(client));
                    return client;
                });
        return used.getFirst();
    }

    private Client client(Long key, InetAddress address, long now) {
        return new Client(key, limits.atOnce(address), limits.isProxy(address), limits, now);
    }

    /**
     * An IPv4 address as IPv6 has it, from the third byte on, and the first half of an IPv6 address: none of those that
     * are in use could be taken for an IPv4 one.
     */
    private static Long key(InetAddress address) {
        byte[] bytes = address.getAddress();
        long key = bytes.length == 4 ? 0xffff : 0;
        for (int i = 0; i < Math.min(bytes.length, 8); i++) {
            key = key << 8 | (bytes[i] & 0xff);
        }
        return key;
    }

    /** A client has nothing any more: forgets it, or remembers it for its rate. */
    private void rests(Client client) {
        long now = System.nanoTime();
        forget(client, now, false);
        if (limits.ratePerSecond() <= 0) {
            return;
        }
        int count = resting.incrementAndGet();
        // Of several that come at once, the last one looks through them.
        if (count > MOST_RESTING && resting.compareAndSet(count, 0)) {
            clients.values().forEach(known -> forget(known, now, false));
            long left = clients.values().stream().filter(Client::isIdle).count();
            if (left > MOST_RESTING) {
                clients.values().forEach(known -> forget(known, now, true));
            }
        }
    }

    private void forget(Client client, long now, boolean anyway) {
        clients.computeIfPresent(
                client.key(),
                (_, known) ->
                        known == client && client.isIdle() && (anyway || client.isRested(now))
                                ? null
                                : known);
    }
}
