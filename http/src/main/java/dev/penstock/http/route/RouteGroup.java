package dev.penstock.http.route;

import dev.penstock.http.Admission;
import dev.penstock.http.AfterFilter;
import dev.penstock.http.ErrorHandler;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A group of routes: its prefix, filters and settings, and the group around it. Filled by one thread before the server
 * starts, only read afterwards.
 */
public final class RouteGroup {
    private final Router router;
    private final @Nullable RouteGroup around;
    private final String prefix;
    private final List<Handler> before = new ArrayList<>();
    private final List<AfterFilter> after = new ArrayList<>();
    private final Map<Class<?>, ErrorHandler<?>> errorHandlers = new LinkedHashMap<>();
    private @Nullable Function<Exchange, Admission> admission;

    /** Negative where that of the group around it applies. */
    private long maxBody = -1;

    private @Nullable FilterChain chain;

    RouteGroup(Router router, @Nullable RouteGroup around, String prefix) {
        this.router = router;
        this.around = around;
        this.prefix = prefix;
    }

    /** Adds a group within this one. */
    public RouteGroup below(String relative) {
        boolean malformed = !relative.startsWith("/") || relative.endsWith("/");
        if ((malformed && !relative.isEmpty()) || relative.endsWith("...}")) {
            throw new IllegalArgumentException(
                    "The prefix '"
                            + relative
                            + "' must be empty or start with a slash, and not end with a slash or with a"
                            + " parameter that takes the rest");
        }
        RouteGroup group = new RouteGroup(router, this, prefix + relative);
        router.addGroup(group.prefix, group);
        return group;
    }

    /** Adds a route. */
    public void add(
            String method,
            String path,
            Handler handler,
            @Nullable Function<Exchange, Admission> admission) {
        if (!path.startsWith("/") && !(path.isEmpty() && !prefix.isEmpty())) {
            throw new IllegalArgumentException(
                    "Path '" + path + "' must start with a slash: /" + path);
        }
        router.add(method, prefix + path, handler, admission, this);
    }

    /** Adds a filter before the handlers. */
    public void before(Handler filter) {
        before.add(filter);
    }

    /** Adds a filter after the handlers. */
    public void after(AfterFilter filter) {
        after.add(filter);
    }

    /** Adds an error handler. */
    public void onError(Class<?> type, ErrorHandler<?> handler) {
        if (errorHandlers.putIfAbsent(type, handler) != null) {
            throw new IllegalArgumentException(
                    "%s has an error handler for %s already"
                            .formatted(
                                    around == null ? "The server" : "The group " + prefix,
                                    type.getName()));
        }
    }

    /** Has requests of its routes that have no admission of their own be admitted so. */
    public void admission(Function<Exchange, Admission> chosen) {
        admission = chosen;
    }

    /** Bounds the bodies of its requests. */
    public void maxBody(long bytes) {
        maxBody = bytes;
    }

    /** What admits requests to its routes; null where the server's own admission does. */
    @Nullable Function<Exchange, Admission> admission() {
        return admission != null || around == null ? admission : around.admission();
    }

    /** The largest body, in bytes, of a request of this group. */
    public long maxBody() {
        return maxBody >= 0 || around == null ? maxBody : around.maxBody();
    }

    /** Forgets what was made of its filters, since more may have been added. */
    void reset() {
        chain = null;
    }

    /** The filters of this group and of those around it. */
    public FilterChain chain() {
        FilterChain made = chain;
        if (made == null) {
            FilterChain outer = around == null ? FilterChain.EMPTY : around.chain();
            made = outer.within(before, after, errorHandlers);
            chain = made;
        }
        return made;
    }
}
