package dev.penstock.http.http1;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.HeadFraming;
import dev.penstock.http.exchange.MalformedRequest;
import dev.penstock.http.exchange.RequestTarget;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.message.Syntax;
import java.util.List;

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
        long contentLength = HeadFraming.contentLength(fields, http10);
        List<String> hosts = fields.all("Host");
        HeadFraming.checkHost(hosts, http10);
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
