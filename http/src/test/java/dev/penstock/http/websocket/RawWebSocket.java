package dev.penstock.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

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

    private final RawClient client;
    private final DataInputStream in;

    /** What came: its first byte, and its payload. */
    @SuppressWarnings("ArrayRecordComponent")
    record Frame(int first, byte[] payload) {
        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        /** The code of a close frame; 1005 for none. */
        int code() {
            assertThat(first).as("a close frame").isEqualTo(0x88);
            return payload.length == 0 ? 1005 : ((payload[0] & 0xff) << 8) | (payload[1] & 0xff);
        }
    }

    RawWebSocket(int port) throws IOException {
        this(port, 0);
    }

    RawWebSocket(int port, int receiveBuffer) throws IOException {
        client = new RawClient(port, receiveBuffer);
        RawClient.Reply reply = client.send("GET / HTTP/1.1\r\n" + HEAD + "\r\n").head();
        assertThat(reply.status()).isEqualTo(101);
        assertThat(reply.header("Sec-WebSocket-Accept")).contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        in = new DataInputStream(client.input());
    }

    /** A whole frame as clients send it, masked. */
    static byte[] frame(int first, byte[] payload) {
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

    RawWebSocket send(int first, byte[] payload) throws IOException {
        client.send(frame(first, payload));
        return this;
    }

    RawWebSocket send(int first, String payload) throws IOException {
        return send(first, payload.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes as they are, in hexadecimal. */
    RawWebSocket sendRaw(String hex) throws IOException {
        client.send(HexFormat.of().parseHex(hex.replace(" ", "")));
        return this;
    }

    RawWebSocket close(int code) throws IOException {
        return send(0x88, new byte[] {(byte) (code >> 8), (byte) code});
    }

    Frame next() throws IOException {
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

    /** Whether the connection was ended; what else comes before is not expected. */
    boolean atEnd() throws IOException {
        try {
            return in.read() < 0;
        } catch (EOFException _) {
            return true;
        }
    }

    RawClient client() {
        return client;
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
