package dev.penstock.http.test;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A request of a test. Immutable: each method gives another request.
 *
 * {@snippet :
 * TestRequest.post("/notes").header("Accept", "application/json").json("{\"text\":\"hello\"}");
 * TestRequest.post("/sign-in").form(Map.of("user", "ada", "password", "engine"));
 * TestRequest.post("/files").field("title", "A").file("file", "a.txt", "text/plain", bytes);
 * }
 */
public final class TestRequest {
    /** Between the parts of a multipart form; long enough to be in no content but one that means it. */
    private static final String BOUNDARY = "penstock-http-test-7bd1c09e4f";

    private final String method;
    private final String target;
    private final List<Map.Entry<String, String>> headers;
    private final byte[] body;

    /** The parts of a multipart form, without the closing boundary; empty where the body is none. */
    private final byte[] parts;

    private TestRequest(
            String method,
            String target,
            List<Map.Entry<String, String>> headers,
            byte[] body,
            byte[] parts) {
        this.method = method;
        this.target = target;
        this.headers = headers;
        this.body = body;
        this.parts = parts;
    }

    /**
     * A request without headers and body.
     *
     * @param target the path and the query, as they are sent: {@code /search?q=a%20b}
     */
    public static TestRequest of(String method, String target) {
        return new TestRequest(method, target, List.of(), new byte[0], new byte[0]);
    }

    /** A GET of a path and a query, as they are sent. */
    public static TestRequest get(String target) {
        return of("GET", target);
    }

    /** A POST to a path and a query, as they are sent. */
    public static TestRequest post(String target) {
        return of("POST", target);
    }

    /** A PUT to a path and a query, as they are sent. */
    public static TestRequest put(String target) {
        return of("PUT", target);
    }

    /** A DELETE of a path and a query, as they are sent. */
    public static TestRequest delete(String target) {
        return of("DELETE", target);
    }

    /**
     * The same with a further header. Over a socket, a few are the client's own, such as {@code Host} and {@code
     * Content-Length}, and are refused when the request is sent.
     */
    public TestRequest header(String name, String value) {
        List<Map.Entry<String, String>> more = new ArrayList<>(headers);
        more.add(Map.entry(name, value));
        return new TestRequest(method, target, List.copyOf(more), body, parts);
    }

    /** The same with a cookie. */
    public TestRequest cookie(String name, String value) {
        return header("Cookie", name + "=" + value);
    }

    /** The same with a body. */
    public TestRequest body(String mediaType, byte[] content) {
        return typed(mediaType, content.clone());
    }

    /** The same with a body, in UTF-8. */
    public TestRequest body(String mediaType, String content) {
        return typed(mediaType, content.getBytes(StandardCharsets.UTF_8));
    }

    /** The same with JSON as its body, as it is given. */
    public TestRequest json(String content) {
        return body("application/json", content);
    }

    /** The same with the fields of a form as its body, as a browser sends a form without files. */
    public TestRequest form(Map<String, String> fields) {
        String text =
                fields.entrySet().stream()
                        .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                        .collect(Collectors.joining("&"));
        return body("application/x-www-form-urlencoded", text);
    }

    /** The same with a further field of a multipart form as its body. */
    public TestRequest field(String name, String value) {
        return part(
                "name=\"%s\"\r\n".formatted(quoted(name)), value.getBytes(StandardCharsets.UTF_8));
    }

    /** The same with a further file of a multipart form as its body. */
    public TestRequest file(String name, String fileName, String mediaType, byte[] content) {
        return part(
                "name=\"%s\"; filename=\"%s\"\r\nContent-Type: %s\r\n"
                        .formatted(quoted(name), quoted(fileName), mediaType),
                content);
    }

    private TestRequest part(String head, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(parts);
        out.writeBytes(
                utf8("--" + BOUNDARY + "\r\nContent-Disposition: form-data; " + head + "\r\n"));
        out.writeBytes(content);
        out.writeBytes(utf8("\r\n"));
        byte[] open = out.toByteArray();
        out.writeBytes(utf8("--" + BOUNDARY + "--\r\n"));
        TestRequest typed = typed("multipart/form-data; boundary=" + BOUNDARY, out.toByteArray());
        return new TestRequest(method, target, typed.headers, typed.body, open);
    }

    private TestRequest typed(String mediaType, byte[] content) {
        List<Map.Entry<String, String>> others =
                headers.stream()
                        .filter(header -> !header.getKey().equalsIgnoreCase("Content-Type"))
                        .toList();
        return new TestRequest(method, target, others, content, new byte[0])
                .header("Content-Type", mediaType);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** As browsers write names (the HTML standard, "multipart form data"). */
    private static String quoted(String name) {
        return name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    String method() {
        return method;
    }

    String target() {
        return target;
    }

    /** The target without its query. */
    String path() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    List<Map.Entry<String, String>> headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }
}
