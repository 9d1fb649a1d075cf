package dev.penstock.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.http2.FrameClient;
import dev.penstock.http.server.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A WebSocket client that sends exactly what it is told, frame by frame, and checks those that it gets. */
public final class RawWebSocket implements AutoCloseable {
    public static final String HEAD =
            """
            Host: x
            Upgrade: websocket
            Connection: keep-alive, Upgrade
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
            Sec-WebSocket-Version: 13
            """
                    .replace("\n", "\r\n");

    /** The carrier of a WebSocket: a connection of HTTP/1.1, or a stream of HTTP/2. */
    interface Carrier {
        void send(byte[] bytes) throws IOException;

        void close() throws IOException;
    }

    private final @Nullable RawClient client;
    private final Carrier carrier;
    private final DataInputStream in;
    private final String extensions;

    /** A frame that came: its first byte, and its payload. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Frame(int first, byte[] payload) {
        public String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        /** The code of a close frame; 1005 for none. */
        public int code() {
            assertThat(first).as("a close frame").isEqualTo(0x88);
            return payload.length == 0 ? 1005 : ((payload[0] & 0xff) << 8) | (payload[1] & 0xff);
        }
    }

    public RawWebSocket(int port) throws IOException {
        this(port, 0);
    }

    RawWebSocket(int port, int receiveBuffer) throws IOException {
        this(port, receiveBuffer, "");
    }

    /** One that asks for extensions, unless they are empty. */
    RawWebSocket(int port, int receiveBuffer, String offered) throws IOException {
        RawClient made = new RawClient(port, receiveBuffer);
        client = made;
        carrier =
                new Carrier() {
                    @Override
                    public void send(byte[] bytes) throws IOException {
                        made.send(bytes);
                    }

                    @Override
                    public void close() throws IOException {
                        made.close();
                    }
                };
        String header = offered.isEmpty() ? "" : "Sec-WebSocket-Extensions: " + offered + "\r\n";
        RawClient.Reply reply = made.send("GET / HTTP/1.1\r\n" + HEAD + header + "\r\n").head();
        assertThat(reply.status()).isEqualTo(101);
        assertThat(reply.header("Sec-WebSocket-Accept")).contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        extensions = reply.header("Sec-WebSocket-Extensions").orElse("");
        in = new DataInputStream(made.input());
    }

    /**
     * One on a stream of HTTP/2.
     *
     * @param more headers, names and values in turn
     */
    RawWebSocket(FrameClient connection, String... more) throws IOException {
        client = null;
        String[] usual = {":protocol", "websocket", "sec-websocket-version", "13"};
        String[] headers = Arrays.copyOf(usual, usual.length + more.length);
        System.arraycopy(more, 0, headers, usual.length, more.length);
        int stream = connection.request("CONNECT", "/", false, headers);
        FrameClient.Reply reply = connection.head(stream);
        assertThat(reply.status()).isEqualTo(200);
        extensions = reply.header("sec-websocket-extensions");
        in = new DataInputStream(connection.body(stream));
        carrier =
                new Carrier() {
                    @Override
                    public void send(byte[] bytes) throws IOException {
                        connection.dataWithinWindow(stream, bytes);
                    }

                    @Override
                    public void close() throws IOException {
                        connection.cancel(stream);
                    }
                };
    }

    /** What the server has agreed to. */
    String extensions() {
        return extensions;
    }

    /** A whole frame as clients send it, masked. */
    public static byte[] frame(int first, byte[] payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(first);
        int length = payload.length;
        if (length < 126) {
            out.write(0x80 | length);
        } else if (length < 65_536) {
            out.write(0x80 | 126);
            out.write(length >> 8);
            out.write(length);
        } else {
            out.write(0x80 | 127);
            out.writeBytes(new byte[4]);
            for (int shift = 24; shift >= 0; shift -= 8) {
                out.write(length >> shift);
            }
        }
        byte[] mask = {0x12, (byte) 0x9a, 0x55, (byte) 0xff};
        out.writeBytes(mask);
        for (int i = 0; i < length; i++) {
            out.write(payload[i] ^ mask[i & 3]);
        }
        return out.toByteArray();
    }

    public RawWebSocket send(int first, byte[] payload) throws IOException {
        carrier.send(frame(first, payload));
        return this;
    }

    RawWebSocket send(int first, String payload) throws IOException {
        return send(first, payload.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes as they are. */
    RawWebSocket sendBytes(byte[] bytes) throws IOException {
        carrier.send(bytes);
        return this;
    }

    /** The same in hexadecimal. */
    RawWebSocket sendRaw(String hex) throws IOException {
        carrier.send(HexFormat.of().parseHex(hex.replace(" ", "")));
        return this;
    }

    public RawWebSocket close(int code) throws IOException {
        return send(0x88, new byte[] {(byte) (code >> 8), (byte) code});
    }

    public Frame next() throws IOException {
        int first = in.readUnsignedByte();
        int length = in.readUnsignedByte();
        assertThat(length & 0x80).as("no mask").isZero();
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = Math.toIntExact(in.readLong());
        }
        byte[] payload = new byte[length];
        in.readFully(payload);
        return new Frame(first, payload);
    }

    /** Returns whether the connection was ended; what else comes before is not expected. */
    public boolean atEnd() throws IOException {
        try {
            return in.read() < 0;
        } catch (EOFException _) {
            return true;
        }
    }

    /** The connection, where it has one for itself. */
    RawClient client() {
        return Objects.requireNonNull(client);
    }

    @Override
    public void close() throws IOException {
        carrier.close();
    }
}
