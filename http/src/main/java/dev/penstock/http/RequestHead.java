package dev.penstock.http;

import dev.penstock.http.StrictDecoder.MalformedRequest;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP/1 request, checked against what RFC 9112 demands of it as a whole.
 *
 * @param http10 whether the client speaks HTTP/1.0
 * @param keepAlive whether the client would send another request
 * @param expectsContinue whether it waits for our word before it sends the body
 * @param contentLength 0 where there is no body, -1 where its length is not told
 */
record RequestHead(
        String method,
        RequestTarget target,
        HttpHeaders headers,
        boolean http10,
        boolean keepAlive,
        boolean expectsContinue,
        long contentLength) {

    /**
     * Checks a head.
     *
     * @throws MalformedRequest if its parts contradict each other
     * @throws HttpException if its target or host is malformed
     */
    static RequestHead of(HttpRequest request) {
        HttpHeaders headers = request.headers();
        boolean http10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        long contentLength = contentLength(headers, http10);
        checkHost(headers.getAll("Host"), http10);
        String method = request.method().name();
        boolean expects = expectsContinue(headers.getAll("Expect"), http10);
        RequestTarget target = RequestTarget.parse(request.uri());
        checkSameHost(request.uri(), headers.get("Host"));
        if (request.uri().equals("*") && !method.equals("OPTIONS")) {
            throw new MalformedRequest(400, "the target *, which only OPTIONS can have");
        }
        boolean keepAlive =
                http10
                        ? names(headers, "Connection", "keep-alive")
                                && !names(headers, "Connection", "close")
                        : !names(headers, "Connection", "close");
        return new RequestHead(
                method,
                target,
                headers,
                http10,
                keepAlive,
                expects && contentLength != 0,
                contentLength);
    }

    private static long contentLength(HttpHeaders headers, boolean http10) {
        List<String> codings = headers.getAll("Transfer-Encoding");
        List<String> lengths = headers.getAll("Content-Length");
        if (!codings.isEmpty()) {
            if (!lengths.isEmpty()) {
                throw new MalformedRequest(400, "both Content-Length and Transfer-Encoding");
            }
            if (http10) {
                throw new MalformedRequest(400, "a Transfer-Encoding, which HTTP/1.0 has not");
            }
            if (codings.size() > 1 || !codings.getFirst().trim().equalsIgnoreCase("chunked")) {
                boolean endsChunked =
                        codings.getLast().trim().toLowerCase(Locale.ROOT).endsWith("chunked");
                throw new MalformedRequest(
                        endsChunked ? 501 : 400, "a Transfer-Encoding other than chunked");
            }
            return -1;
        }
        if (lengths.isEmpty()) {
            return 0;
        }
        String length = lengths.getFirst();
        if (lengths.size() > 1 || !length.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new MalformedRequest(400, "a Content-Length that is not one number");
        }
        try {
            return Long.parseLong(length);
        } catch (NumberFormatException _) {
            throw new MalformedRequest(400, "a Content-Length that is not one number");
        }
    }

    private static void checkHost(List<String> hosts, boolean http10) {
        if (hosts.size() > 1 || (hosts.isEmpty() && !http10)) {
            throw new MalformedRequest(
                    400, hosts.isEmpty() ? "no Host header" : "more than one Host header");
        }
        if (!hosts.isEmpty()) {
            RequestTarget.checkHost(hosts.getFirst());
        }
    }

    /**
     * Both say which site is meant: where a proxy goes by one and this server by the other, one could be asked for in the name of the
     * other. RFC 9112, section 3.2.2, has clients send the same.
     */
    private static void checkSameHost(String target, @Nullable String host) {
        String authority = RequestTarget.authority(target);
        if (authority != null
                && host != null
                && !withoutPort(authority, target).equalsIgnoreCase(withoutPort(host, target))) {
            throw new MalformedRequest(400, "a Host other than that of its target");
        }
    }

    /** Without the port that the scheme has anyway. */
    private static String withoutPort(String host, String target) {
        String port = target.regionMatches(true, 0, "https:", 0, 6) ? ":443" : ":80";
        return host.endsWith(port) ? host.substring(0, host.length() - port.length()) : host;
    }

    private static boolean expectsContinue(List<String> expectations, boolean http10) {
        if (expectations.isEmpty() || http10) {
            return false;
        }
        for (String expectation : expectations) {
            if (!expectation.trim().equalsIgnoreCase("100-continue")) {
                throw new MalformedRequest(417, "an expectation other than 100-continue");
            }
        }
        return true;
    }

    private static boolean names(HttpHeaders headers, String header, String option) {
        for (String value : headers.getAll(header)) {
            for (String element : value.split(",", -1)) {
                if (element.trim().equalsIgnoreCase(option)) {
                    return true;
                }
            }
        }
        return false;
    }
}
