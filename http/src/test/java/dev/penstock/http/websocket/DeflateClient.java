package dev.penstock.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** The client's side of permessage-deflate, by the JDK's own deflate: without a window from message to message. */
final class DeflateClient {
    private static final byte[] TAIL = {0, 0, -1, -1};

    private DeflateClient() {}

    /** Compresses a message; the result is its payload. */
    static byte[] compress(byte[] message, int level) {
        Deflater deflater = new Deflater(level, true);
        try {
            deflater.setInput(message);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[8192];
            int count;
            do {
                count = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
                out.write(buffer, 0, count);
            } while (count == buffer.length);
            byte[] all = out.toByteArray();
            byte[] end = Arrays.copyOfRange(all, all.length - 4, all.length);
            assertThat(end).isEqualTo(TAIL);
            // An empty message is one byte (RFC 7692, section 7.2.3.6).
            return all.length == 5 && message.length == 0
                    ? new byte[1]
                    : Arrays.copyOf(all, all.length - 4);
        } finally {
            deflater.end();
        }
    }

    /** Inflates the payload of one message, to which nothing before it belongs. */
    static byte[] inflate(byte[] payload) throws IOException {
        Inflater inflater = new Inflater(true);
        try {
            byte[] input = Arrays.copyOf(payload, payload.length + TAIL.length);
            System.arraycopy(TAIL, 0, input, payload.length, TAIL.length);
            inflater.setInput(input);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[8192];
            for (int count = inflater.inflate(buffer); count > 0; ) {
                out.write(buffer, 0, count);
                count = inflater.inflate(buffer);
            }
            assertThat(inflater.getRemaining()).as("what is behind the message").isZero();
            return out.toByteArray();
        } catch (DataFormatException wrong) {
            throw new IOException(wrong);
        } finally {
            inflater.end();
        }
    }

    /** Sends a message in frames of at most so many bytes each. */
    static void send(RawWebSocket socket, int opcode, byte[] message, int level, int fragment)
            throws IOException {
        byte[] payload = compress(message, level);
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        int at = 0;
        do {
            int size = Math.min(fragment, payload.length - at);
            int first = at == 0 ? 0x40 | opcode : 0;
            int last = at + size == payload.length ? 0x80 : 0;
            frames.writeBytes(
                    RawWebSocket.frame(first | last, Arrays.copyOfRange(payload, at, at + size)));
            at += size;
        } while (at < payload.length);
        socket.sendBytes(frames.toByteArray());
    }

    /** Receives a message, compressed or not, and checks how its frames are marked. */
    static byte[] receive(RawWebSocket socket, int opcode) throws IOException {
        RawWebSocket.Frame frame = socket.next();
        assertThat(frame.first() & 0x3f).isEqualTo(opcode);
        boolean compressed = (frame.first() & 0x40) != 0;
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        payload.writeBytes(frame.payload());
        while ((frame.first() & 0x80) == 0) {
            frame = socket.next();
            assertThat(frame.first() & 0x7f).as("of a continuation").isZero();
            payload.writeBytes(frame.payload());
        }
        return compressed ? inflate(payload.toByteArray()) : payload.toByteArray();
    }
}
