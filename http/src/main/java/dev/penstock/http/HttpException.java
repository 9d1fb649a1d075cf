package dev.penstock.http;

import dev.penstock.http.message.ResponseHeaders;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that is answered with an error: a status and a problem document (RFC 9457). What it says is shown to the
 * client; it names the cause and the remedy.
 */
public class HttpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient Map<String, @Nullable Object> members = new LinkedHashMap<>();
    private final transient Map<String, String> headers = new LinkedHashMap<>();

    /**
     * An error of the client's or the server's.
     *
     * @param status from 400 to 599
     * @param detail what the client is told
     */
    public HttpException(int status, String detail) {
        this(status, detail, null);
    }

    /** The same, with a cause that goes to the log and not to the client. */
    public HttpException(int status, String detail, @Nullable Throwable cause) {
        super(detail, cause);
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException(
                    "Status " + status + " is no error: one from 400 to 599 is");
        }
        this.status = status;
    }

    /**
     * An error that is over after a while: 503 with {@code Retry-After}, in whole seconds, rounded up, from 1 on.
     *
     * @param detail what the client is told
     * @throws IllegalArgumentException if the time is negative
     */
    public static HttpException unavailable(String detail, Duration retryAfter) {
        if (retryAfter.isNegative()) {
            throw new IllegalArgumentException(
                    "A client can't try again after " + retryAfter + ", a negative time");
        }
        long seconds = retryAfter.getSeconds() + (retryAfter.getNano() > 0 ? 1 : 0);
        return new HttpException(503, detail)
                .header("Retry-After", Long.toString(Math.max(1, seconds)));
    }

    /**
     * Adds a member to the problem document: a String, Number, Boolean, a List of those, or null. {@code type} is a URI
     * reference that tells this kind of problem from others; {@code about:blank} unless it is set. Returns this.
     */
    public HttpException with(String member, @Nullable Object value) {
        members.put(member, value);
        return this;
    }

    /**
     * Adds a header to the response. Returns this.
     *
     * @throws IllegalArgumentException if it can't be sent, or follows from the response itself, as {@code
     *     Content-Length} does
     */
    public HttpException header(String name, String value) {
        ResponseHeaders.check(name, value);
        headers.put(name, value);
        return this;
    }

    /** The status of the response. */
    public int status() {
        return status;
    }

    /** The members of the problem document that were added, beside title, status and detail, in their order. */
    public Map<String, @Nullable Object> members() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    /** The headers of the response. */
    public Map<String, String> headers() {
        return Map.copyOf(headers);
    }
}
