package dev.penstock.http.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** A client of HTTP/2 that sends exactly the frames that it is told, and reads those that come. For one thread. */
public final class FrameClient implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int MAX_FRAME = 16_384;

    static final int END_STREAM = 1;
    static final int ACK = 1;
    static final int END_HEADERS = 4;

    public static final int NO_ERROR = 0;
    static final int PROTOCOL_ERROR = 1;
    static final int INTERNAL_ERROR = 2;
    static final int STREAM_CLOSED = 5;
    static final int REFUSED_STREAM = 7;
    static final int CANCEL = 8;
    static final int ENHANCE_YOUR_CALM = 11;

    static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Socket socket;
    private final DataInputStream in;
    private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);
    private final Map<Integer, Reply> replies = new HashMap<>();
    private final Map<Integer, Integer> announced = new HashMap<>();
    private boolean givesRoom = true;
    private boolean answers = true;
    private int latest = -1;
    private int goneAway = -1;

    /** What may be sent on a stream at first. */
    private int initialRoom = Http2Body.WINDOW;

    /** A frame that came. */
    static final class Frame {
        private final int type;
        private final int flags;
        private final int stream;
        private final byte[] payload;

        Frame(int type, int flags, int stream, byte[] payload) {
            this.type = type;
            this.flags = flags;
            this.stream = stream;
            this.payload = payload;
        }

        int stream() {
            return stream;
        }

        /** The number that it begins with. */
        int number() {
            return ByteBuffer.wrap(payload).getInt();
        }

        /** The value of a setting in it, or what it is unless set. */
        int setting(int name, int otherwise) {
            int value = otherwise;
            for (int i = 0; i + 6 <= payload.length; i += 6) {
                ByteBuffer one = ByteBuffer.wrap(payload, i, 6);
                if (one.getShort() == name) {
                    value = one.getInt();
                }
            }
            return value;
        }

        boolean isPingAck() {
            return type == PING && (flags & ACK) != 0;
        }

        int errorCode() {
            return ByteBuffer.wrap(payload).getInt(type == GOAWAY ? 4 : 0);
        }
    }

    /** Bytes, any of which can be had without a copy of all. */
    private static final class Bytes extends ByteArrayOutputStream {
        synchronized void copy(int from, byte[] into, int offset, int length) {
            System.arraycopy(buf, from, into, offset, length);
        }
    }

    /** The frames that have come on a stream so far. */
    public static final class Reply {
        private final Bytes body = new Bytes();
        private Http2Headers head = new DefaultHttp2Headers();

        /** Heads that have come while an interim one was there. */
        private final Queue<Http2Headers> later = new ArrayDeque<>();

        private Http2Headers trailers = new DefaultHttp2Headers();
        private int status;
        private boolean ended;
        private int error = -1;
        private int bytes;

        /** What may be sent; on stream 0, on all streams together. */
        private int room;

        private Reply(int room) {
            this.room = room;
        }

        public int status() {
            return status;
        }

        /** So many bytes were sent, whether there was room or not. */
        void spend(int bytes) {
            room -= bytes;
        }

        public String header(String name) {
            CharSequence value = head.get(name);
            return value == null ? "" : value.toString();
        }

        public Http2Headers headers() {
            return head;
        }

        private void head(Http2Headers came) {
            head = came;
            status = Integer.parseInt(String.valueOf(came.status()));
        }

        public String text() {
            return body.toString(StandardCharsets.UTF_8);
        }

        int size() {
            return body.size();
        }

        /** With head and framing. */
        int bytes() {
            return bytes;
        }

        /** Returns whether all of it has come. */
        boolean ended() {
            return ended;
        }

        /** Of the frame that broke it, or -1. */
        public int error() {
            return error;
        }
    }

    /** Connects, and sends the preface with these settings: an identifier and a value in turn. */
    FrameClient(int port, int... settings) throws IOException {
        this(port, 0, true, settings);
    }

    /** The same, where the kernel takes so few bytes. */
    public static FrameClient withReceiveBuffer(int bytes, int port, int... settings)
            throws IOException {
        return new FrameClient(port, bytes, true, settings);
    }

    /** One that only encodes. */
    private FrameClient() {
        socket = new Socket();
        in = new DataInputStream(InputStream.nullInputStream());
    }

    static FrameClient unconnected() {
        return new FrameClient();
    }

    private FrameClient(int port, int receiveBuffer, boolean speaks, int... settings)
            throws IOException {
        socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        if (speaks) {
            speak(settings);
        }
    }

    /** Sends the preface over a socket that is connected. */
    public FrameClient(Socket connected) throws IOException {
        socket = connected;
        in = new DataInputStream(socket.getInputStream());
        speak();
    }

    private void speak(int... settings) throws IOException {
        send(PREFACE);
        ByteBuffer payload = ByteBuffer.allocate(settings.length * 3);
        for (int i = 0; i < settings.length; i += 2) {
            payload.putShort((short) settings[i]).putInt(settings[i + 1]);
        }
        frame(SETTINGS, 0, 0, payload.array());
    }

    /** Connects, and sends nothing. */
    static FrameClient silent(int port) throws IOException {
        return new FrameClient(port, 0, false);
    }

    /** From now on no room is given for what has come. */
    public FrameClient withoutRoom() {
        givesRoom = false;
        return this;
    }

    /** From now on nothing is sent but what is asked for. */
    FrameClient withoutAnswers() {
        answers = false;
        return withoutRoom();
    }

    public Socket socket() {
        return socket;
    }

    FrameClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    FrameClient frame(int type, int flags, int stream, byte... payload) throws IOException {
        return send(bytes(type, flags, stream, payload));
    }

    static byte[] bytes(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    /** Begins a stream with headers, names and values in turn; returns its number. */
    int begin(boolean last, String... headers) throws IOException {
        latest += 2;
        byte[] block = block(headers);
        int type = HEADERS;
        int flags = last ? END_STREAM : 0;
        int at = 0;
        for (; block.length - at > MAX_FRAME; at += MAX_FRAME) {
            frame(type, flags, latest, Arrays.copyOfRange(block, at, at + MAX_FRAME));
            type = CONTINUATION;
            flags = 0;
        }
        frame(type, flags | END_HEADERS, latest, Arrays.copyOfRange(block, at, block.length));
        return latest;
    }

    public int get(String path, String... more) throws IOException {
        return request("GET", path, true, more);
    }

    int post(String path, String... more) throws IOException {
        return request("POST", path, false, more);
    }

    public int request(String method, String path, boolean last, String... more)
            throws IOException {
        String[] headers = {":method", method, ":scheme", "http", ":path", path, ":authority", "x"};
        String[] all = Arrays.copyOf(headers, headers.length + more.length);
        System.arraycopy(more, 0, all, headers.length, more.length);
        return begin(last, all);
    }

    public FrameClient data(int stream, boolean last, byte... bytes) throws IOException {
        return frame(DATA, last ? END_STREAM : 0, stream, bytes);
    }

    /** Ends a request's body with trailers, names and values in turn. */
    public FrameClient trailers(int stream, String... trailers) throws IOException {
        return frame(HEADERS, END_HEADERS | END_STREAM, stream, block(trailers));
    }

    /** What has come behind the body on a stream, each as name, colon and value. */
    public List<String> trailers(int stream) {
        List<String> lines = new ArrayList<>();
        soFar(stream).trailers.forEach(line -> lines.add(line.getKey() + ": " + line.getValue()));
        return lines;
    }

    /** Sends bytes in frames as there is room for them; reads meanwhile. */
    public void dataWithinWindow(int stream, byte[] bytes) throws IOException {
        for (int at = 0; at < bytes.length; ) {
            Reply reply = soFar(stream);
            Reply all = soFar(0);
            int step = Math.min(bytes.length - at, MAX_FRAME);
            step = Math.min(step, Math.min(reply.room, all.room));
            if (step <= 0) {
                if (reply.error >= 0) {
                    return;
                }
                var _ = next();
                continue;
            }
            data(stream, false, Arrays.copyOfRange(bytes, at, at + step));
            reply.room -= step;
            all.room -= step;
            at += step;
        }
    }

    public FrameClient cancel(int stream) throws IOException {
        return frame(RST_STREAM, 0, stream, number(CANCEL));
    }

    public FrameClient room(int stream, int bytes) throws IOException {
        return frame(WINDOW_UPDATE, 0, stream, number(bytes));
    }

    byte[] block(String... headers) throws IOException {
        Http2Headers all = new DefaultHttp2Headers(false);
        for (int i = 0; i < headers.length; i += 2) {
            all.add(headers[i], headers[i + 1]);
        }
        ByteBuf out = Unpooled.buffer();
        try {
            encoder.encodeHeaders(1, all, out);
        } catch (Http2Exception impossible) {
            throw new IOException(impossible);
        }
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }

    /** The next frame, after it was taken note of. */
    Frame next() throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = in.readNBytes(length);
        Frame frame = new Frame(type, flags, stream, payload);
        note(frame);
        return frame;
    }

    private void note(Frame frame) throws IOException {
        Reply reply = soFar(frame.stream);
        reply.bytes += 9 + frame.payload.length;
        switch (frame.type) {
            case HEADERS -> {
                head(reply, frame);
                reply.ended |= (frame.flags & END_STREAM) != 0;
            }
            case DATA -> {
                reply.body.writeBytes(frame.payload);
                reply.ended |= (frame.flags & END_STREAM) != 0;
                if (givesRoom && frame.payload.length > 0) {
                    room(0, frame.payload.length);
                    if (!reply.ended) {
                        room(frame.stream, frame.payload.length);
                    }
                }
            }
            case RST_STREAM -> reply.error = frame.errorCode();
            case SETTINGS -> {
                ByteBuffer settings = ByteBuffer.wrap(frame.payload);
                while (settings.hasRemaining()) {
                    announced.put((int) settings.getShort(), settings.getInt());
                }
                initialRoom(frame.setting(INITIAL_WINDOW_SIZE, initialRoom));
                if (answers && (frame.flags & ACK) == 0) {
                    frame(SETTINGS, ACK, 0);
                }
            }
            case WINDOW_UPDATE -> reply.room += frame.number();
            case GOAWAY -> goneAway = frame.errorCode();
            default -> {}
        }
    }

    /** Of all streams, those that there are already too (RFC 9113, section 6.9.2). */
    private void initialRoom(int bytes) {
        int more = bytes - initialRoom;
        initialRoom = bytes;
        replies.forEach((stream, reply) -> reply.room += stream == 0 ? 0 : more);
    }

    private void head(Reply reply, Frame frame) throws IOException {
        Http2Headers came;
        try {
            came = decoder.decodeHeaders(frame.stream, Unpooled.wrappedBuffer(frame.payload));
        } catch (Http2Exception wrong) {
            throw new IOException(wrong);
        }
        CharSequence status = came.status();
        if (status == null) {
            reply.trailers = came;
        } else if (reply.status > 100 && reply.status < 200) {
            reply.later.add(came);
        } else {
            reply.head(came);
        }
    }

    /** Reads until all of a response has come, or is broken. */
    public Reply reply(int stream) throws IOException {
        Reply reply = soFar(stream);
        while (!reply.ended && reply.error < 0) {
            var _ = next();
        }
        while (!reply.later.isEmpty()) {
            forgetHead(stream);
        }
        return reply;
    }

    /** Reads until a head of a response has come. */
    public Reply head(int stream) throws IOException {
        Reply reply = soFar(stream);
        while (reply.status == 0 && reply.error < 0) {
            var _ = next();
        }
        return reply;
    }

    Reply soFar(int stream) {
        return replies.computeIfAbsent(
                stream, number -> new Reply(number == 0 ? Http2Body.WINDOW : initialRoom));
    }

    /** Reads until a stream is reset; the code of that. */
    public int broken(int stream) throws IOException {
        Reply reply = soFar(stream);
        while (reply.error < 0) {
            var _ = next();
        }
        return reply.error;
    }

    /** The value of a setting that the server has announced; -1 for none. */
    public int announces(int setting) {
        return announced.getOrDefault(setting, -1);
    }

    /** Reads until the server's settings have come, which acknowledges them. */
    public void readSettings() throws IOException {
        next(SETTINGS);
    }

    /** Reads until a frame of a type. */
    Frame next(int type) throws IOException {
        while (true) {
            Frame frame = next();
            if (frame.type == type) {
                return frame;
            }
        }
    }

    /** Reads until the server ends the connection; the code of its GOAWAY, or -1 for none. */
    public int end() {
        try {
            while (true) {
                var _ = next();
            }
        } catch (IOException _) {
            return goneAway;
        }
    }

    /** An interim head is dealt with. */
    public void forgetHead(int stream) {
        Reply reply = soFar(stream);
        reply.status = 0;
        if (!reply.later.isEmpty()) {
            reply.head(reply.later.remove());
        }
    }

    /** What comes on a stream; fails where that is reset. */
    public InputStream body(int stream) {
        return new InputStream() {
            private int at;

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                if (length == 0) {
                    return 0;
                }
                Reply reply = soFar(stream);
                while (reply.size() == at && !reply.ended) {
                    if (reply.error >= 0) {
                        throw new IOException("reset with " + reply.error);
                    }
                    var _ = next();
                }
                int count = Math.min(length, reply.size() - at);
                if (count == 0) {
                    return -1;
                }
                reply.body.copy(at, into, offset, count);
                at += count;
                return count;
            }
        };
    }

    /** Goes away. */
    public void leave() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        encoder.close();
    }
}
