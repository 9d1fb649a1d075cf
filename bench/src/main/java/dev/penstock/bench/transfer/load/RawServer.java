package dev.penstock.bench.transfer.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;

/**
 * A server that gives one file to whoever asks, and takes any body, dropping it; a platform thread each connection. It
 * counts the bodies that were that file, by length and checksum. Closing ends it. Thread-safe.
 */
public final class RawServer implements AutoCloseable {
    private final ServerSocketChannel socket;
    private final TestFile file;
    private final AtomicInteger right = new AtomicInteger();

    private RawServer(ServerSocketChannel socket, TestFile file) {
        this.socket = socket;
        this.file = file;
    }

    /** Starts one. */
    public static RawServer start(TestFile file) throws IOException {
        ServerSocketChannel socket = ServerSocketChannel.open();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4096);
        RawServer server = new RawServer(socket, file);
        Thread.ofPlatform().name("other side").daemon().start(server::accept);
        return server;
    }

    /** Its port on the loopback address. */
    public int port() {
        return socket.socket().getLocalPort();
    }

    /** Returns how many bodies were its file since this was last asked. */
    public int takeRight() {
        return right.getAndSet(0);
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel client = socket.accept();
                Thread.ofPlatform().name("other side").daemon().start(() -> serve(client));
            }
        } catch (IOException closed) {
            // The end.
        }
    }

    private void serve(SocketChannel client) {
        try (RawConnection connection = new RawConnection(client);
                FileChannel channel = FileChannel.open(file.path())) {
            for (String head = connection.head(); !head.isEmpty(); head = connection.head()) {
                answer(connection, channel, head);
            }
        } catch (IOException gone) {
            // The client sees that its connection has ended.
        }
    }

    private void answer(RawConnection connection, FileChannel channel, String head)
            throws IOException {
        String method = head.substring(0, head.indexOf(' '));
        switch (method) {
            case "OPTIONS" ->
                    connection.write(
                            "HTTP/1.1 204 No Content\r\nAllow: GET, HEAD, OPTIONS, POST, PUT\r\n\r\n");
            case "GET", "HEAD" -> {
                connection.write(
                        "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nETag: \"%x\"\r\n"
                                        .formatted(file.checksum())
                                + "Content-Length: %d\r\n\r\n".formatted(file.bytes()));
                if (method.equals("GET")) {
                    connection.send(channel, 0, file.bytes());
                }
            }
            default -> {
                if (!RawConnection.field(head, "Expect").isEmpty()) {
                    connection.write("HTTP/1.1 100 Continue\r\n\r\n");
                }
                CRC32C sum = new CRC32C();
                long read = connection.drain(head, sum);
                boolean isRight = read == file.bytes() && sum.getValue() == file.checksum();
                right.addAndGet(isRight ? 1 : 0);
                connection.write("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
