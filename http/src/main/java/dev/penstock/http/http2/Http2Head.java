package dev.penstock.http.http2;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.HostSyntax;
import dev.penstock.http.exchange.RequestTarget;
import dev.penstock.http.exchange.Settings;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.message.Syntax;
import dev.penstock.http.message.TrailerNames;
import dev.penstock.http.response.ResponseTransport;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request on a stream of HTTP/2, checked against what RFC 9113, sections 8.1 to 8.3, demands beyond what
 * Netty's decoder has checked: names in lower case, pseudo-headers first and once, none of HTTP/1's headers of the
 * connection.
 *
 * @param method GET for an extended CONNECT (RFC 8441), which the handlers of GET answer
 * @param isConnect whether it is one
 * @param isLast whether nothing follows it
 * @param expectsContinue whether the client waits for our word before it sends the body
 * @param contentLength 0 where there is no body, -1 where its length is not told
 */
record Http2Head(
        String method,
        RequestTarget target,
        RequestHeaders fields,
        boolean isConnect,
        boolean isLast,
        boolean expectsContinue,
        long contentLength) {
    private static final AsciiString PROTOCOL = new AsciiString(":protocol");

    /** What handlers may say of HTTP/1's connections; the rest is refused to them ({@link ResponseHeaders}). */
    private static final Set<String> OF_CONNECTIONS =
            Set.of("connection", "proxy-connection", "upgrade");

    /**
     * Checks a head.
     *
     * @param last whether nothing follows it
     * @throws Http2Exception if it is no request
     * @throws HttpException if it is one that can't be answered
     */
    static Http2Head of(int stream, Http2Headers headers, boolean last, Settings settings)
            throws Http2Exception {
        String method = text(stream, headers.method());
        boolean isConnect = method.equals("CONNECT");
        checkProtocol(stream, headers, isConnect);
        String path = text(stream, headers.path());
        String scheme = text(stream, headers.scheme());
        if (!Syntax.isToken(method)) {
            throw malformed(stream);
        }
        if (!scheme.equalsIgnoreCase("http") && !scheme.equalsIgnoreCase("https")) {
            throw new HttpException(400, "The :scheme must be http or https");
        }
        RequestHeaders fields = fields(stream, headers, settings);
        long length = last ? 0 : contentLength(fields.all("content-length"));
        if (isConnect && !fields.all("content-length").isEmpty()) {
            throw new HttpException(400, "A CONNECT has no body, and no Content-Length");
        }
        return new Http2Head(
                isConnect ? "GET" : method,
                target(stream, method, path, settings.maxRequestLine()),
                fields,
                isConnect,
                last,
                !last && !isConnect && expectsContinue(fields.all("expect")),
                isConnect ? 0 : length);
    }

    /** An extended CONNECT names the protocol that it asks for (RFC 8441, section 4); nothing else does. */
    private static void checkProtocol(int stream, Http2Headers headers, boolean isConnect)
            throws Http2Exception {
        List<CharSequence> protocols = headers.getAll(PROTOCOL);
        if (protocols.size() > 1 || (!isConnect && !protocols.isEmpty())) {
            throw malformed(stream);
        }
        if (isConnect && protocols.isEmpty()) {
            throw new HttpException(501, "This server is no proxy: CONNECT is not supported");
        }
        if (isConnect && !AsciiString.contentEqualsIgnoreCase(protocols.getFirst(), "websocket")) {
            throw new HttpException(
                    501, "CONNECT opens WebSockets here (:protocol = websocket), and nothing else");
        }
    }

    private static Http2Exception malformed(int stream) {
        return Http2Exception.streamError(stream, Http2Error.PROTOCOL_ERROR, "A malformed request");
    }

    private static RequestTarget target(int stream, String method, String path, int longest)
            throws Http2Exception {
        if (path.length() > longest) {
            throw new HttpException(
                    414, "The request has a target of more than %d bytes.".formatted(longest));
        }
        boolean all = path.equals("*") && method.equals("OPTIONS");
        if (!all && !path.startsWith("/")) {
            throw malformed(stream);
        }
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) <= 0x20 || path.charAt(i) >= 0x7f) {
                throw malformed(stream);
            }
        }
        return RequestTarget.parse(path);
    }

    private static RequestHeaders fields(int stream, Http2Headers headers, Settings settings)
            throws Http2Exception {
        RequestHeaders.Packer packer = new RequestHeaders.Packer();
        List<CharSequence> cookies = List.of();
        int count = 0;
        int bytes = 0;
        for (Map.Entry<CharSequence, CharSequence> header : headers) {
            CharSequence name = header.getKey();
            if (!name.isEmpty() && name.charAt(0) == ':') {
                continue;
            }
            CharSequence value = header.getValue();
            check(stream, name, value);
            count++;
            bytes += name.length() + value.length() + 4;
            if (AsciiString.contentEquals(name, "cookie")) {
                cookies = cookies.isEmpty() ? new ArrayList<>(4) : cookies;
                cookies.add(value);
            } else if (!AsciiString.contentEquals(name, "host")) {
                packer.add(name, value);
            }
        }
        if (count > settings.maxHeaders()) {
            throw new HttpException(
                    431, "The request has more than %d headers.".formatted(settings.maxHeaders()));
        }
        if (bytes > settings.maxHeaderBytes()) {
            throw new HttpException(
                    431,
                    "The request has more than %d bytes of headers."
                            .formatted(settings.maxHeaderBytes()));
        }
        if (!cookies.isEmpty()) {
            // They may come in crumbs, to be compressed better (RFC 9113, section 8.2.3).
            packer.add("cookie", String.join("; ", cookies));
        }
        packer.add("host", host(stream, headers));
        return packer.pack();
    }

    /**
     * Checks what stands behind a body.
     *
     * @throws Http2Exception if it is malformed, or has pseudo-headers
     * @throws HttpException if it is more than headers may be, or something that must be a header
     */
    static RequestHeaders trailers(int stream, Http2Headers headers, Settings settings)
            throws Http2Exception {
        RequestHeaders.Packer packer = new RequestHeaders.Packer();
        int count = 0;
        int bytes = 0;
        for (Map.Entry<CharSequence, CharSequence> trailer : headers) {
            CharSequence name = trailer.getKey();
            CharSequence value = trailer.getValue();
            check(stream, name, value);
            if (!TrailerNames.isAllowedInRequest(name.toString())) {
                throw new HttpException(
                        400, "The request has a trailer that only a header may be.");
            }
            count++;
            bytes += name.length() + value.length() + 4;
            packer.add(name, value);
        }
        if (count > settings.maxHeaders() || bytes > settings.maxHeaderBytes()) {
            throw new HttpException(
                    431,
                    "The request has more than %d trailers, or more than %d bytes of them."
                            .formatted(settings.maxHeaders(), settings.maxHeaderBytes()));
        }
        return packer.pack();
    }

    private static void check(int stream, CharSequence name, CharSequence value)
            throws Http2Exception {
        if (name.isEmpty()) {
            throw malformed(stream);
        }
        for (int i = 0; i < name.length(); i++) {
            if (!Syntax.isToken((byte) name.charAt(i))) {
                throw malformed(stream);
            }
        }
        int length = value.length();
        for (int i = 0; i < length; i++) {
            if (!Syntax.isFieldByte((byte) value.charAt(i))) {
                throw malformed(stream);
            }
        }
        if (length > 0 && (isSpace(value.charAt(0)) || isSpace(value.charAt(length - 1)))) {
            throw malformed(stream);
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    /** The authority, which a header of HTTP/1 may repeat, but not contradict. */
    private static String host(int stream, Http2Headers headers) throws Http2Exception {
        CharSequence authority = headers.authority();
        List<CharSequence> hosts = headers.getAll("host");
        if (hosts.size() > 1 || (authority == null && hosts.isEmpty())) {
            throw new HttpException(
                    400, hosts.isEmpty() ? "The request has no :authority" : "More than one host");
        }
        if (authority != null
                && !hosts.isEmpty()
                && !AsciiString.contentEqualsIgnoreCase(authority, hosts.getFirst())) {
            throw malformed(stream);
        }
        String host = (authority == null ? hosts.getFirst() : authority).toString();
        HostSyntax.check(host);
        return host;
    }

    private static boolean expectsContinue(List<String> expectations) {
        List<String> elements = Syntax.elements(expectations);
        if (!elements.stream().allMatch("100-continue"::equalsIgnoreCase)) {
            throw new HttpException(417, "The request has an expectation other than 100-continue.");
        }
        return !elements.isEmpty();
    }

    /** Netty has seen that it is one number. */
    private static long contentLength(List<String> lengths) {
        return lengths.isEmpty() ? -1 : Long.parseLong(lengths.getFirst());
    }

    private static String text(int stream, @Nullable CharSequence value) throws Http2Exception {
        if (value == null) {
            throw malformed(stream);
        }
        return value.toString();
    }

    /** That of a response. */
    static Http2Headers of(ResponseTransport.Head head, String date) {
        List<AsciiString> lines = new ArrayList<>(16);
        add(lines, "date", date);
        head.fields()
                .forEach((name, value) -> {
                    String lower = name.toLowerCase(Locale.ROOT);
                    if (!OF_CONNECTIONS.contains(lower)) {
                        // Spaces around it are none of it, and malformed here (section 8.2.1).
                        add(lines, lower, value.strip());
                    }
                });
        boolean told = head.status() != 204 && !(head.status() == 304 && head.length() == 0);
        if (told && head.length() >= 0) {
            add(lines, "content-length", Long.toString(head.length()));
        }
        return ReadOnlyHttp2Headers.serverHeaders(
                false,
                new AsciiString(Integer.toString(head.status())),
                lines.toArray(AsciiString[]::new));
    }

    /** A head before that of a response. */
    static Http2Headers interim(int status, ResponseHeaders fields) {
        return ReadOnlyHttp2Headers.serverHeaders(
                false, new AsciiString(Integer.toString(status)), lines(fields));
    }

    /** What stands behind the body of a response. */
    static Http2Headers trailers(ResponseHeaders fields) {
        return ReadOnlyHttp2Headers.trailers(false, lines(fields));
    }

    private static AsciiString[] lines(ResponseHeaders fields) {
        List<AsciiString> lines = new ArrayList<>(4);
        fields.forEach((name, value) -> add(lines, name.toLowerCase(Locale.ROOT), value.strip()));
        return lines.toArray(AsciiString[]::new);
    }

    private static void add(List<AsciiString> lines, String name, String value) {
        lines.add(new AsciiString(name));
        lines.add(new AsciiString(value));
    }
}
