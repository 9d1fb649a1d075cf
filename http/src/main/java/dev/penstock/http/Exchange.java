package dev.penstock.http;

import dev.penstock.http.message.AcceptedTypes;
import dev.penstock.http.message.HttpDate;
import dev.penstock.http.message.PercentEncoding;
import dev.penstock.http.message.Preconditions;
import dev.penstock.http.message.Syntax;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ReadableByteChannel;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

    /** The path of its route as the server was built with it: {@code /films/{id}}; nothing where it has none. */
    Optional<String> route();

    /** The first header of that name, ignoring case. */
    Optional<String> header(String name);

    /** All headers of that name, ignoring case, in order. */
    List<String> headers(String name);

    /** The client's address, as text without port; {@code unix} for one at a Unix domain socket. */
    String remoteAddress();

    /**
     * The request's body. Reading blocks until bytes are there; nothing more than a fixed window is held in memory. The
     * first read tells a client that expects {@code 100-continue} to go on. Reading throws an {@link HttpException} if
     * the body is malformed or larger than the server's limit, and an {@link java.io.IOException} if the client has
     * gone.
     */
    ReadableByteChannel requestBody();

    /**
     * The trailers of that name, ignoring case, in order: what the client has sent behind a body in chunks, or behind
     * one over HTTP/2. As many and as long as headers may be. Empty in a container that does not tell them.
     *
     * @throws IllegalStateException if the body was not read to its end
     */
    List<String> trailers(String name);

    /**
     * The media type of the request's body; nothing where it has none.
     *
     * @throws HttpException (400) if it is malformed, or there are several
     */
    default Optional<MediaType> contentType() {
        List<String> types = headers("Content-Type");
        if (types.size() > 1) {
            throw new HttpException(
                    400, "The request has %d Content-Types; send one".formatted(types.size()));
        }
        try {
            return types.stream().findFirst().map(MediaType::parse);
        } catch (IllegalArgumentException e) {
            throw new HttpException(400, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * The media type that the client prefers of those that are offered, by its {@code Accept}; the first where it says
     * nothing. A response that depends on it should have the header {@code Vary: Accept}.
     *
     * @param offers the most preferred first
     * @throws HttpException (406) if it takes none of them
     */
    default String negotiate(String... offers) {
        return AcceptedTypes.of(headers("Accept"))
                .best(List.of(offers))
                .orElseThrow(() ->
                        new HttpException(
                                406,
                                "There is no form of this that Accept takes; there is "
                                        + String.join(", ", offers)));
    }

    /**
     * Reads the request's body to its end.
     *
     * @throws HttpException (413) if it has more bytes; and as reading {@link #requestBody} does
     * @throws IOException if the client has gone
     */
    default byte[] readBytes(int maxBytes) throws IOException {
        return BodyReader.bytes(this, maxBytes);
    }

    /**
     * Reads the request's body as text, in the character set that {@code Content-Type} names, or UTF-8.
     *
     * @throws HttpException (413) if it has more bytes; (400) if it is not text of that character set; (415) if that
     *     is not known
     * @throws IOException if the client has gone
     */
    default String readText(int maxBytes) throws IOException {
        return BodyReader.text(this, maxBytes);
    }

    /**
     * Reads the request's body as JSON, by the server's {@link JsonMapper}.
     *
     * @param type such as a record; an array type for a list
     * @throws HttpException (415) if its media type is not JSON, or in another character set than UTF-8; (413) if it
     * has more bytes; (400) if it is not JSON, or not of the type
     * @throws IllegalStateException if the server has no mapper
     * @throws IOException if the client has gone
     */
    <T> T readJson(Class<T> type, int maxBytes) throws IOException;

    /**
     * Returns a stream of the request's body, for whatever reads one. It holds nothing itself, and need not be closed.
     * Reading beyond the limit throws the {@link HttpException} (413).
     *
     * @throws HttpException (413) if the request announces more bytes
     */
    default InputStream readStream(long maxBytes) {
        return BodyReader.stream(this, maxBytes);
    }

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
     * Adds a header to the response beside others of that name. To be called before the head is sent. Returns this.
     *
     * @throws IllegalArgumentException as {@link #header(String, String)} has it
     */
    Exchange addHeader(String name, String value);

    /**
     * Announces a trailer: a field that is sent behind the body, such as a digest of it. The head has its name in
     * {@code Trailer}, and the body goes out in chunks. To be called before the head is sent. Where the client does not
     * take trailers (it speaks HTTP/1.0, or HTTP/1.1 without {@code TE: trailers}), or the response has no body, or is
     * a file that is sent without a thread (one larger than 16 KiB, as it is), none is announced or sent, and the value
     * not asked for. Returns this.
     *
     * @param value asked for once, when all of the body was written, by the thread that completes the response; null
     *     where there is none after all. Where it throws, or gives what can't be sent, the response fails
     * @throws IllegalArgumentException if it is no name, one of a field that must be a header (RFC 9110, section
     *     6.5.1), or one more than 32
     */
    Exchange trailer(String name, Supplier<@Nullable String> value);

    /**
     * Sends an informational response (RFC 9110, section 15.2) at once, such as one that tells how far a long request
     * is. To be called before the head of the response is sent; the body of the request may be read before, meanwhile
     * and afterwards. A client may ignore it, and what stands between may drop it, so nothing may depend on it. Nothing
     * is sent over HTTP/1.0 and in a servlet container, none beyond the first 1,000 of a request, and none as long as
     * the client has 16 KiB of earlier ones to take: they are dropped, not queued. Returns this.
     *
     * @param status from 102 to 199, except 101, which would end HTTP on the connection; the server sends 100 itself
     * @param namesAndValues headers, each a name followed by its value; 8 KiB of characters at most
     * @throws IllegalArgumentException if it is another status, if a name has no value, if one can't be sent, as {@link
     *     #header(String, String)} has it, or if they have more characters
     * @throws IllegalStateException if the head has been sent
     */
    Exchange inform(int status, String... namesAndValues);

    /**
     * Tells the client at once what the response will need, so that it can begin to load that (103, RFC 8297). The
     * response itself should have the same links. To be called before the head is sent. Does nothing over HTTP/1.0 and
     * in a servlet container. Returns this.
     *
     * @param links values of {@code Link}: {@code </style.css>; rel=preload; as=style}
     * @throws IllegalArgumentException if one has characters other than visible ASCII, space and tab, or all have more
     *     than 8 KiB
     * @throws IllegalStateException if it is called more than 8 times
     */
    Exchange earlyHints(String... links);

    /**
     * Answers by the request's conditions (RFC 9110, section 13), if they decide: 304 where the client has this version
     * already. Sets {@code ETag} and {@code Last-Modified}. Returns whether it has answered, so that nothing is left to
     * do.
     *
     * <p>Where neither a tag nor a time is given, there is nothing yet: {@code If-None-Match: *} lets a PUT go on that
     * is to make something new, and fails where there is something.
     *
     * @param tag of the version that there is, with its quotation marks: {@code "7"}, or {@code W/"7"} for one that is
     *     the same in meaning alone; null where it has none
     * @param modified when that was made, of which whole seconds count; null where it is not known
     * @throws HttpException (412) if the client asks for another version
     * @throws IllegalArgumentException if the tag is no entity tag (RFC 9110, section 8.8.3)
     */
    default boolean notModified(@Nullable String tag, @Nullable Instant modified) {
        Instant second = modified == null ? null : modified.truncatedTo(ChronoUnit.SECONDS);
        if (tag != null && !Preconditions.isTag(tag)) {
            throw new IllegalArgumentException(
                    "No entity tag, which would stand in quotation marks: " + Syntax.sentence(tag));
        }
        if (tag != null) {
            header("ETag", tag);
        }
        if (second != null) {
            header("Last-Modified", HttpDate.format(second));
        }
        boolean reads = method().equals("GET") || method().equals("HEAD");
        return switch (Preconditions.check(this::headers, reads, tag, second)) {
            case PROCEED -> false;
            case NOT_MODIFIED -> {
                status(304);
                yield true;
            }
            case FAILED ->
                    throw new HttpException(
                            412, "There is another version here than the request is about");
        };
    }

    /**
     * Adds a cookie to the response, which keeps it when it becomes an error. It is {@code Secure} where the request
     * came over TLS, unless the cookie says otherwise. Returns this.
     *
     * @throws IllegalArgumentException if the cookie's name has a prefix whose conditions do not hold
     */
    default Exchange cookie(Cookie cookie) {
        return addHeader("Set-Cookie", cookie.header(isSecure()));
    }

    /** The value of the first cookie of that name that the request brings. */
    default Optional<String> cookie(String name) {
        return Cookie.find(headers("Cookie"), name);
    }

    /** Returns whether the request came over TLS; to this server, whatever a proxy before it has had. */
    boolean isSecure();

    /**
     * The certificates by which the client has proved over TLS who it is, its own first; empty where it has shown none,
     * and where nobody has asked for one. They were checked in the handshake: their authority is one that the listener,
     * or the container, trusts. Of the connection to this server, whatever a proxy before it has had.
     */
    default List<X509Certificate> clientCertificates() {
        return List.of();
    }

    /** What is kept with the exchange under a key. */
    <T> Optional<T> attribute(AttributeKey<T> key);

    /** Keeps something with the exchange until it is done with. Returns this. */
    <T> Exchange attribute(AttributeKey<T> key, T value);

    /**
     * Redirects the client: 303 after a form, 302 or 307 for now, 301 or 308 for good; 307 and 308 have it repeat the
     * method and the body. Where a request says where to go next, let it say a path of this server alone, and check
     * that with {@link #isLocalPath}.
     *
     * @param status 301, 302, 303, 307 or 308
     * @param location a URI reference, of visible ASCII without spaces; percent-encode anything else
     * @throws IllegalArgumentException if it is another status, or the location has other characters
     */
    default void redirect(int status, String location) {
        if (status < 301 || status > 308 || (status > 303 && status < 307)) {
            throw new IllegalArgumentException(
                    "Status " + status + " is no redirect: 301, 302, 303, 307 and 308 are");
        }
        for (int i = 0; i < location.length(); i++) {
            char c = location.charAt(i);
            if (c <= 0x20 || c >= 0x7f) {
                throw new IllegalArgumentException(
                        "The location has character U+%04X at %d; percent-encode it"
                                .formatted((int) c, i));
            }
        }
        status(status).header("Location", location);
    }

    /**
     * Returns whether a location that comes from outside is a path of the server that it is sent from, whatever
     * browsers make of it: one slash and no second slash or backslash behind it, and visible ASCII alone.
     */
    static boolean isLocalPath(String location) {
        boolean elsewhere = location.startsWith("//") || location.startsWith("/\\");
        return location.startsWith("/")
                && !elsewhere
                && location.chars().allMatch(c -> c > 0x20 && c < 0x7f);
    }

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
     * Sends a value as JSON, by the server's {@link JsonMapper}, piece by piece: it is never in memory as a whole.
     *
     * @throws IllegalStateException if the server has no mapper
     * @throws IOException if the client has gone, or the mapper can't write it
     */
    void json(int status, Object value) throws IOException;

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
     * Suspends the exchange until a stage ends that was begun for this request alone, such as a call of a service pool,
     * and goes on with its value. A stage that fails is an error response, as if a handler had thrown its failure: see
     * {@code mapError} of {@link dev.penstock.http.server.ServerBuilder}. Where nobody wants the value any more (the
     * client has left, the wait took as long as the server allows, the handler has thrown, or this throws), the stage
     * is cancelled, if it can be: by {@link java.util.concurrent.CompletableFuture#cancel}, so it must be the future of
     * the work itself, not one that depends on it. A server that stops lets it go on, as a handler that runs, within
     * its limit.
     *
     * @throws IllegalStateException if the handler has suspended it already
     * @throws HttpException (503) if as many requests wait as may
     */
    <T> Suspension suspend(
            CompletionStage<T> stage, Suspension.Continuation<? super T> continuation);

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
            return of(text, "query");
        }

        /**
         * The same for the fields of a form: errors speak of that.
         *
         * @throws HttpException (400) if an escape is malformed, or not UTF-8
         */
        public static List<Parameter> ofForm(String text) {
            return of(text, "form");
        }

        private static List<Parameter> of(String text, String where) {
            try {
                return QueryString.parameters(text, where);
            } catch (PercentEncoding.Malformed e) {
                throw new HttpException(400, e.problem()).with("position", e.position());
            }
        }
    }
}
