package dev.penstock.server.page;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;

/** Keeps what connects or runs something to this machine: refuses others, and pages of other sites that a browser here shows. */
public final class LocalOnly {
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    private LocalOnly() {}

    /**
     * The same handler behind that check.
     *
     * @param does what it does, after "This"
     * @param instead what there is to do instead, after "open it as http://127.0.0.1"
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

    private static boolean isLocal(Exchange exchange) {
        String host = exchange.header("Host").orElse("");
        String name = host.replaceFirst(":\\d+$", "");
        boolean sameSite =
                exchange.header("Origin")
                        .map(origin ->
                                origin.equals("http://" + host) || origin.equals("https://" + host))
                        .orElse(true);
        return isLoopback(exchange.remoteAddress()) && LOOPBACK.contains(name) && sameSite;
    }

    private static boolean isLoopback(String address) {
        try {
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false;
        }
    }
}
