package dev.penstock.http;

import dev.penstock.http.StrictDecoder.MalformedRequest;
import java.util.List;
import java.util.Locale;

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
        RequestFields fields,
        boolean http10,
        boolean keepAlive,
        boolean expectsContinue,
        long contentLength) {

    /**
     * Checks a head.
     *
     * @param requested the target, as it was sent
     * @throws MalformedRequest if its parts contradict each other
     * @throws HttpException if its target or host is malformed
     */
    static RequestHead of(String method, String requested, boolean http10, RequestFields fields) {
        long contentLength = contentLength(fields, http10);
        List<String> hosts = fields.all("Host");
        checkHost(hosts, http10);
        boolean expects = expectsContinue(fields.all("Expect"), http10);
        RequestTarget target = RequestTarget.parse(requested);
        checkSameHost(requested, hosts);
        if (requested.equals("*") && !method.equals("OPTIONS")) {
            throw new MalformedRequest(400, "the target *, which only OPTIONS can have");
        }
        List<String> options = fields.all("Connection");
        boolean closes = names(options, "close");
        return new RequestHead(
                method,
                target,
                fields,
                http10,
                http10 ? !closes && names(options, "keep-alive") : !closes,
                expects && contentLength != 0,
                contentLength);
    }

    private static long contentLength(RequestFields fields, boolean http10) {
        List<String> codings = fields.all("Transfer-Encoding");
        List<String> lengths = fields.all("Content-Length");
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
    private static void checkSameHost(String target, List<String> hosts) {
        String authority = RequestTarget.authority(target);
        if (authority != null
                && !hosts.isEmpty()
                && !withoutPort(authority, target)
                        .equalsIgnoreCase(withoutPort(hosts.getFirst(), target))) {
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

    /** Whether an option is among those of {@code Connection}. */
    private static boolean names(List<String> options, String option) {
        for (String value : options) {
            for (String element : value.split(",", -1)) {
                if (element.trim().equalsIgnoreCase(option)) {
                    return true;
                }
            }
        }
        return false;
    }
}
