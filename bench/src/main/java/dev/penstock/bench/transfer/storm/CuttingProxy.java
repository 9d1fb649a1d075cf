package dev.penstock.bench.transfer.storm;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A proxy of TCP that begins late, is slow, and resets each connection after some bytes. Its buffers are small, so that
 * little is under way when it does. Closing ends it. Thread-safe.
 */
final class CuttingProxy implements AutoCloseable {
    private static final int BUFFER = 16 * 1024;
    private static final int SOCKET_BUFFER = 16 * 1024;
    private static final long LONGEST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Of each direction of a connection. */
    private static final long BYTES_A_SECOND = 10_000_000;

    private static final int CONNECT_MILLIS = 2000;

    /** Generators whose seeds are neighbours begin with nearly the same number. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final ServerSocket socket;
    private final int target;
    private final long leastBytes;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger cuts = new AtomicInteger();

    private CuttingProxy(ServerSocket socket, int target, long leastBytes) {
        this.socket = socket;
        this.target = target;
        this.leastBytes = leastBytes;
    }

    /**
     * Starts one before a port of this machine.
     *
     * @param leastBytes of a connection before it is cut; at most, 16 times as many
     */
    static CuttingProxy start(int target, long leastBytes) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReceiveBufferSize(SOCKET_BUFFER);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        CuttingProxy proxy = new CuttingProxy(socket, target, leastBytes);
        Thread.ofVirtual().name("proxy").start(proxy::accept);
        return proxy;
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Returns how many connections it has cut. */
    int cuts() {
        return cuts.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                int number = connections.getAndIncrement();
                Thread.ofVirtual()
                        .name("proxy")
                        .start(() -> serve(client, new Random(number * SPREAD)));
            }
        } catch (IOException closed) {
            // The end.
        }
    }

    private void serve(Socket client, Random random) {
        long most = leastBytes * 16;
        AtomicLong left = new AtomicLong(random.nextLong(leastBytes, most));
        LockSupport.parkNanos(random.nextLong(LONGEST_DELAY_NANOS));
        try (client;
                Socket server = new Socket()) {
            client.setSendBufferSize(SOCKET_BUFFER);
            server.setSendBufferSize(SOCKET_BUFFER);
            server.setReceiveBufferSize(SOCKET_BUFFER);
            // A reset, as a connection that breaks has it, not an end.
            client.setSoLinger(true, 0);
            server.setSoLinger(true, 0);
            server.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), target),
                    CONNECT_MILLIS);
            Thread there = Thread.ofVirtual().name("proxy").start(() -> pass(client, server, left));
            pass(server, client, left);
            there.join();
        } catch (IOException e) {
            // Either side has gone, or the server is not there now.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass(Socket from, Socket to, AtomicLong left) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (left.addAndGet(-read) < 0) {
                    cuts.incrementAndGet();
                    break;
                }
                out.write(buffer, 0, read);
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(read) / BYTES_A_SECOND);
            }
        } catch (IOException e) {
            // The other direction ends as well.
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
