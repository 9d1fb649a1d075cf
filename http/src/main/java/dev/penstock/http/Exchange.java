package dev.penstock.http;

import dev.penstock.http.message.PercentEncoding;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One request and its response. Used by one thread at a time, the handler's, except where it is said otherwise; not to
 * be used after the handler has returned; where that has suspended it, the handler that goes on may use it again.
 */
public interface Exchange {
    /** The method, as it was sent: {@code GET}. */
    String method();

    /**
     * The path, percent-decoded once, without the query: {@code /api/film}. For showing; a slash in it may have been
     * sent as {@code %2F}, which {@link #pathParameter} tells apart. Dots are kept as they are.
     */
    String path();

    /** The query as it was sent, without the question mark; empty where there is none. */
    String query();

    /** The query's parameters, decoded, in the order in which they were sent. */
    List<Parameter> parameters();

    /** The last parameter of that name. */
    Optional<String> parameter(String name);

    /**
     * What stood in the path where the route has {@code {name}}, decoded.
     *
     * @throws IllegalArgumentException if the route has no parameter of that name
     */
    String pathParameter(String name);

    /** The first header of that name, ignoring case. */
    Optional<String> header(String name);

    /** All headers of that name, ignoring case, in order. */
    List<String> headers(String name);

    /** The client's address, as text without port. */
    String remoteAddress();

    /**
     * The request's body. Reading blocks until bytes are there; nothing more than a fixed window is held in memory. The
     * first read tells a client that expects {@code 100-continue} to go on. Reading throws an {@link HttpException} if
     * the body is malformed or larger than the server's limit, and an {@link java.io.IOException} if the client has
     * gone.
     */
    ReadableByteChannel requestBody();

    /**
     * Sets the status of the response, from 200 to 599; 200 unless it is called. To be called before the head is sent.
     * Returns this.
     */
    Exchange status(int status);

    /**
     * Sets a header of the response, replacing others of that name. To be called before the head is sent. Returns this.
     *
     * @throws IllegalArgumentException if the value has characters other than visible ASCII, space and tab, or if
     *     it is a header that the server sets itself, such as {@code Date}
     */
    Exchange header(String name, String value);

    /**
     * Starts the body of the response. Its head is held back until the first full buffer (32 KiB), a flush or the
     * handler's return; until then a failure can still become an error response.
     *
     * @param mediaType the value of {@code Content-Type}
     */
    ResponseBody body(String mediaType);

    /** Sends a whole response. */
    void respond(int status, String mediaType, byte[] body);

    /** Sends a whole response, as UTF-8. */
    void respond(int status, String mediaType, String body);

    /**
     * Has {@code action} called once if the client goes away, or is thrown out for being too slow, before the response
     * is complete; at once, if that has happened already. Called on a thread of its own, or the caller's. Meanwhile
     * reading and writing throw; the handler's thread is interrupted only if it still runs after the server's grace.
     */
    void onDisconnect(Runnable action);

    /**
     * Suspends the exchange: when the handler returns, the response stays open, and no thread, no stack and no buffer
     * is kept for it until somebody goes on by what is returned here. What was written to the response by then is sent.
     * What of the request's body was not read is dropped, unless {@link Suspension#onBody} takes it. The route's {@link
     * Admission} has its place back.
     *
     * @param timeout how long at the most, from now on
     * @throws IllegalArgumentException if the timeout is not positive, or longer than the server's limit
     * @throws IllegalStateException if the handler has suspended it already
     * @throws HttpException (503) if as many requests wait as may
     */
    Suspension suspend(Duration timeout);

    /**
     * Gives the request's permit back and waits for one of another admission, such as that of bulk reads when an answer
     * turns out to be longer than a short one. Does nothing where it has one of that admission. Blocks the handler's
     * thread until the request has the permit. As long as nothing of the response has been sent, the admission may
     * refuse it as it may a new request; afterwards the request waits as long as it takes.
     *
     * @throws HttpException (503) if the admission's queue is full, or the wait takes longer than its queue timeout
     * @throws IOException if the client has gone
     * @throws IllegalStateException if the handler is a {@linkplain Handler#nonBlocking non-blocking} one
     */
    void transferTo(Admission admission) throws IOException;

    /**
     * A parameter of a query.
     *
     * @param name decoded
     * @param value decoded; empty where there is none
     * @param position where the value starts in {@link Exchange#query}, counted from 0
     */
    record Parameter(String name, String value, int position) {
        /**
         * The parameters of a text in the form of a query, such as the body of an {@code
         * application/x-www-form-urlencoded} request, decoded, in their order.
         *
         * @throws HttpException (400) if an escape is malformed, or not UTF-8
         */
        public static List<Parameter> of(String text) {
            try {
                return QueryString.parameters(text);
            } catch (PercentEncoding.Malformed e) {
                throw new HttpException(400, e.problem()).with("position", e.position());
            }
        }
    }
}
