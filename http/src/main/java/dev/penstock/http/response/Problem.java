package dev.penstock.http.response;

import dev.penstock.http.HttpException;
import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.message.Status;
import dev.penstock.http.text.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An error response.
 *
 * @param mediaType of the document
 * @param document a problem document (RFC 9457), or a page for people
 * @param headers that go with it
 */
public record Problem(int status, String mediaType, String document, Map<String, String> headers) {
    public static final String MEDIA_TYPE = "application/problem+json";

    /**
     * What an exception says.
     *
     * @param further members that a server has besides; those of the exception go before them
     */
    public static Problem of(
            HttpException exception,
            List<Function<HttpException, Map<String, @Nullable Object>>> further) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        Map<String, @Nullable Object> added = exception.members();
        members.put("type", added.getOrDefault("type", "about:blank"));
        members.put("title", Status.phrase(exception.status()));
        members.put("status", exception.status());
        String detail = exception.getMessage();
        if (detail != null) {
            members.put("detail", detail);
        }
        added.forEach(members::putIfAbsent);
        for (Function<HttpException, Map<String, @Nullable Object>> each : further) {
            each.apply(exception).forEach(members::putIfAbsent);
        }
        return new Problem(
                exception.status(), MEDIA_TYPE, Json.object(members), exception.headers());
    }

    public byte[] bytes() {
        return document.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The head of a response that is nothing else.
     *
     * @param fields further headers, of which those of the problem go before
     */
    public ResponseTransport.Head head(int length, ResponseHeaders fields) {
        headers.forEach(fields::set);
        fields.set("Content-Type", mediaType);
        return new ResponseTransport.Head(status, fields, length, false);
    }

    /** What a client is told of a failure that it need not understand. */
    public static HttpException internal() {
        return new HttpException(
                500,
                "The server failed to answer this request; its log says why. It may work"
                        + " when tried again.");
    }
}
