package dev.penstock.http.exchange;

import dev.penstock.http.HttpException;
import java.util.regex.Pattern;

/** The grammar of a host, with its port or without (RFC 3986, sections 3.2.2 and 3.2.3). */
public final class HostSyntax {
    private static final int GREATEST_PORT = 0xffff;
    private static final int IPV6_GROUPS = 8;

    /**
     * Which characters a name may have besides escapes: those that RFC 3986 calls unreserved and its sub-delimiters.
     */
    private static final boolean[] NAME = new boolean[0x7f];

    static {
        for (int c = 0x21; c < NAME.length; c++) {
            NAME[c] = Character.isLetterOrDigit(c) || "-._~!$&'()*+;=".indexOf(c) >= 0;
        }
    }

    private static final Pattern GROUP = Pattern.compile("[0-9A-Fa-f]{1,4}");

    private static final Pattern IPV4 =
            Pattern.compile(
                    "%1$s(?:\\.%1$s){3}"
                            .formatted("(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"));

    private HostSyntax() {}

    /**
     * Refuses what could not be a host, or is an empty one, which none of http or https may be (RFC 9110, section
     * 4.2.1). A comma, which a name could have, is refused too: it looks like a list of hosts.
     *
     * @throws HttpException (400) that says what is wrong
     */
    public static void check(String host) {
        int bracket = host.startsWith("[") ? host.indexOf(']') : -1;
        int end = bracket < 0 ? nameEnd(host) : bracket + 1;
        if (end == 0) {
            throw new HttpException(400, "The host is empty");
        }
        boolean literal = bracket < 0 || isIpv6(host.substring(1, bracket));
        if (!literal || !isPort(host, end)) {
            throw new HttpException(
                    400, "The host is no name or address, with a colon and a port or without");
        }
    }

    /** Where a name ends, or an address of IPv4: at a colon, or at the end. */
    private static int nameEnd(String host) {
        int at = 0;
        while (at < host.length() && host.charAt(at) != ':') {
            char c = host.charAt(at);
            if (c == '%' && isEscape(host, at)) {
                at += 3;
            } else if (c < NAME.length && NAME[c]) {
                at++;
            } else {
                throw new HttpException(400, "The host has an invalid character at " + at);
            }
        }
        return at;
    }

    private static boolean isEscape(String host, int at) {
        return at + 2 < host.length()
                && Character.digit(host.charAt(at + 1), 16) >= 0
                && Character.digit(host.charAt(at + 2), 16) >= 0;
    }

    /** The JDK's own reader takes more than the grammar, groups of five digits for one. */
    private static boolean isIpv6(String address) {
        boolean elided = address.startsWith("::");
        int at = elided ? 2 : 0;
        int groups = 0;
        while (at < address.length()) {
            int colon = address.indexOf(':', at);
            int end = colon < 0 ? address.length() : colon;
            String part = address.substring(at, end);
            boolean ipv4 = colon < 0 && IPV4.matcher(part).matches();
            if (!ipv4 && !GROUP.matcher(part).matches()) {
                return false;
            }
            groups += ipv4 ? 2 : 1;
            at = end + 1;
            if (colon >= 0 && address.startsWith(":", at)) {
                if (elided) {
                    return false;
                }
                elided = true;
                at++;
            } else if (colon >= 0 && at == address.length()) {
                return false;
            }
        }
        return elided ? groups < IPV6_GROUPS : groups == IPV6_GROUPS;
    }

    /** Returns whether what is left is nothing, or a colon and a port that there can be, or none. */
    private static boolean isPort(String host, int colon) {
        if (colon == host.length()) {
            return true;
        }
        int port = 0;
        for (int i = colon + 1; i < host.length(); i++) {
            int digit = host.charAt(i) - '0';
            if (digit < 0 || digit > 9 || i > colon + 5) {
                return false;
            }
            port = port * 10 + digit;
        }
        return host.charAt(colon) == ':' && port <= GREATEST_PORT;
    }
}
