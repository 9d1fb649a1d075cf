package dev.penstock.http.servlet;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A client that sends exactly what it is told, and takes no half response for a whole one. */
final class RawClient implements AutoCloseable {
    private final Socket socket = new Socket();
    private final InputStream in;
    private boolean inChunks;

    RawClient(int port) throws IOException {
        this(port, 0);
    }

    RawClient(int port, int receiveBuffer) throws IOException {
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(20_000);
        in = socket.getInputStream();
    }

    RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    RawClient get(String path) throws IOException {
        return send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    InputStream input() {
        return in;
    }

    Reply head() throws IOException {
        String statusLine = line();
        if (!statusLine.startsWith("HTTP/1.1 ")) {
            throw new IOException("no status line: " + statusLine);
        }
        List<String> headers = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            headers.add(line);
        }
        return new Reply(Integer.parseInt(statusLine.substring(9, 12)), headers, "");
    }

    Reply reply() throws IOException {
        Reply head = head();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (head.header("Transfer-Encoding").isPresent()) {
            for (byte[] chunk = chunk(); chunk.length > 0; chunk = chunk()) {
                body.write(chunk);
            }
        } else if (head.status != 204 && head.status != 304) {
            int length = Integer.parseInt(head.header("Content-Length").orElseThrow());
            body.write(exactly(length));
        }
        return new Reply(head.status, head.headers, body.toString(StandardCharsets.UTF_8));
    }

    /** The next chunk; empty at the end of the body. The line break after one may come with the next. */
    byte[] chunk() throws IOException {
        endChunk();
        byte[] chunk = exactly(Integer.parseInt(line(), 16));
        inChunks = true;
        if (chunk.length == 0) {
            endChunk();
        }
        return chunk;
    }

    private void endChunk() throws IOException {
        if (inChunks && !line().isEmpty()) {
            throw new IOException("a chunk that does not end");
        }
        inChunks = false;
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("ended at %d of %d".formatted(bytes.length, length));
        }
        return bytes;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("ended in the line: " + line);
            }
            line.append((char) b);
        }
        return line.toString().strip();
    }

    /** Closes with a reset. */
    void abort() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** A response, or its head. */
    record Reply(int status, List<String> headers, String body) {
        Optional<String> header(String name) {
            return headers.stream()
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst();
        }
    }
}
