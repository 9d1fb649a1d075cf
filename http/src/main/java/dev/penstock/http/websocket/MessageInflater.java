package dev.penstock.http.websocket;

import dev.penstock.http.websocket.WebSocketMessages.Refused;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * An inflater of the messages of one WebSocket, piece by piece, and no more than a message may have.
 *
 * <p>An engine, 45 KiB of native memory, is held only while there is something to inflate. For a message that is given
 * as a whole, that is until it is done, by at most twice as many threads at once as there are processors. For one that
 * is given in parts, it is from the first part to the last, by as many connections at once as {@link
 * UnfinishedMessages} allow. As many engines as there are processors are kept for the next. For the thread of one
 * listener.
 */
final class MessageInflater {
    private static final int PIECE = 8 * 1024;

    /** After so many bytes, another thread may run. */
    private static final int TURN = 64 * 1024;

    /**
     * What ends a message (RFC 7692, section 7.2.2): the rest of the empty block that the sender has left out. Behind
     * it an empty last block, which can be read only where a block may begin: so a message that was cut off shows.
     */
    private static final byte[] TAIL = {0, 0, -1, -1, 1, 0, 0, -1, -1};

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final BlockingQueue<Engine> IDLE = new ArrayBlockingQueue<>(PROCESSORS);
    private static final Semaphore AT_ONCE = new Semaphore(2 * PROCESSORS);

    private final int mostBytes;
    private final UnfinishedMessages unfinished;
    private final Long client;

    /** That of a message in parts that is under way. */
    private @Nullable Engine open;

    /** An inflater, and where it writes. */
    private static final class Engine {
        private final Inflater inflater = new Inflater(true);
        private final byte[] piece = new byte[PIECE];

        static Engine take() {
            Engine idle = IDLE.poll();
            return idle == null ? new Engine() : idle;
        }

        void giveBack() {
            inflater.reset();
            if (!IDLE.offer(this)) {
                inflater.end();
            }
        }
    }

    /**
     * @param mostBytes the largest message, or part of one, when inflated
     * @param unfinished those that are given in parts, of all connections
     * @param client whose messages these are
     */
    MessageInflater(int mostBytes, UnfinishedMessages unfinished, Long client) {
        this.mostBytes = mostBytes;
        this.unfinished = unfinished;
        this.client = client;
    }

    /** Inflates a whole message. */
    byte[] whole(byte[] compressed) throws Refused {
        AT_ONCE.acquireUninterruptibly();
        try {
            Engine engine = Engine.take();
            try {
                return inflate(engine, compressed, true);
            } finally {
                engine.giveBack();
            }
        } finally {
            AT_ONCE.release();
        }
    }

    /**
     * Inflates the next part of a message.
     *
     * @param last whether the message ends with it
     */
    byte[] part(byte[] compressed, boolean last) throws Refused {
        Engine known = open;
        if (known == null && last) {
            return whole(compressed);
        }
        if (known == null) {
            known = begin();
            open = known;
        }
        byte[] part = inflate(known, compressed, last);
        if (last) {
            close();
        }
        return part;
    }

    private Engine begin() throws Refused {
        unfinished.begin(client);
        Engine taken = null;
        try {
            taken = Engine.take();
            return taken;
        } finally {
            if (taken == null) {
                unfinished.end(client);
            }
        }
    }

    /** Gives back what a message in parts holds. Twice does no harm. */
    void close() {
        Engine known = open;
        open = null;
        if (known != null) {
            unfinished.end(client);
            known.giveBack();
        }
    }

    private byte[] inflate(Engine engine, byte[] compressed, boolean last) throws Refused {
        ByteArrayOutputStream inflated =
                new ByteArrayOutputStream(Math.min(PIECE, 3 * Math.min(PIECE, compressed.length)));
        try {
            boolean ended = inflate(engine, compressed, inflated);
            if (last && !ended && !inflate(engine, TAIL, inflated)) {
                throw new Refused(1007, "A compressed message ends within a block");
            }
        } catch (DataFormatException _) {
            throw new Refused(1007, "A compressed message is not what deflate makes");
        }
        return inflated.toByteArray();
    }

    /** Returns whether the input ends with a last block. */
    private boolean inflate(Engine engine, byte[] input, ByteArrayOutputStream inflated)
            throws DataFormatException, Refused {
        Inflater inflater = engine.inflater;
        inflater.setInput(input);
        for (int turn = 0; ; ) {
            int count = inflater.inflate(engine.piece);
            if (count > mostBytes - inflated.size()) {
                throw new Refused(1009, "A message is larger than %d bytes".formatted(mostBytes));
            }
            inflated.write(engine.piece, 0, count);
            turn = giveWay(turn + count);
            if (inflater.finished()) {
                // A sender may flush by a last block, and begin again behind it (section 7.2.3.5).
                int rest = inflater.getRemaining();
                inflater.reset();
                if (rest == 0) {
                    return true;
                }
                inflater.setInput(input, input.length - rest, rest);
            } else if (count == 0) {
                return false;
            }
        }
    }

    /** Virtual threads are not preempted. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static int giveWay(int bytes) {
        if (bytes < TURN) {
            return bytes;
        }
        Thread.yield();
        return 0;
    }
}
