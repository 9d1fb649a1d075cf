package dev.penstock.http.container;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that has come to another server, and the way for its response. Implemented by an adapter.
 *
 * <p>What it says of the request's head is asked for only while it is accepted. Nothing in it may wait for the client.
 * What writes is called by one thread at a time, and so is what reads; either may end the request while the other is at
 * work, so an adapter guards against that.
 */
public interface ContainerRequest {
    /** The method, as it was sent. */
    String method();

    /** The path and the query as they were sent, escapes and all. */
    String target();

    /** How many of the path's segments lead to where the application begins that the handlers are in. */
    int applicationBelow();

    /**
     * The path by which the other server has decided what stands before the handlers, such as filters: decoded, from
     * where the application begins. A request whose own path is another is refused, since it was not that one which was
     * let through. Null where nothing stands before the handlers, so that any path that this server's own port takes is
     * taken.
     */
    @Nullable String mappedPath();

    /** How many of the path's segments lead to where the handlers are, and are not theirs. */
    int mountedBelow();

    /** All headers, in order. */
    Iterable<Map.Entry<String, String>> headers();

    /** The client's address, as text without port; {@code unknown} where the other server has none. */
    String remoteAddress();

    /** Returns whether it came over TLS, as far as the other server knows. */
    boolean isSecure();

    /** The certificates that the client has shown to the other server, its own first. */
    default List<X509Certificate> clientCertificates() {
        return List.of();
    }

    /** How long the body is; -1 if it is not told. */
    long bodyLength();

    /** Asks for the body. {@link ContainerEvents#readable} is told when there is some. Called once, if at all. */
    void startReading() throws IOException;

    /**
     * Returns whether {@link #read} can be called; if not, {@link ContainerEvents#readable} is told as soon as it can.
     */
    boolean canRead();

    /** Reads what is there, at least a byte; -1 at the body's end. */
    int read(byte[] into) throws IOException;

    /** Returns whether the other server may close the connection because not all of the body was read. */
    default boolean closesWhatIsUnread() {
        return false;
    }

    /** What stands behind the body, where the other server tells it. Called when all of the body was read. */
    default Map<String, String> trailers() {
        return Map.of();
    }

    /** Returns whether trailers can be sent: the client takes them, and so does the other server. */
    default boolean takesTrailers() {
        return false;
    }

    /**
     * Announces trailers of the response. Called after {@link #head}, before anything is written, and only where they
     * can be sent.
     *
     * @param fields to be asked for their values when the response is complete
     */
    default void trailers(Supplier<Map<String, String>> fields) {}

    /**
     * The head of the response. Called once, before anything is written.
     *
     * @param length of the body; -1 where it is not known yet, or where there can't be any
     */
    void head(int status, Iterable<Map.Entry<String, String>> fields, long length);

    /**
     * Returns whether what writes can be called; if not, {@link ContainerEvents#writable} is told as soon as it can.
     */
    boolean canWrite();

    /** Writes all of it. It is left alone afterwards until {@link #canWrite} has said yes again. */
    void write(byte[] bytes, int offset, int length) throws IOException;

    /** Sends what was written. */
    void flush() throws IOException;

    /** All of the response was written, and it is ended later: from now on it can't be broken off. */
    default void allWritten() {}

    /** Ends the response: all of it was written. */
    void complete();

    /**
     * Ends what can't be answered to the end, since the client has gone, or the other server has failed: never as a
     * whole response.
     */
    void giveUp();

    /** Breaks the response off, so that the client can't take it for a whole one. */
    void abort();
}
