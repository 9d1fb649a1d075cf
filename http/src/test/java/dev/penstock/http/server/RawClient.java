package dev.penstock.http.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A client that sends exactly what it is told, and reads responses by the rules. */
public final class RawClient implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    public RawClient(int port) throws IOException {
        this(port, 0);
    }

    /** One at another address of this machine, such as 127.0.0.2. */
    static RawClient from(String address, int port) throws IOException {
        return new RawClient(port, 0, new InetSocketAddress(InetAddress.ofLiteral(address), 0));
    }

    public RawClient(int port, int receiveBuffer) throws IOException {
        this(port, receiveBuffer, null);
    }

    /** One over a socket that is connected. */
    public RawClient(Socket connected) throws IOException {
        socket = connected;
        in = socket.getInputStream();
    }

    private RawClient(int port, int receiveBuffer, @Nullable InetSocketAddress own)
            throws IOException {
        socket = new Socket();
        if (own != null) {
            socket.bind(own);
        }
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
    }

    public RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    public RawClient shutdownOutput() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    public Socket socket() {
        return socket;
    }

    public InputStream input() {
        return in;
    }

    /** Closes with a reset. */
    public void abort() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    public Reply reply() throws IOException {
        return reply(false);
    }

    public Reply replyToHead() throws IOException {
        return reply(true);
    }

    private Reply reply(boolean toHead) throws IOException {
        Reply head = head();
        byte[] body;
        if (toHead || head.status / 100 == 1 || head.status == 204 || head.status == 304) {
            body = new byte[0];
        } else if (head.header("Transfer-Encoding").isPresent()) {
            body = chunks();
        } else if (head.header("Content-Length").isPresent()) {
            int length = Integer.parseInt(head.header("Content-Length").orElseThrow());
            body = in.readNBytes(length);
            if (body.length < length) {
                throw new IOException("body ended at " + body.length + " of " + length);
            }
        } else {
            body = in.readAllBytes();
        }
        return new Reply(head.status, head.headers, body);
    }

    public Reply head() throws IOException {
        String statusLine = line();
        if (!statusLine.startsWith("HTTP/1.1 ")) {
            throw new IOException("no status line: " + statusLine);
        }
        List<String> headers = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            headers.add(line);
        }
        return new Reply(Integer.parseInt(statusLine.substring(9, 12)), headers, new byte[0]);
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(line(), 16);
            byte[] chunk = in.readNBytes(size);
            if (chunk.length < size || !line().isEmpty()) {
                throw new IOException("broken chunk");
            }
            if (size == 0) {
                return body.toByteArray();
            }
            body.write(chunk);
        }
    }

    public String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("ended in the line: " + line);
            }
            if (b == '\n') {
                if (line.isEmpty() || line.charAt(line.length() - 1) != '\r') {
                    throw new IOException("LF without CR");
                }
                return line.substring(0, line.length() - 1);
            }
            line.append((char) b);
        }
    }

    /** Returns whether the server has ended the connection cleanly. */
    public boolean atEnd() throws IOException {
        return in.read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** A response, or its head. */
    public static final class Reply {
        private final int status;
        private final List<String> headers;
        private final byte[] body;

        Reply(int status, List<String> headers, byte[] body) {
            this.status = status;
            this.headers = headers;
            this.body = body;
        }

        /** The same with a body. */
        Reply with(byte[] content) {
            return new Reply(status, headers, content);
        }

        public int status() {
            return status;
        }

        public byte[] body() {
            return body;
        }

        /** As they came, each as name, colon and value. */
        public List<String> headers() {
            return headers;
        }

        public Optional<String> header(String name) {
            return headers.stream()
                    .filter(line ->
                            line.toLowerCase(Locale.ROOT)
                                    .startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(line -> line.substring(name.length() + 1).trim())
                    .findFirst();
        }

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }
}
