package dev.penstock.http.response;

import dev.penstock.http.disk.FileSlice;
import dev.penstock.http.disk.ReadAhead;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;

/**
 * A part of a file as the rest of a response whose bytes pass through this process, because they are encrypted or put
 * into frames. The event loop copies what is in memory, and has others read what is not; no thread waits for the
 * client. At most {@link SendWindow#BYTES} bytes are on their way. For one event loop.
 */
final class CopiedFile implements QueuedTransport.Rest {
    /** A client that reads as fast as the file is copied must not keep the event loop from others. */
    private static final int TURN = 256 * 1024;

    private final FileSlice slice;
    private final ReadAhead ahead;
    private final Channel channel;
    private final QueuedTransport transport;
    private final int frame;

    /** The position of the next byte that is copied. */
    private long at;

    /** Bytes that were copied, and that the socket has not taken. */
    private int inFlight;

    /** Whether bytes are copied now, or will be without being asked for: after a read or the turns of others. */
    private boolean busy;

    private boolean over;

    /**
     * @param frame how many bytes are copied at once
     */
    CopiedFile(FileSlice slice, Channel channel, QueuedTransport transport, int frame) {
        this.slice = slice;
        this.channel = channel;
        this.transport = transport;
        this.frame = frame;
        at = slice.position();
        ahead = new ReadAhead(slice);
    }

    @Override
    public void start() {
        transport.restStarted();
        goOn();
        if (at == slice.position()) {
            // The head does not wait for the disk.
            transport.flush();
        }
    }

    @Override
    public void abandon() {
        end();
    }

    /** Copies until the socket is full, the file is not in memory, or it is the turn of others. */
    private void goOn() {
        busy = true;
        try {
            if (!copyOneTurn()) {
                var _ = ahead.read(at).thenRun(this::later);
            } else if (hasRoom()) {
                later();
            } else {
                busy = false;
            }
        } catch (IOException failure) {
            failed(failure);
        } catch (OutOfMemoryError failure) {
            failed(new IOException("There is no memory for a buffer", failure));
        }
    }

    /** Returns whether there is something to copy, and much of what may be on its way is not. */
    private boolean hasRoom() {
        return !over && at < slice.end() && inFlight <= SendWindow.BYTES / 2;
    }

    /** Returns whether all that it came to was in memory. */
    private boolean copyOneTurn() throws IOException {
        long turnEnd = at + TURN;
        while (hasRoom() && at < turnEnd) {
            long ready = 0;
            while (!over && at < slice.end() && inFlight + frame <= SendWindow.BYTES) {
                ready = ahead.ready(at);
                if (ready == 0) {
                    break;
                }
                copy((int) Math.min(frame, ready));
            }
            transport.flush();
            if (ready == 0 && hasRoom()) {
                return false;
            }
        }
        return true;
    }

    private void copy(int most) throws IOException {
        ByteBuf bytes = channel.alloc().directBuffer(most);
        int read = -1;
        try {
            long start = System.nanoTime();
            read = bytes.writeBytes(slice.file(), at, most);
            ahead.used(System.nanoTime() - start);
            if (read < 0) {
                throw new EOFException(
                        "The file ends at byte %d, before %d".formatted(at, slice.end()));
            }
        } finally {
            if (read < 0) {
                bytes.release();
            }
        }
        at += read;
        inFlight += read;
        int size = read;
        var _ =
                transport
                        .writeRest(bytes, at == slice.end())
                        .addListener(written -> left(size, written));
    }

    /** On any thread. */
    private void later() {
        try {
            channel.eventLoop().execute(this::goOn);
        } catch (RejectedExecutionException _) {
            // The server has stopped.
            end();
        }
    }

    /** The socket has taken so many bytes, or never will. */
    private void left(int size, Future<?> written) {
        inFlight -= size;
        if (!written.isSuccess()) {
            end();
        } else if (at == slice.end() && inFlight == 0) {
            slice.residency().sent(slice.position(), slice.count());
            end();
        } else if (!busy && hasRoom()) {
            goOn();
        }
    }

    private void failed(IOException failure) {
        if (!over) {
            end();
            transport.restFailed(failure);
        }
    }

    private void end() {
        if (!over) {
            over = true;
            ahead.close();
        }
    }
}
