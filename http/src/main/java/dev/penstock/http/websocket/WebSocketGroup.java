package dev.penstock.http.websocket;

import dev.penstock.http.Exchange;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * WebSockets that hear the same messages, such as those of a chat.
 *
 * <p>Thread-safe. It holds a reference to each WebSocket that is open, and nothing of one that has ended; how many
 * there can be is bounded by the server's {@code maxSuspended}.
 */
public final class WebSocketGroup {
    /** What clients send is offered to all with a little before it, and must fit then. */
    private static final WebSocket.Options OPTIONS =
            WebSocket.Options.DEFAULT.withMaxMessageBytes(16 * 1024);

    /** So many are offered a text until other threads have their turn. */
    private static final int TURN = 100;

    private final Set<WebSocket> sockets = ConcurrentHashMap.newKeySet();

    /** A group without WebSockets. */
    public WebSocketGroup() {}

    /** A receiver of the texts that the group's clients send. */
    @FunctionalInterface
    public interface TextListener {
        /**
         * Takes a whole text that a client of the group has sent. The calls for one client come one after the other, on
         * a virtual thread; those for several clients at once.
         */
        void text(WebSocket socket, String text) throws Exception;
    }

    /**
     * Opens a WebSocket, which belongs to this group from its opening to its end. It has the default options, except
     * that a client may send 16 KiB a message, which can be {@linkplain #offer offered} to the others with up to
     * 15,000 bytes more; beyond that it is closed with 1009.
     */
    public void open(Exchange exchange, TextListener listener) {
        open(exchange, OPTIONS, listener);
    }

    /**
     * Opens a WebSocket, which belongs to this group from its opening to its end.
     *
     * @param options without parts, since the listener takes whole texts; with no more than about 30,000 bytes a
     *     message where the listener offers these to the group
     * @throws IllegalArgumentException if the options ask for messages in parts
     * @throws dev.penstock.http.HttpException as {@link WebSocket#open(Exchange, WebSocket.Options,
     *     WebSocket.Listener)} does
     */
    public void open(Exchange exchange, WebSocket.Options options, TextListener listener) {
        if (options.inParts()) {
            throw new IllegalArgumentException(
                    "A group takes whole messages: leave out withParts(), or use WebSocket.open");
        }
        WebSocket.open(exchange, options, new Member(listener));
    }

    /**
     * Offers a text to every WebSocket of the group; never waits. A client that is too slow to have room for it misses
     * it.
     *
     * @return how many it was sent to
     * @throws IllegalArgumentException if it is longer than 32,000 bytes of UTF-8, however many are there
     */
    public int offer(String text) {
        OfferedMessage message = new OfferedMessage(Frames.TEXT, Frames.utf8(text));
        int asked = 0;
        int sent = 0;
        for (WebSocket socket : sockets) {
            if (socket.offer(message)) {
                sent++;
            }
            asked++;
            if (asked % TURN == 0) {
                giveWay();
            }
        }
        return sent;
    }

    /** Virtual threads are not preempted. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void giveWay() {
        Thread.yield();
    }

    /** Returns how many WebSockets are open. */
    public int size() {
        return sockets.size();
    }

    private final class Member implements WebSocket.Listener {
        private final TextListener listener;

        Member(TextListener listener) {
            this.listener = listener;
        }

        @Override
        public void opened(WebSocket socket) {
            sockets.add(socket);
        }

        @Override
        public void text(WebSocket socket, String text, boolean last) throws Exception {
            listener.text(socket, text);
        }

        @Override
        public void closed(WebSocket socket, int code, String reason) {
            sockets.remove(socket);
        }
    }
}
