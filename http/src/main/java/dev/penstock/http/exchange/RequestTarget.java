package dev.penstock.http.exchange;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.message.PercentEncoding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request's target, decoded once and strictly. A path is split at its slashes before it is decoded, so that {@code
 * %2F} stays in its segment; dots mean nothing.
 *
 * @param path decoded
 * @param segments the path's parts between slashes, decoded
 * @param query as it was sent
 * @param parameters decoded
 */
public record RequestTarget(
        String path, List<String> segments, String query, List<Exchange.Parameter> parameters) {
    /**
     * Takes a target that starts with a slash, the asterisk, or a whole URL.
     *
     * @throws HttpException (400) if it is malformed
     */
    public static RequestTarget parse(String target) {
        if (target.equals("*")) {
            return new RequestTarget("*", List.of("*"), "", List.of());
        }
        String origin = originForm(target);
        int fragment = origin.indexOf('#');
        if (fragment >= 0) {
            throw new HttpException(
                    400, "The target has a '#' at " + fragment + ": write it as %23");
        }
        int question = origin.indexOf('?');
        String rawPath = question < 0 ? origin : origin.substring(0, question);
        String query = question < 0 ? "" : origin.substring(question + 1);
        int backslash = rawPath.indexOf('\\');
        if (backslash >= 0) {
            throw new HttpException(
                    400,
                    "The path has a backslash at %d, which some take for a slash: write it as %%5C"
                            .formatted(backslash));
        }
        List<String> segments = segments(rawPath);
        // Without escapes it is what the segments make.
        String path = rawPath.indexOf('%') < 0 ? rawPath : "/" + String.join("/", segments);
        return new RequestTarget(path, segments, query, Exchange.Parameter.of(query));
    }

    private static List<String> segments(String path) {
        if (path.indexOf('/', 1) < 0) {
            return List.of(decode(path.substring(1), 1));
        }
        List<String> segments = new ArrayList<>(4);
        for (int start = 1; start <= path.length(); ) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            segments.add(decode(path.substring(start, end), start));
            start = end + 1;
        }
        return List.copyOf(segments);
    }

    /** Returns whether a segment of the path has a slash, which was sent as {@code %2F}. */
    boolean hasEncodedSlash() {
        for (int i = 0; i < segments.size(); i++) {
            if (segments.get(i).indexOf('/') >= 0) {
                return true;
            }
        }
        return false;
    }

    /** What is known of a target that is malformed. */
    public static final RequestTarget NONE = new RequestTarget("", List.of(), "", List.of());

    /** The same as it is seen from below so many segments. */
    public RequestTarget below(int count) {
        if (count == 0 || path.equals("*")) {
            return this;
        }
        List<String> rest =
                count < segments.size()
                        ? List.copyOf(segments.subList(count, segments.size()))
                        : List.of("");
        return new RequestTarget("/" + String.join("/", rest), rest, query, parameters);
    }

    /** Without the scheme and authority that a target in absolute form starts with. */
    private static String originForm(String target) {
        if (target.startsWith("/")) {
            return target;
        }
        String authority = authority(target);
        if (authority == null || authority.isEmpty()) {
            throw new HttpException(400, "The target must start with a slash, or be a whole URL");
        }
        HostSyntax.check(authority);
        String rest = target.substring(target.indexOf("//") + 2 + authority.length());
        return rest.startsWith("/") ? rest : "/" + rest;
    }

    /** The host, with its port, that a target in absolute form starts with; null where it is none. */
    public static @Nullable String authority(String target) {
        int start = target.regionMatches(true, 0, "http://", 0, 7) ? 7 : -1;
        start = target.regionMatches(true, 0, "https://", 0, 8) ? 8 : start;
        if (start < 0) {
            return null;
        }
        int end = start;
        while (end < target.length() && "/?#".indexOf(target.charAt(end)) < 0) {
            end++;
        }
        return target.substring(start, end);
    }

    private static String decode(String raw, int position) {
        try {
            return PercentEncoding.decode(raw, false, "path", position);
        } catch (PercentEncoding.Malformed e) {
            throw new HttpException(400, e.problem()).with("position", e.position());
        }
    }
}
