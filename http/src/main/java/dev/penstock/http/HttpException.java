package dev.penstock.http;

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
    private final transient Map<String, Object> members = new LinkedHashMap<>();
    private final transient Map<String, String> headers = new LinkedHashMap<>();

    public HttpException(int status, String detail) {
        this(status, detail, null);
    }

    public HttpException(int status, String detail, @Nullable Throwable cause) {
        super(detail, cause);
        this.status = status;
    }

    /** Adds a member to the problem document: a String, Number, Boolean, or a List of those. Returns this. */
    public HttpException with(String member, Object value) {
        members.put(member, value);
        return this;
    }

    /** Adds a header to the response. Returns this. */
    public HttpException header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** The status of the response. */
    public int status() {
        return status;
    }

    /** The members of the problem document beside type, title, status and detail. */
    public Map<String, Object> members() {
        return Map.copyOf(members);
    }

    /** The headers of the response. */
    public Map<String, String> headers() {
        return Map.copyOf(headers);
    }
}
