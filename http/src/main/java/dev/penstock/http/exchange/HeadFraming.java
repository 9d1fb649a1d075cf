package dev.penstock.http.exchange;

import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.message.Syntax;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules about the headers that say where a request ends and which site it is for: {@code Content-Length}, {@code
 * Transfer-Encoding} and {@code Host} (RFC 9112, sections 3.2 and 6). Two servers that read one of them differently
 * could be made to see different requests in the same bytes.
 */
public final class HeadFraming {
    /** The fault of a header such as {@code Content_Length}. */
    public static final String MISSPELT =
            "a header that other servers take for Content-Length or Transfer-Encoding";

    private HeadFraming() {}

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
            throw new MalformedRequest(400, MISSPELT);
        }
    }

    /**
     * Returns the length of the body that a head announces: 0 where there is none, -1 where it is not told.
     *
     * @throws MalformedRequest if another server could find the body's end at another place
     */
    public static long contentLength(RequestHeaders fields, boolean http10) {
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

    /**
     * Refuses more than one {@code Host}, and none.
     *
     * @param optional whether there may be none, as in HTTP/1.0
     */
    public static void checkHost(List<String> hosts, boolean optional) {
        if (hosts.size() > 1 || (hosts.isEmpty() && !optional)) {
            throw new MalformedRequest(
                    400, hosts.isEmpty() ? "no Host header" : "more than one Host header");
        }
        if (!hosts.isEmpty()) {
            HostSyntax.check(hosts.getFirst());
        }
    }
}
