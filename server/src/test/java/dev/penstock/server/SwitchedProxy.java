package dev.penstock.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A TCP proxy in front of a database, which can be turned off: then connections break, and new ones are refused. */
final class SwitchedProxy implements AutoCloseable {
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ReservedPort port = new ReservedPort();
    private ServerSocket listener;

    /** One that is on. */
    SwitchedProxy(int target) throws IOException {
        this.target = target;
        listener = listen();
    }

    int port() throws IOException {
        return port.number();
    }

    void turnOn() throws IOException {
        listener = listen();
    }

    void turnOff() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    private ServerSocket listen() throws IOException {
        ServerSocket opened = new ServerSocket();
        opened.setReuseAddress(true);
        opened.bind(
                new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port.number()));
        Thread.ofVirtual().start(() -> accept(opened));
        return opened;
    }

    private void accept(ServerSocket opened) {
        try {
            while (true) {
                connect(opened.accept(), opened);
            }
        } catch (IOException _) {
            // It was turned off.
        }
    }

    private void connect(Socket client, ServerSocket opened) throws IOException {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(client);
            sockets.add(server);
            if (opened.isClosed()) {
                // It was turned off meanwhile, and perhaps on again.
                client.close();
                server.close();
                return;
            }
            Thread.ofVirtual().start(() -> copy(client, server));
            Thread.ofVirtual().start(() -> copy(server, client));
        } catch (IOException _) {
            client.close();
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            var _ = from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException _) {
            // Either side has closed.
        }
    }

    @Override
    public void close() {
        try {
            turnOff();
            port.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
