package dev.penstock.daytrader.page;

import dev.penstock.http.Exchange;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;

/** The origin of a request, as far as it tells. */
final class RequestOrigin {
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");
    private static final List<String> OF_PROXIES = List.of("Forwarded", "X-Forwarded-For", "Via");

    private RequestOrigin() {}

    /**
     * Returns whether a browser says that a page of another site has sent it. Clients that are no browsers say nothing.
     * A browser compares the origins itself, if it says so; here that is done only where it does not, since behind a
     * proxy the host may be another than the one that the browser knows.
     */
    static boolean isForeign(Exchange exchange) {
        String site = exchange.header("Sec-Fetch-Site").orElse("");
        if (!site.isEmpty()) {
            return !site.equals("same-origin") && !site.equals("none");
        }
        String host = exchange.header("Host").orElse("");
        return exchange.header("Origin")
                .map(origin ->
                        !origin.equals("http://" + host) && !origin.equals("https://" + host))
                .orElse(false);
    }

    /** Returns whether it comes from this machine, through no proxy, and under a name of this machine alone. */
    static boolean isLocal(Exchange exchange) {
        String name = exchange.header("Host").orElse("").replaceFirst(":\\d+$", "");
        return OF_PROXIES.stream().allMatch(header -> exchange.header(header).isEmpty())
                && isLoopback(exchange.remoteAddress())
                && LOOPBACK.contains(name)
                && !isForeign(exchange);
    }

    private static boolean isLoopback(String address) {
        try {
            return InetAddress.ofLiteral(address).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
