package dev.penstock.bench.transfer.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A connection of HTTP/1.1 over a blocking socket, of either side. It holds one buffer of 256 KiB outside of the heap.
 * Closing ends the connection. For one thread.
 */
public final class RawConnection implements AutoCloseable {
    private static final int BUFFER = 256 * 1024;
    private static final int MOST_HEAD = 64 * 1024;

    private final SocketChannel socket;

    /** Bytes that have come and were not looked at yet, between position and limit. */
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER).limit(0);

    RawConnection(SocketChannel socket) {
        this.socket = socket;
    }

    /** Connects to a port of this machine. */
    public static RawConnection open(int port) throws IOException {
        SocketChannel socket = SocketChannel.open();
        try {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return new RawConnection(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends text. */
    public void write(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(ISO_8859_1));
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
    }

    /** Has the operating system send a part of a file. */
    public void send(FileChannel file, long position, long count) throws IOException {
        for (long at = position; at < position + count; ) {
            long sent = file.transferTo(at, position + count - at, socket);
            if (sent == 0 && at >= file.size()) {
                throw new EOFException("the file ends at byte " + at);
            }
            at += sent;
        }
    }

    /** Reads a head, with its start line; an empty text at the end of the connection. */
    public String head() throws IOException {
        StringBuilder head = new StringBuilder();
        while (!endsHead(head)) {
            if (!in.hasRemaining() && !fill()) {
                if (head.isEmpty()) {
                    return "";
                }
                throw new EOFException("the connection ended in the head: " + head);
            }
            head.append((char) (in.get() & 0xff));
            if (head.length() > MOST_HEAD) {
                throw new IOException("a head is larger than " + MOST_HEAD + " bytes");
            }
        }
        return head.toString();
    }

    private static boolean endsHead(CharSequence head) {
        int end = head.length();
        return end >= 4
                && head.charAt(end - 1) == '\n'
                && head.charAt(end - 2) == '\r'
                && head.charAt(end - 3) == '\n'
                && head.charAt(end - 4) == '\r';
    }

    private boolean fill() throws IOException {
        in.clear();
        int read = socket.read(in);
        in.flip();
        return read > 0;
    }

    /** Returns a field's value; an empty text where there is none. */
    public static String field(String head, String name) {
        Matcher line =
                Pattern.compile("(?imd)^" + Pattern.quote(name) + ":[ \t]*(.*?)[ \t]*\r$")
                        .matcher(head);
        return line.find() ? line.group(1) : "";
    }

    /** Reads the body that belongs to a head, in chunks or of a stated length. Returns how many bytes it had. */
    public long drain(String head, @Nullable CRC32C checksum) throws IOException {
        if (field(head, "Transfer-Encoding").toLowerCase(Locale.ROOT).equals("chunked")) {
            return drainChunks(checksum);
        }
        String length = field(head, "Content-Length");
        long count = length.isEmpty() ? 0 : Long.parseLong(length);
        drain(count, checksum);
        return count;
    }

    private long drainChunks(@Nullable CRC32C checksum) throws IOException {
        long all = 0;
        while (true) {
            long size = Long.parseLong(line().replaceFirst(";.*", "").strip(), 16);
            if (size == 0) {
                while (!line().isEmpty()) {
                    // Trailers say nothing here.
                }
                return all;
            }
            drain(size, checksum);
            all += size;
            line();
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            if (!in.hasRemaining() && !fill()) {
                throw new EOFException("the connection ended in a body of chunks");
            }
            char c = (char) (in.get() & 0xff);
            if (c == '\n') {
                return line.toString();
            }
            if (c != '\r') {
                line.append(c);
            }
        }
    }

    private void drain(long count, @Nullable CRC32C checksum) throws IOException {
        for (long left = count; left > 0; ) {
            if (!in.hasRemaining() && !fill()) {
                throw new EOFException(
                        "the connection ended %d bytes before its body".formatted(left));
            }
            int taken = (int) Math.min(left, in.remaining());
            if (checksum == null) {
                in.position(in.position() + taken);
            } else {
                checksum.update(in.slice(in.position(), taken));
                in.position(in.position() + taken);
            }
            left -= taken;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
