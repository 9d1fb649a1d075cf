package dev.penstock.http.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue in front of a WebSocket's listener, which gets everything in order and one by one, by a virtual thread that
 * is there only while there is something. Filled by the event loop, which is told when to fill it on.
 */
final class WebSocketInbox {
    /** At so much the event loop reads no more from the client. */
    private static final int FULL = 16 * 1024;

    /** What anything takes besides its bytes: tiny messages count too. */
    private static final int OVERHEAD = 64;

    private final WebSocket.Listener listener;
    private final Consumer<Throwable> onFailure;
    private final Runnable onRoom;
    private final int mostBytes;
    private final Long client;
    private final Queue<Item> items = new ArrayDeque<>(4);
    private long held;
    private boolean running;

    // Only for the thread that gives.

    private boolean failed;

    /** There once a message came that is compressed. */
    private @Nullable MessageInflater inflater;

    /** That of a compressed text in parts. */
    private @Nullable Utf8Pieces pieces;

    /** Something to tell a listener. */
    sealed interface Item {
        /** Bytes that it holds. */
        int size();
    }

    record Opened() implements Item {
        @Override
        public int size() {
            return 0;
        }
    }

    record Text(String text, boolean last) implements Item {
        @Override
        public int size() {
            return text.length();
        }
    }

    /** Not a value that is compared. */
    @SuppressWarnings("ArrayRecordComponent")
    record Binary(byte[] bytes, boolean last) implements Item {
        @Override
        public int size() {
            return bytes.length;
        }
    }

    /** Not a value that is compared. */
    @SuppressWarnings("ArrayRecordComponent")
    record Compressed(byte[] bytes, boolean isText, boolean last) implements Item {
        @Override
        public int size() {
            return bytes.length;
        }
    }

    /**
     * The end of what is to be answered.
     *
     * @param then what is done when the listener has had all that came before, even if it failed
     */
    record Answered(Runnable then) implements Item {
        @Override
        public int size() {
            return 0;
        }
    }

    record Closed(int code, String reason) implements Item {
        @Override
        public int size() {
            return 0;
        }
    }

    /**
     * @param mostBytes the largest message, or part of one, when it is inflated
     * @param client whose messages these are
     * @param onFailure told once what the listener has thrown, or that a message can't be inflated; the listener gets
     *     nothing further then but that it is closed
     * @param onRoom has it filled on
     */
    WebSocketInbox(
            WebSocket.Listener listener,
            int mostBytes,
            Long client,
            Consumer<Throwable> onFailure,
            Runnable onRoom) {
        this.listener = listener;
        this.mostBytes = mostBytes;
        this.client = client;
        this.onFailure = onFailure;
        this.onRoom = onRoom;
    }

    synchronized boolean hasRoom() {
        return held < FULL;
    }

    void add(WebSocket socket, Item item) {
        synchronized (this) {
            items.add(item);
            held += OVERHEAD + item.size();
            if (running) {
                return;
            }
            running = true;
        }
        Thread.ofVirtual().name("penstock-websocket").start(() -> giveAll(socket));
    }

    private void giveAll(WebSocket socket) {
        for (Item item = next(); item != null; item = next()) {
            give(socket, item);
            if (taken(item)) {
                onRoom.run();
            }
        }
    }

    private synchronized @Nullable Item next() {
        Item item = items.poll();
        running = item != null;
        return item;
    }

    private synchronized boolean taken(Item item) {
        boolean wasFull = held >= FULL;
        held -= OVERHEAD + item.size();
        return wasFull && held < FULL;
    }

    // Whatever it throws, the client is told of the end.
    @SuppressWarnings("CatchingUnchecked")
    private void give(WebSocket socket, Item item) {
        try {
            if (item instanceof Closed || item instanceof Answered || !failed) {
                tell(socket, item);
            }
        } catch (Throwable failure) {
            failed = true;
            onFailure.accept(failure);
        }
    }

    private void tell(WebSocket socket, Item item) throws Exception {
        switch (item) {
            case Opened() -> listener.opened(socket);
            case Text(String text, boolean last) -> listener.text(socket, text, last);
            case Binary(byte[] bytes, boolean last) ->
                    listener.binary(socket, ByteBuffer.wrap(bytes), last);
            case Compressed compressed -> inflate(socket, compressed);
            case Answered(Runnable then) -> then.run();
            case Closed(int code, String reason) -> {
                if (inflater != null) {
                    inflater.close();
                }
                listener.closed(socket, code, reason);
            }
        }
    }

    private void inflate(WebSocket socket, Compressed message) throws Exception {
        MessageInflater known = inflater;
        if (known == null) {
            known = new MessageInflater(mostBytes, UnfinishedMessages.OF_PROCESS, client);
        }
        inflater = known;
        boolean last = message.last();
        byte[] bytes = known.part(message.bytes(), last);
        if (message.isText()) {
            listener.text(socket, decode(bytes, last), last);
        } else {
            listener.binary(socket, ByteBuffer.wrap(bytes), last);
        }
    }

    private String decode(byte[] bytes, boolean last) throws WebSocketMessages.Refused {
        Utf8Pieces known = pieces == null ? new Utf8Pieces() : pieces;
        pieces = last ? null : known;
        try {
            return known.decode(ByteBuffer.wrap(bytes), last);
        } catch (CharacterCodingException _) {
            throw new WebSocketMessages.Refused(1007, "A text is not UTF-8");
        }
    }
}
