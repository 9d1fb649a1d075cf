package dev.penstock.server.page;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;

/**
 * A check that a request comes from this machine, and neither through a proxy nor from a page of another site in a
 * browser here.
 */
public final class LocalOnly {
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    /** The headers of a request that a proxy has handed on: it may have come to the proxy from anywhere. */
    private static final List<String> OF_PROXIES = List.of("Forwarded", "X-Forwarded-For", "Via");

    private LocalOnly() {}

    /**
     * Returns a handler behind that check.
     *
     * @param does what the handler does, to follow "This"
     * @param instead the remedy, to follow "open it as http://127.0.0.1"
     */
    public static Handler of(String does, String instead, Handler handler) {
        return exchange -> {
            if (!isLocal(exchange)) {
                throw new HttpException(
                        403,
                        "This %s, so it answers this machine alone: open it as http://127.0.0.1%s"
                                .formatted(does, instead));
            }
            handler.handle(exchange);
        };
    }

    /** Returns whether a request passes the check. */
    public static boolean isLocal(Exchange exchange) {
        String name = exchange.header("Host").orElse("").replaceFirst(":\\d+$", "");
        boolean direct = OF_PROXIES.stream().allMatch(header -> exchange.header(header).isEmpty());
        return direct
                && isLoopback(exchange.remoteAddress())
                && LOOPBACK.contains(name)
                && isOfThisSite(exchange);
    }

    /** Returns whether a request comes from a page of this server, or from no page at all. */
    public static boolean isOfThisSite(Exchange exchange) {
        String host = exchange.header("Host").orElse("");
        return exchange.header("Origin")
                .map(origin -> origin.equals("http://" + host) || origin.equals("https://" + host))
                .orElse(true);
    }

    /** A client at a Unix socket is not meant: it may be a proxy, for whoever has come to it. */
    private static boolean isLoopback(String address) {
        try {
            return InetAddress.ofLiteral(address).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
