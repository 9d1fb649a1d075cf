package dev.penstock.http.route;

import static java.util.Objects.requireNonNull;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.message.Syntax;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Routes by path and method: a tree of segments, in which a literal segment goes before a parameter, and a parameter
 * before one that takes the rest. Filled before the server starts, only read afterwards.
 */
public final class Router {
    private final Node root = new Node();
    private final RouteGroup all = new RouteGroup(this, null, "");
    private final List<RouteGroup> groups = new ArrayList<>();

    /** The group of all routes. */
    public RouteGroup all() {
        return all;
    }

    void add(
            String method,
            String path,
            Handler handler,
            @Nullable Function<Exchange, Admission> admission,
            RouteGroup group) {
        if (!Syntax.isToken(method)) {
            throw new IllegalArgumentException("Method '" + method + "' is not a token of HTTP");
        }
        List<String> names = new ArrayList<>();
        Node node = node(path, names);
        Route route = new Route(path, List.copyOf(names), handler, admission, group);
        if (node.routes.putIfAbsent(method, route) != null) {
            throw new IllegalArgumentException(method + " " + path + " has a handler already");
        }
    }

    /** Has requests below a prefix that no route matches be those of a group. The first of a prefix counts. */
    void addGroup(String prefix, RouteGroup group) {
        groups.add(group);
        if (prefix.isEmpty()) {
            return;
        }
        Node node = node(prefix, new ArrayList<>());
        if (node.group == null) {
            node.group = group;
        }
    }

    private Node node(String path, List<String> names) {
        Node node = root;
        String[] segments = path.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String segment = segments[i];
            if (!segment.startsWith("{") || !segment.endsWith("}")) {
                node = node.literals.computeIfAbsent(segment, _ -> new Node());
                continue;
            }
            boolean rest = segment.endsWith("...}");
            String name = segment.substring(1, segment.length() - (rest ? 4 : 1));
            if (name.isEmpty() || names.contains(name) || (rest && i + 1 < segments.length)) {
                throw new IllegalArgumentException(
                        "Path '"
                                + path
                                + "': a parameter needs a name of its own, and one that takes the rest must be last");
            }
            names.add(name);
            node = rest ? node.rest() : node.parameter();
        }
        return node;
    }

    /**
     * The group of a request that no route answers: that of the route that it asks about, or that of the routes of its
     * path where these are of one, otherwise the one with the longest prefix that its path has.
     *
     * @param askedMethod the method that a browser asks about before it sends a request; empty for none
     */
    public RouteGroup group(@Nullable Match match, List<String> segments, String askedMethod) {
        Route asked = match == null ? null : match.route(askedMethod);
        if (asked != null) {
            return asked.group;
        }
        RouteGroup ofPath = match == null ? null : match.group();
        return ofPath == null ? prefixed(root, segments, 0, new Prefixed(all, 0)).group : ofPath;
    }

    /** A group, and how many segments its prefix has. */
    private record Prefixed(RouteGroup group, int segments) {}

    /**
     * The group with the longest prefix; of two of one length, that whose literal segments come first, as for routes.
     */
    private static Prefixed prefixed(Node node, List<String> segments, int at, Prefixed best) {
        Prefixed longest =
                node.group != null && at > best.segments ? new Prefixed(node.group, at) : best;
        if (at == segments.size()) {
            return longest;
        }
        String segment = segments.get(at);
        Node literal = node.literals.get(segment);
        if (literal != null) {
            longest = prefixed(literal, segments, at + 1, longest);
        }
        if (node.parameter != null && !segment.isEmpty()) {
            longest = prefixed(node.parameter, segments, at + 1, longest);
        }
        return longest;
    }

    /**
     * Gives each route its filters and settings, now that all have been added.
     *
     * @return the largest body that any of them takes, in bytes
     */
    public long resolve() {
        all.reset();
        groups.forEach(RouteGroup::reset);
        resolve(root);
        return groups.stream().mapToLong(RouteGroup::maxBody).reduce(all.maxBody(), Math::max);
    }

    private static void resolve(Node node) {
        node.routes.values().forEach(Route::resolve);
        node.literals.values().forEach(Router::resolve);
        if (node.parameter != null) {
            resolve(node.parameter);
        }
        if (node.rest != null) {
            resolve(node.rest);
        }
    }

    /** What answers a path, whatever the method. */
    public @Nullable Match match(List<String> segments) {
        return match(root, segments, 0, new ArrayList<>());
    }

    /** All methods of all routes, for {@code OPTIONS *}. */
    public String methods() {
        SortedSet<String> methods = new TreeSet<>();
        collect(root, methods);
        return allow(methods);
    }

    private static void collect(Node node, SortedSet<String> methods) {
        methods.addAll(node.routes.keySet());
        node.literals.values().forEach(child -> collect(child, methods));
        if (node.parameter != null) {
            collect(node.parameter, methods);
        }
        if (node.rest != null) {
            collect(node.rest, methods);
        }
    }

    private static String allow(SortedSet<String> methods) {
        SortedSet<String> all = new TreeSet<>(methods);
        if (all.contains("GET")) {
            all.add("HEAD");
        }
        all.add("OPTIONS");
        return String.join(", ", all);
    }

    private @Nullable Match match(Node node, List<String> segments, int at, List<String> values) {
        if (at == segments.size()) {
            return node.routes.isEmpty() ? null : new Match(node.routes, List.copyOf(values));
        }
        String segment = segments.get(at);
        Node literal = node.literals.get(segment);
        Match found = literal == null ? null : match(literal, segments, at + 1, values);
        if (found == null && node.parameter != null && !segment.isEmpty()) {
            values.add(segment);
            found = match(node.parameter, segments, at + 1, values);
            values.removeLast();
        }
        if (found == null && node.rest != null) {
            values.add(String.join("/", segments.subList(at, segments.size())));
            found = new Match(node.rest.routes, List.copyOf(values));
            values.removeLast();
        }
        return found;
    }

    private static final class Node {
        final Map<String, Node> literals = new HashMap<>();
        final Map<String, Route> routes = new HashMap<>();
        @Nullable Node parameter;
        @Nullable Node rest;

        /** The group whose prefix ends here. */
        @Nullable RouteGroup group;

        Node parameter() {
            Node child = parameter == null ? new Node() : parameter;
            parameter = child;
            return child;
        }

        Node rest() {
            Node child = rest == null ? new Node() : rest;
            rest = child;
            return child;
        }
    }

    /** A handler, the filters before it, and what admits requests to it. */
    public static final class Route {
        private final String path;
        private final List<String> names;
        private final Handler handler;
        private final @Nullable Function<Exchange, Admission> admission;
        private final RouteGroup group;
        private Handler @Nullable [] steps;
        private FilterChain filters = FilterChain.EMPTY;
        private @Nullable Function<Exchange, Admission> admitting;
        private long maxBody;
        private boolean nonBlocking;

        /**
         * @param path as it was added, with the prefixes of its groups
         * @param names of the path's parameters, in their order
         * @param admission null where the server's own applies
         */
        Route(
                String path,
                List<String> names,
                Handler handler,
                @Nullable Function<Exchange, Admission> admission,
                RouteGroup group) {
            this.path = path;
            this.names = names;
            this.handler = handler;
            this.admission = admission;
            this.group = group;
        }

        public String path() {
            return path;
        }

        List<String> names() {
            return names;
        }

        Handler handler() {
            return handler;
        }

        /** What admits requests to it, its group's if it has none; null where the server's own admission does. */
        public @Nullable Function<Exchange, Admission> admission() {
            return admitting;
        }

        public FilterChain filters() {
            return filters;
        }

        /** The largest body of its requests, in bytes. */
        public long maxBody() {
            return maxBody;
        }

        /** The filters and, at last, the handler. */
        public Handler[] steps() {
            return requireNonNull(steps);
        }

        /** Returns whether none of them blocks. */
        public boolean isNonBlocking() {
            return nonBlocking;
        }

        private void resolve() {
            filters = group.chain();
            Handler[] all = filters.steps(handler);
            nonBlocking = FilterChain.isNonBlocking(all);
            steps = all;
            admitting = admission == null ? group.admission() : admission;
            maxBody = group.maxBody();
        }
    }

    /** The routes of one path, and what its parameters are. */
    public record Match(Map<String, Route> routes, List<String> values) {
        public @Nullable Route route(String method) {
            Route route = routes.get(method);
            return route == null && method.equals("HEAD") ? routes.get("GET") : route;
        }

        /** The group of all of these; null where they are of several. */
        @Nullable RouteGroup group() {
            RouteGroup common = null;
            for (Route route : routes.values()) {
                if (common != null && common != route.group) {
                    return null;
                }
                common = route.group;
            }
            return common;
        }

        public String allow() {
            return Router.allow(new TreeSet<>(routes.keySet()));
        }

        public String value(Route route, String name) {
            int index = route.names().indexOf(name);
            if (index < 0) {
                throw new IllegalArgumentException(
                        "The route has no path parameter '" + name + "', only " + route.names());
            }
            return values.get(index);
        }
    }
}
