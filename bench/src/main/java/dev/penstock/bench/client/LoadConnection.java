package dev.penstock.bench.client;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One client of a load: one connection at a time, one request at a time. */
final class LoadConnection {
    /** A client whose request failed waits so long, so that a server that refuses is not asked in a tight loop. */
    private static final long AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A slow client reads so often. */
    private static final long SLOW_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** What the kernel takes for a slow client; else its buffer, not the client, would be what the server sees. */
    private static final int SLOW_RECEIVE_BUFFER = 4096;

    private final LoadClient client;
    private final LoadGroup group;
    private final ResponseReader reader;
    private final boolean slow;
    private @Nullable SocketChannel channel;
    private @Nullable SelectionKey key;
    private boolean asking;
    private boolean finished;
    private int made;
    private long due;
    private long intended;
    private long inWindow;

    LoadConnection(LoadClient client, LoadGroup group, long due) {
        this.client = client;
        this.group = group;
        this.due = due;
        reader = new ResponseReader(group.group().expected());
        slow = group.group().bytesPerSecond() > 0;
    }

    /** When {@link #act} is to be called next. */
    public long dueNanos() {
        return due;
    }

    /** Whether it has a connection, or is about to. */
    public boolean isConnected() {
        return channel != null;
    }

    /** Does what is due: the next request, or a slow client's next bit of reading. */
    public void act(long now) {
        if (asking) {
            read((int) (group.group().bytesPerSecond() * SLOW_TICK_NANOS / 1_000_000_000L));
            if (asking) {
                due = Math.max(now, due + SLOW_TICK_NANOS);
                client.schedule(this);
            }
            return;
        }
        asking = true;
        made++;
        // The first request of one that asks whenever it can begins when it begins: what its client
        // takes to open others before is not the server's time.
        intended = made == 1 && group.asksInTurn() ? System.nanoTime() : due;
        inWindow = 0;
        reader.reset();
        if (channel == null) {
            connect();
        } else {
            send();
        }
    }

    private void connect() {
        try {
            SocketChannel opened = SocketChannel.open();
            channel = opened;
            opened.configureBlocking(false);
            opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (slow) {
                opened.setOption(StandardSocketOptions.SO_RCVBUF, SLOW_RECEIVE_BUFFER);
            }
            if (opened.connect(client.server())) {
                key = opened.register(client.selector(), 0, this);
                send();
            } else {
                key = opened.register(client.selector(), SelectionKey.OP_CONNECT, this);
            }
        } catch (IOException e) {
            failed("connect");
        }
    }

    /** Called when the selector has found the channel ready. */
    public void ready() {
        SelectionKey ready = key;
        if (ready == null || !ready.isValid()) {
            return;
        }
        if (ready.isConnectable()) {
            try {
                if (channel != null && channel.finishConnect()) {
                    send();
                }
            } catch (IOException e) {
                failed("connect");
            }
            return;
        }
        read(Integer.MAX_VALUE);
    }

    private void send() {
        SocketChannel to = channel;
        SelectionKey ready = key;
        if (to == null || ready == null) {
            throw new IllegalStateException("not connected");
        }
        try {
            ByteBuffer request = ByteBuffer.wrap(group.request());
            to.write(request);
            if (request.hasRemaining()) {
                failed("request not taken");
                return;
            }
        } catch (IOException e) {
            failed("reset");
            return;
        }
        if (slow) {
            ready.interestOps(0);
            due = System.nanoTime() + SLOW_TICK_NANOS;
            client.schedule(this);
        } else {
            ready.interestOps(SelectionKey.OP_READ);
        }
    }

    private void read(int most) {
        SocketChannel from = channel;
        if (from == null) {
            return;
        }
        ByteBuffer buffer = client.buffer().clear();
        buffer.limit(Math.min(most, buffer.capacity()));
        int count;
        try {
            count = from.read(buffer);
        } catch (IOException e) {
            failed(reader.started() ? "reset" : "reset without an answer");
            return;
        }
        long now = System.nanoTime();
        if (count < 0) {
            if (reader.endOfStream()) {
                close();
                completed(now);
            } else {
                failed(reader.failure());
            }
        } else if (count > 0) {
            received(buffer.flip(), now);
        }
    }

    private void received(ByteBuffer bytes, long now) {
        boolean started = reader.started();
        boolean row = reader.sawRow();
        long before = reader.bodyBytes();
        boolean ended = reader.accept(bytes);
        if (!started) {
            group.firstByte(intended, now);
        }
        if (!row && reader.sawRow()) {
            group.firstRow(intended, now);
        }
        if (group.inWindow(now)) {
            inWindow += reader.bodyBytes() - before;
            group.bytes(reader.bodyBytes() - before);
        }
        if (ended) {
            if (!reader.failure().isEmpty()) {
                failed(reader.failure());
            } else if (bytes.hasRemaining()) {
                failed("bytes after the answer");
            } else {
                completed(now);
            }
        }
    }

    private void completed(long now) {
        group.completed(intended, now, reader.bodyBytes());
        if (reader.closes()) {
            close();
        }
        next(now);
    }

    private void failed(String kind) {
        group.failed(kind, inWindow);
        close();
        next(System.nanoTime() + AFTER_FAILURE_NANOS);
    }

    private void next(long now) {
        asking = false;
        if (key != null && key.isValid()) {
            key.interestOps(0);
        }
        int requests = group.group().requests();
        if (requests > 0 && made == requests) {
            finished = true;
            client.finished();
            return;
        }
        long interval = group.group().interval().toNanos();
        due = interval == 0 ? now : intended + interval;
        client.schedule(this);
    }

    /** The run is over: what is under way counts as pending. */
    public void giveUp(long now) {
        if (asking && !finished) {
            group.pending(intended, now);
        } else if (!finished && due < now) {
            group.pending(due, now);
        }
        close();
    }

    /** Closes the connection; the next request opens another. */
    public void close() {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // It is gone either way.
            }
            channel = null;
            key = null;
        }
    }
}
