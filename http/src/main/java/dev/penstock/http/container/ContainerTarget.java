package dev.penstock.http.container;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.RequestTarget;
import java.util.Locale;

/**
 * The target of a request that has come to another server. That server has chosen the filters that stand before the
 * handlers by what it made of the path: dots resolved, parameters and empty parts removed, escapes decoded, each in its
 * own way. Handlers are chosen by the path as it was sent. So that nobody passes by a filter, a path is refused of
 * which the two could make different things, and any of which they have.
 */
final class ContainerTarget {
    private ContainerTarget() {}

    /**
     * The target, as it is seen from where the handlers are.
     *
     * @throws HttpException (400) if it is malformed, or could have been read in another way
     */
    static RequestTarget of(ContainerRequest host) {
        String requested = host.target();
        String mapped = host.mappedPath();
        int question = requested.indexOf('?');
        if (mapped != null) {
            checkPath(question < 0 ? requested : requested.substring(0, question));
        }
        RequestTarget target = RequestTarget.parse(requested);
        if (target.path().equals("*")) {
            return ofServer(target, host.method());
        }
        if (mapped != null && !target.below(host.applicationBelow()).path().equals(mapped)) {
            throw new HttpException(
                    400,
                    "The path is another than the one that the filters before this handler have seen:"
                            + " send it without escapes that are not needed");
        }
        return target.below(host.mountedBelow());
    }

    private static RequestTarget ofServer(RequestTarget target, String method) {
        if (!method.equals("OPTIONS")) {
            throw new HttpException(400, "The target is *, which only OPTIONS can have");
        }
        return target;
    }

    /**
     * Refuses what is no path in its normal form (RFC 3986, section 6.2.2.3), whatever the other server has made of it.
     */
    private static void checkPath(String path) {
        int semicolon = path.indexOf(';');
        if (semicolon >= 0) {
            throw refused("a parameter (';')", semicolon, "a semicolon is %3B");
        }
        String lower = path.toLowerCase(Locale.ROOT);
        for (String separator : new String[] {"\\", "%2f", "%5c"}) {
            int at = lower.indexOf(separator);
            if (at >= 0) {
                throw refused("'" + separator + "'", at, "use the query for such values");
            }
        }
        for (int start = 1; start <= lower.length(); ) {
            int slash = lower.indexOf('/', start);
            int end = slash < 0 ? lower.length() : slash;
            if (start == end && slash >= 0) {
                throw refused("two slashes", start - 1, "send one");
            }
            String segment = lower.substring(start, end).replace("%2e", ".");
            if (segment.equals(".") || segment.equals("..")) {
                throw refused("'" + segment + "'", start, "send the path that it leads to");
            }
            start = end + 1;
        }
    }

    private static HttpException refused(String what, int at, String remedy) {
        return new HttpException(
                        400,
                        "The path has %s at %d, which filters before this handler may read in another way: %s"
                                .formatted(what, at, remedy))
                .with("position", at);
    }
}
