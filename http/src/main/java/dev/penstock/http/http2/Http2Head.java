package dev.penstock.http.http2;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.HostSyntax;
import dev.penstock.http.exchange.RequestTarget;
import dev.penstock.http.exchange.Settings;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.message.Syntax;
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
 * @param expectsContinue whether the client waits for our word before it sends the body
 * @param contentLength 0 where there is no body, -1 where its length is not told
 */
record Http2Head(
        String method,
        RequestTarget target,
        RequestHeaders fields,
        boolean expectsContinue,
        long contentLength) {
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
        if (method.equals("CONNECT")) {
            throw new HttpException(501, "This server is no proxy: CONNECT is not supported");
        }
        String path = text(stream, headers.path());
        String scheme = text(stream, headers.scheme());
        if (!Syntax.isToken(method)) {
            throw malformed(stream);
        }
        if (!scheme.equalsIgnoreCase("http") && !scheme.equalsIgnoreCase("https")) {
            throw new HttpException(400, "The :scheme must be http or https");
        }
        RequestHeaders fields = fields(stream, headers, settings);
        return new Http2Head(
                method,
                target(stream, method, path, settings.maxRequestLine()),
                fields,
                !last && expectsContinue(fields.all("expect")),
                last ? 0 : contentLength(fields.all("content-length")));
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
            if (AsciiString.contentEquals(name, ":protocol")) {
                // Only with CONNECT, where a server has announced it (RFC 8441).
                throw malformed(stream);
            }
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

    private static void add(List<AsciiString> lines, String name, String value) {
        lines.add(new AsciiString(name));
        lines.add(new AsciiString(value));
    }
}
