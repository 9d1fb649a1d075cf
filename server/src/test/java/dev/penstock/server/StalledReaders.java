package dev.penstock.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Clients that ask, and then read nothing unless they are told to. */
public final class StalledReaders implements AutoCloseable {
    private static final int RECEIVE_BUFFER = 4096;

    private final int port;
    private final List<Socket> sockets = new ArrayList<>();

    public StalledReaders(int port) {
        this.port = port;
    }

    public void open(String path, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket();
            socket.setReceiveBufferSize(RECEIVE_BUFFER);
            socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.getOutputStream()
                    .write(
                            ("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            sockets.add(socket);
        }
    }

    public Socket get(int index) {
        return sockets.get(index);
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
