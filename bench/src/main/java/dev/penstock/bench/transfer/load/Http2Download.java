package dev.penstock.bench.transfer.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * A download over HTTP/2 and TLS on a connection of its own, whose windows are as large as there are, so that it never
 * is what limits the server (RFC 9113). For one thread.
 */
public final class Http2Download {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final int BUFFER = 64 * 1024;
    private static final int LARGEST_WINDOW = Integer.MAX_VALUE;
    private static final int FIRST_WINDOW = 65_535;

    /** So many bytes are read before the windows grow again. */
    private static final int STEP = 1 << 29;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int END_STREAM = 1;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;

    private static final int ENABLE_PUSH = 2;
    private static final int INITIAL_WINDOW_SIZE = 4;

    /** The fields of the static table that are needed (RFC 7541, appendix A). */
    private static final int METHOD_GET = 0x82;

    private static final int SCHEME_HTTPS = 0x87;
    private static final int STATUS_200 = 0x88;
    private static final int PATH = 0x04;
    private static final int AUTHORITY = 0x01;

    private final DataInputStream in;
    private final DataOutputStream out;
    private long read;
    private long announced;

    private Http2Download(SSLSocket socket) throws IOException {
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
        out = new DataOutputStream(socket.getOutputStream());
    }

    /** Receives a body, which must have so many bytes. */
    public static void receive(SSLContext trust, int port, String target, long bytes)
            throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (SSLSocket socket = (SSLSocket) trust.getSocketFactory().createSocket(here, port)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            // The same for every server.
            parameters.setProtocols(new String[] {"TLSv1.3"});
            parameters.setCipherSuites(new String[] {"TLS_AES_128_GCM_SHA256"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            if (!socket.getApplicationProtocol().equals("h2")) {
                throw new IOException("the server does not speak HTTP/2");
            }
            Http2Download download = new Http2Download(socket);
            download.ask(target);
            download.readToEnd();
            if (download.read != bytes) {
                throw new IOException(
                        "%s: %d bytes came of %d".formatted(target, download.read, bytes));
            }
        }
    }

    private void ask(String target) throws IOException {
        out.write(PREFACE.getBytes(US_ASCII));
        ByteArrayOutputStream settings = new ByteArrayOutputStream();
        DataOutputStream each = new DataOutputStream(settings);
        each.writeShort(ENABLE_PUSH);
        each.writeInt(0);
        each.writeShort(INITIAL_WINDOW_SIZE);
        each.writeInt(LARGEST_WINDOW);
        frame(SETTINGS, 0, 0, settings.toByteArray());
        grow(0, LARGEST_WINDOW - FIRST_WINDOW);
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        fields.write(METHOD_GET);
        fields.write(SCHEME_HTTPS);
        literal(fields, PATH, target);
        literal(fields, AUTHORITY, "localhost");
        frame(HEADERS, END_STREAM | END_HEADERS, 1, fields.toByteArray());
    }

    private static void literal(ByteArrayOutputStream fields, int name, String value) {
        // A length below 127 is one byte, without Huffman's code.
        fields.write(name);
        fields.write(value.length());
        fields.writeBytes(value.getBytes(US_ASCII));
    }

    private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream frame = new DataOutputStream(bytes);
        frame.writeByte(payload.length >>> 16);
        frame.writeShort(payload.length);
        frame.writeByte(type);
        frame.writeByte(flags);
        frame.writeInt(stream);
        frame.write(payload);
        // One record of TLS for one frame.
        out.write(bytes.toByteArray());
        out.flush();
    }

    private void grow(int stream, int by) throws IOException {
        byte[] increment = {(byte) (by >>> 24), (byte) (by >>> 16), (byte) (by >>> 8), (byte) by};
        frame(WINDOW_UPDATE, 0, stream, increment);
    }

    private void readToEnd() throws IOException {
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            if (type == DATA) {
                in.skipNBytes(length);
                took(length);
            } else {
                other(type, flags, in.readNBytes(length));
            }
            if (stream == 1 && (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0) {
                return;
            }
        }
    }

    private void took(int length) throws IOException {
        read += length;
        if (read - announced >= STEP) {
            int by = (int) (read - announced);
            grow(0, by);
            grow(1, by);
            announced = read;
        }
    }

    private void other(int type, int flags, byte[] payload) throws IOException {
        switch (type) {
            case HEADERS -> {
                if (payload.length == 0 || (payload[0] & 0xff) != STATUS_200) {
                    throw new IOException("the status is not 200");
                }
            }
            case SETTINGS, PING -> {
                if ((flags & ACK) == 0) {
                    frame(type, ACK, 0, type == PING ? payload : new byte[0]);
                }
            }
            case RST_STREAM, GOAWAY ->
                    throw new IOException("the server broke off after " + read + " bytes");
            default -> {
                // Windows of what is not sent here.
            }
        }
    }
}
