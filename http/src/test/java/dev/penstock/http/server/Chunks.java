package dev.penstock.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/** The bytes of a chunked body, as they come to a client; none is read before it is asked for. */
public final class Chunks extends InputStream {
    private final RawClient client;
    private final Consumer<String> trailers;
    private int left;
    private boolean begun;
    private boolean ended;

    /** Those of a body without trailers. */
    public Chunks(RawClient client) {
        this(
                client,
                trailer -> {
                    throw new IllegalStateException("unexpected trailer: " + trailer);
                });
    }

    /**
     * Those of a body that may have trailers.
     *
     * @param trailers gets each line of them, at the end
     */
    public Chunks(RawClient client, Consumer<String> trailers) {
        this.client = client;
        this.trailers = trailers;
    }

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
        if (left == 0 && !ended) {
            if (begun && !client.line().isEmpty()) {
                throw new IOException("broken chunk");
            }
            begun = true;
            left = Integer.parseInt(client.line(), 16);
            ended = left == 0;
            for (String line = ended ? client.line() : ""; !line.isEmpty(); ) {
                trailers.accept(line);
                line = client.line();
            }
        }
        if (ended) {
            return -1;
        }
        int count = client.input().read(into, offset, Math.min(length, left));
        if (count < 0) {
            throw new IOException("ended within a chunk");
        }
        left -= count;
        return count;
    }
}
