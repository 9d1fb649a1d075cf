package dev.penstock.follow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A way to a server on this machine that can be cut. */
final class TcpProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    TcpProxy(int target) throws IOException {
        this.target = target;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                if (cut) {
                    client.close();
                    continue;
                }
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(server);
                Thread.ofVirtual().start(() -> copy(client, server));
                Thread.ofVirtual().start(() -> copy(server, client));
            } catch (IOException e) {
                // The listener or a connection was closed.
            }
        }
    }

    private void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One of them was closed.
        } finally {
            open.remove(from);
        }
    }

    /** Ends all connections, and lets no new one through. */
    void cut() {
        cut = true;
        closeAll();
    }

    void restore() {
        cut = false;
    }

    private void closeAll() {
        for (Socket socket : open) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        closeAll();
    }
}
