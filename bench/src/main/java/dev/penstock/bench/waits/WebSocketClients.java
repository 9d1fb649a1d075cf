package dev.penstock.bench.waits;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Many WebSocket clients that send a message now and then and wait for it to be sent back, compressed where the server
 * agrees to that. For one thread.
 */
final class WebSocketClients implements AutoCloseable {
    private static final String HANDSHAKE =
            """
            GET /echo HTTP/1.1
            Host: localhost
            Upgrade: websocket
            Connection: Upgrade
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
            Sec-WebSocket-Version: 13
            """
                    .replace("\n", "\r\n");

    private static final String OFFER = "Sec-WebSocket-Extensions: permessage-deflate\r\n";
    private static final int TIMEOUT = 30_000;
    private static final int BUFFER = 256;
    private static final int LAST_TEXT = 0x81;
    private static final int COMPRESSED = 0x40;
    private static final int MASKED = 0x80;
    private static final byte[] TAIL = {0, 0, -1, -1};

    private final int port;
    private final boolean compressed;
    private final byte[] message;
    private final byte[] frame;
    private final List<Client> clients = new ArrayList<>();

    /** A connection, with no more memory than it needs. */
    private record Client(Socket socket, DataInputStream in) {}

    /**
     * @param compressed whether compression is offered, and demanded
     * @param message of less than 30,000 bytes
     */
    WebSocketClients(int port, boolean compressed, String message) {
        this.port = port;
        this.compressed = compressed;
        this.message = message.getBytes(US_ASCII);
        frame = frame(compressed ? compress(this.message) : this.message);
    }

    private byte[] frame(byte[] payload) {
        byte[] framed = new byte[payload.length + 8];
        framed[0] = (byte) (compressed ? LAST_TEXT | COMPRESSED : LAST_TEXT);
        framed[1] = (byte) (MASKED | 126);
        framed[2] = (byte) (payload.length >> 8);
        framed[3] = (byte) payload.length;
        // The mask is zeros.
        System.arraycopy(payload, 0, framed, 8, payload.length);
        if (payload.length < 126) {
            framed[1] = (byte) (MASKED | payload.length);
            System.arraycopy(framed, 4, framed, 2, payload.length + 4);
            return Arrays.copyOf(framed, payload.length + 6);
        }
        return framed;
    }

    private static byte[] compress(byte[] plain) {
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        try {
            deflater.setInput(plain);
            byte[] out = new byte[plain.length + 64];
            int count = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
            return Arrays.copyOf(out, count - TAIL.length);
        } finally {
            deflater.end();
        }
    }

    /** Opens so many more. */
    void open(int count) throws IOException {
        byte[] request = (HANDSHAKE + (compressed ? OFFER : "") + "\r\n").getBytes(US_ASCII);
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(TIMEOUT);
            socket.setTcpNoDelay(true);
            Client client =
                    new Client(
                            socket,
                            new DataInputStream(
                                    new BufferedInputStream(socket.getInputStream(), BUFFER)));
            clients.add(client);
            socket.getOutputStream().write(request);
            String head = head(client.in);
            if (!head.startsWith("HTTP/1.1 101 ")
                    || head.contains("permessage-deflate") != compressed) {
                throw new IOException("Not the WebSocket that was asked for: " + head);
            }
        }
    }

    private static String head(DataInputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        return head.toString();
    }

    /** Has each send its message, and waits for it to come back. Returns how many came back as they were. */
    int echo() throws IOException {
        for (Client client : clients) {
            client.socket.getOutputStream().write(frame);
        }
        int right = 0;
        for (Client client : clients) {
            right += Arrays.equals(receive(client.in), message) ? 1 : 0;
        }
        return right;
    }

    private static byte[] receive(DataInputStream in) throws IOException {
        int first = in.readUnsignedByte();
        int length = in.readUnsignedByte();
        length = length == 126 ? in.readUnsignedShort() : length;
        byte[] payload = in.readNBytes(length);
        return (first & COMPRESSED) == 0 ? payload : inflate(payload);
    }

    private static byte[] inflate(byte[] payload) throws IOException {
        Inflater inflater = new Inflater(true);
        try {
            byte[] input = Arrays.copyOf(payload, payload.length + TAIL.length);
            System.arraycopy(TAIL, 0, input, payload.length, TAIL.length);
            inflater.setInput(input);
            byte[] out = new byte[32 * 1024];
            return Arrays.copyOf(out, inflater.inflate(out));
        } catch (DataFormatException e) {
            throw new IOException(e);
        } finally {
            inflater.end();
        }
    }

    @Override
    public void close() throws IOException {
        for (Client client : clients) {
            client.socket.close();
        }
        clients.clear();
    }
}
