package dev.penstock.http.exchange;

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

    public void add(
            String method,
            String path,
            Handler handler,
            @Nullable Function<Exchange, Admission> admission) {
        if (!Syntax.isToken(method)) {
            throw new IllegalArgumentException("Method '" + method + "' is not a token of HTTP");
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "Path '" + path + "' must start with a slash: /" + path);
        }
        Node node = root;
        List<String> names = new ArrayList<>();
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
        Route route = new Route(path, List.copyOf(names), handler, admission);
        if (node.routes.putIfAbsent(method, route) != null) {
            throw new IllegalArgumentException(method + " " + path + " has a handler already");
        }
    }

    /** What answers a path, whatever the method. */
    @Nullable Match match(List<String> segments) {
        return match(root, segments, 0, new ArrayList<>());
    }

    /** All methods of all routes, for {@code OPTIONS *}. */
    String methods() {
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

    /**
     * A handler and what admits requests to it.
     *
     * @param path as it was added
     * @param names of the path's parameters, in their order
     * @param admission null where the server's own applies
     */
    record Route(
            String path,
            List<String> names,
            Handler handler,
            @Nullable Function<Exchange, Admission> admission) {}

    /** The routes of one path, and what its parameters are. */
    record Match(Map<String, Route> routes, List<String> values) {
        @Nullable Route route(String method) {
            Route route = routes.get(method);
            return route == null && method.equals("HEAD") ? routes.get("GET") : route;
        }

        String allow() {
            return Router.allow(new TreeSet<>(routes.keySet()));
        }

        String value(Route route, String name) {
            int index = route.names().indexOf(name);
            if (index < 0) {
                throw new IllegalArgumentException(
                        "The route has no path parameter '" + name + "', only " + route.names());
            }
            return values.get(index);
        }
    }
}
