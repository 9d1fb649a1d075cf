package dev.penstock.transfer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP proxy that cuts, delays and slows connections, the same way for the same seed.
 *
 * <p>Each connection draws its trouble from its number and the seed. Its sockets have small buffers, so that a cut
 * loses few bytes. It knows nothing of HTTP, and all of it is thread-safe.
 */
public final class CuttingProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 8 * 1024;
    private static final int SOCKET_BUFFER_BYTES = 16 * 1024;

    private final InetSocketAddress target;
    private final Settings settings;
    private final ServerSocket listener;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong cuts = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean isClosed;

    /**
     * The trouble that a proxy makes.
     *
     * @param seed of all that is random
     * @param cutShare the share of the connections that are cut, 0 to 1
     * @param minBytes the least number of bytes, both ways together, before a cut
     * @param maxBytes the greatest number of bytes before a cut
     * @param longestDelay the longest time before the first byte of a connection is passed on
     * @param bytesPerSecond the rate of each direction of a connection; 0 for no limit
     */
    public record Settings(
            long seed,
            double cutShare,
            long minBytes,
            long maxBytes,
            Duration longestDelay,
            long bytesPerSecond) {
        /** No trouble at all, which the methods below add to. */
        public static Settings none(long seed) {
            return new Settings(seed, 0, 0, 0, Duration.ZERO, 0);
        }

        /** Cuts each connection after between these numbers of bytes. */
        public Settings cutting(long minBytes, long maxBytes) {
            return new Settings(seed, 1, minBytes, maxBytes, longestDelay, bytesPerSecond);
        }

        /** Cuts this share of the connections only. */
        public Settings share(double cutShare) {
            return new Settings(seed, cutShare, minBytes, maxBytes, longestDelay, bytesPerSecond);
        }

        /** Delays the first byte of each connection by up to this. */
        public Settings delaying(Duration longest) {
            return new Settings(seed, cutShare, minBytes, maxBytes, longest, bytesPerSecond);
        }

        /** Passes on this many bytes a second in each direction. */
        public Settings slowing(long bytesPerSecond) {
            return new Settings(seed, cutShare, minBytes, maxBytes, longestDelay, bytesPerSecond);
        }
    }

    private CuttingProxy(InetSocketAddress target, Settings settings) throws IOException {
        this.target = target;
        this.settings = settings;
        listener = new ServerSocket();
        listener.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
    }

    /** Starts a proxy before a port of this machine. */
    public static CuttingProxy start(int targetPort, Settings settings) throws IOException {
        CuttingProxy proxy =
                new CuttingProxy(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort),
                        settings);
        Thread.ofVirtual().name("cutting-proxy").start(proxy::accept);
        return proxy;
    }

    /** The port that clients connect to, on the loopback address. */
    public int port() {
        return listener.getLocalPort();
    }

    /** The number of connections that were accepted. */
    public long connections() {
        return connections.get();
    }

    /** The number of connections that were cut. */
    public long cuts() {
        return cuts.get();
    }

    /** The number of bytes that were passed on, both ways together. */
    public long bytes() {
        return bytes.get();
    }

    /** Cuts all connections that are open now. */
    public void cutAll() {
        links.forEach(Link::cut);
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        listener.close();
        cutAll();
    }

    private void accept() {
        while (!isClosed) {
            try {
                Socket client = listener.accept();
                long number = connections.getAndIncrement();
                Thread.ofVirtual().start(() -> open(client, number));
            } catch (IOException e) {
                if (isClosed) {
                    return;
                }
            }
        }
    }

    private void open(Socket client, long number) {
        Random random = new Random(settings.seed * 1_000_003 + number);
        boolean isCut = random.nextDouble() < settings.cutShare;
        long span = Math.max(1, settings.maxBytes - settings.minBytes + 1);
        long limit =
                isCut ? settings.minBytes + Math.floorMod(random.nextLong(), span) : Long.MAX_VALUE;
        long delay =
                settings.longestDelay.isZero()
                        ? 0
                        : Math.floorMod(random.nextLong(), settings.longestDelay.toNanos());
        Socket server = new Socket();
        Link link = new Link(client, server, limit);
        links.add(link);
        try {
            LockSupport.parkNanos(delay);
            server.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
            server.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
            client.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
            server.connect(target, 10_000);
        } catch (IOException e) {
            link.end();
            return;
        }
        if (isClosed) {
            link.end();
            return;
        }
        Thread.ofVirtual().start(() -> link.pass(client, server));
        link.pass(server, client);
    }

    /** The two sockets of a connection. */
    private final class Link {
        private final Socket client;
        private final Socket server;
        private final AtomicLong left;

        Link(Socket client, Socket server, long limit) {
            this.client = client;
            this.server = server;
            left = new AtomicLong(limit);
        }

        void pass(Socket from, Socket to) {
            byte[] buffer = new byte[BUFFER_BYTES];
            try {
                for (int n; (n = from.getInputStream().read(buffer)) >= 0; ) {
                    long before = left.getAndAdd(-n);
                    int passed = Math.clamp(before, 0, n);
                    to.getOutputStream().write(buffer, 0, passed);
                    bytes.addAndGet(passed);
                    if (passed < n) {
                        cut();
                        return;
                    }
                    if (settings.bytesPerSecond > 0) {
                        LockSupport.parkNanos(1_000_000_000L * n / settings.bytesPerSecond);
                    }
                }
                to.shutdownOutput();
                if (from.isOutputShutdown()) {
                    end();
                }
            } catch (IOException e) {
                abort();
            }
        }

        void cut() {
            if (links.contains(this)) {
                cuts.incrementAndGet();
            }
            abort();
        }

        /** Resets both sides, so that neither takes it for a proper end. */
        private void abort() {
            try {
                client.setSoLinger(true, 0);
                server.setSoLinger(true, 0);
            } catch (IOException e) {
                // It is closed already, which is what matters.
            }
            end();
        }

        void end() {
            links.remove(this);
            try (client;
                    server) {
                // Both are closed.
            } catch (IOException e) {
                // Nobody reads from it any more.
            }
        }
    }
}
