package dev.penstock.http.http1;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.HostSyntax;
import dev.penstock.http.exchange.RequestTarget;
import dev.penstock.http.http1.StrictDecoder.MalformedRequest;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.message.Syntax;
import java.util.ArrayList;
import java.util.List;

/**
 * The head of an HTTP/1 request, checked against what RFC 9112 demands of it as a whole.
 *
 * @param http10 whether the client speaks HTTP/1.0
 * @param keepAlive whether the client would send another request
 * @param expectsContinue whether it waits for our word before it sends the body
 * @param contentLength 0 where there is no body, -1 where its length is not told
 */
public record RequestHead(
        String method,
        RequestTarget target,
        RequestHeaders fields,
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
    static RequestHead of(String method, String requested, boolean http10, RequestHeaders fields) {
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
        boolean closes = Syntax.hasElement(options, "close");
        return new RequestHead(
                method,
                target,
                fields,
                http10,
                http10 ? !closes && Syntax.hasElement(options, "keep-alive") : !closes,
                expects && contentLength != 0,
                contentLength);
    }

    /**
     * Checks what another server has read, as far as its handlers can still see it: that server has gone by these
     * headers, and perhaps not by their letter.
     *
     * @throws MalformedRequest if a server behind or before it could read them in another way
     */
    public static void checkContainerHead(RequestHeaders fields) {
        var _ = contentLength(fields, false);
        List<String> hosts = fields.all("Host");
        checkHost(hosts, true);
        if (!fields.all("Content_Length").isEmpty() || !fields.all("Transfer_Encoding").isEmpty()) {
            throw new MalformedRequest(400, HeadReader.MISSPELT);
        }
    }

    private static long contentLength(RequestHeaders fields, boolean http10) {
        List<String> codings = fields.all("Transfer-Encoding");
        List<String> lengths = fields.all("Content-Length");
        if (!codings.isEmpty()) {
            if (!lengths.isEmpty()) {
                throw new MalformedRequest(400, "both Content-Length and Transfer-Encoding");
            }
            if (http10) {
                throw new MalformedRequest(400, "a Transfer-Encoding, which HTTP/1.0 has not");
            }
            if (codings.size() > 1 || !codings.getFirst().equalsIgnoreCase("chunked")) {
                throw unknown(codings);
            }
            return -1;
        }
        return lengths.isEmpty() ? 0 : number(lengths);
    }

    /**
     * What is said of codings other than chunked alone. Where chunked is not the last of them, once and without
     * parameters, nobody can say where the body ends: 400 (RFC 9112, sections 6.3 and 7.1). An empty element of the
     * list is refused as well, since not every server reads over it.
     */
    private static MalformedRequest unknown(List<String> codings) {
        List<String> elements = new ArrayList<>();
        for (String line : codings) {
            for (String element : line.split(",", -1)) {
                elements.add(element.strip());
            }
        }
        boolean once =
                elements.stream().filter("chunked"::equalsIgnoreCase).count() == 1
                        && elements.getLast().equalsIgnoreCase("chunked");
        boolean tokens =
                elements.stream().allMatch(element -> Syntax.isToken(element.split(";", 2)[0]));
        return new MalformedRequest(
                once && tokens && elements.size() > 1 ? 501 : 400,
                "a Transfer-Encoding other than chunked");
    }

    /**
     * A {@code Content-Length} is digits (RFC 9110, section 8.6). The grammar allows zeros in front, which some servers
     * take for the sign of an octal number.
     */
    private static long number(List<String> lengths) {
        String length = lengths.getFirst();
        if (lengths.size() > 1 || !length.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new MalformedRequest(400, "a Content-Length that is not one number");
        }
        if (length.length() > 1 && length.charAt(0) == '0') {
            throw new MalformedRequest(400, "a Content-Length with a zero in front");
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
            HostSyntax.check(hosts.getFirst());
        }
    }

    /**
     * Both say which site is meant: where a proxy goes by one and this server by the other, one could be asked for in
     * the name of the other. RFC 9112, section 3.2.2, has clients send the same.
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
        List<String> elements = Syntax.elements(expectations);
        if (!elements.stream().allMatch("100-continue"::equalsIgnoreCase)) {
            throw new MalformedRequest(417, "an expectation other than 100-continue");
        }
        return !elements.isEmpty();
    }
}
