package dev.penstock.http.response;

import dev.penstock.http.disk.FileSlice;
import dev.penstock.http.message.ResponseHeaders;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The transport of one response: a message on an HTTP/1 connection (a stream of HTTP/2 can be another). Used by the
 * handler's thread, save where a method says otherwise.
 */
public interface ResponseTransport {
    /** A buffer for {@code bytes} of payload, with room around them for this transport's framing. */
    ByteBuf allocate(int bytes);

    /**
     * Sends parts of the response in order; blocks while more is on its way than the budget allows.
     *
     * @param head with the first call, and with no other
     * @param payload taken over, whatever happens
     * @param last whether the response is complete with it
     * @throws IOException if the client has gone
     */
    void send(@Nullable Head head, @Nullable ByteBuf payload, boolean last) throws IOException;

    /**
     * Sends a further part without waiting, after the head. On any thread, several at once too.
     *
     * @param payload taken over, whatever happens
     * @param budget how many bytes may be on their way with it
     * @return whether it was sent: there was room, and the response goes on
     */
    boolean offer(ByteBuf payload, int budget);

    /**
     * Has something done, on the event loop, whenever half of what was on its way has left after an offer was refused.
     */
    void onRoom(Runnable action);

    /**
     * Returns whether {@link #sendFile} can be called: a file goes to the socket as it is, without a thread that waits.
     */
    default boolean sendsFiles() {
        return false;
    }

    /** What is sent next is followed by a file, and can wait for it. */
    default void fileFollows() {}

    /**
     * Sends bytes of a file as the rest of the response, whose head has been sent with its length. Does not block.
     *
     * @param file let go of, whatever happens
     * @throws IOException if the client has gone
     */
    default void sendFile(FileSlice file) throws IOException {
        file.whenRead().run();
        throw new IOException("Files are not sent by this transport");
    }

    /**
     * Sends a head before that of the response, such as 103; does nothing where the client does not understand that, or
     * whoever has the connection can't. Called before the head.
     *
     * @param droppable whether it is dropped while the client has others to take
     */
    default void interim(int status, ResponseHeaders fields, boolean droppable) {}

    /**
     * Trailers follow the body, which the head announces, and which have their values before the last part is sent.
     * Called before the head, where the client takes them and there is a body.
     */
    default void trailers(Trailers trailers) {}

    /** Breaks the response, so that the client can't take it for a whole one. */
    void reset();

    /**
     * The head of a response.
     *
     * @param length of the body, -1 where it is not known yet
     * @param bodiless whether no body follows, whatever the length says
     */
    record Head(int status, ResponseHeaders fields, long length, boolean bodiless) {}
}
