package dev.penstock.http.test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A whole response to a test's request. Immutable. */
public final class TestResponse {
    private final int status;
    private final List<Map.Entry<String, String>> headers;
    private final byte[] body;

    TestResponse(int status, List<Map.Entry<String, String>> headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /** Its status. */
    public int status() {
        return status;
    }

    /** The first header of a name, ignoring case. */
    public Optional<String> header(String name) {
        return headers(name).stream().findFirst();
    }

    /** All headers of a name, ignoring case. */
    public List<String> headers(String name) {
        return headers.stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** The value of a cookie that it sets. */
    public Optional<String> cookie(String name) {
        return headers("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith(name + "="))
                .map(cookie -> cookie.substring(name.length() + 1).split(";", 2)[0])
                .findFirst();
    }

    /** Its body. */
    public byte[] body() {
        return body.clone();
    }

    /** Its body as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return status + " " + headers + " " + text();
    }
}
