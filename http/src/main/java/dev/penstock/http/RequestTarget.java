package dev.penstock.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request's target, decoded once and strictly. A path is split at its slashes before it is decoded, so that {@code %2F}
 * stays in its segment; dots mean nothing.
 *
 * @param path decoded
 * @param segments the path's parts between slashes, decoded
 * @param query as it was sent
 * @param parameters decoded
 */
record RequestTarget(
        String path, List<String> segments, String query, List<Exchange.Parameter> parameters) {
    /**
     * Takes a target that starts with a slash, the asterisk, or a whole URL.
     *
     * @throws HttpException (400) if it is malformed
     */
    static RequestTarget parse(String target) {
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
        return new RequestTarget(path, segments, query, parameters(query));
    }

    private static List<String> segments(String path) {
        if (path.indexOf('/', 1) < 0) {
            return List.of(decode(path.substring(1), false, "path", 1));
        }
        List<String> segments = new ArrayList<>(4);
        for (int start = 1; start <= path.length(); ) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            segments.add(decode(path.substring(start, end), false, "path", start));
            start = end + 1;
        }
        return List.copyOf(segments);
    }

    /** What is known of a target that is malformed. */
    static final RequestTarget NONE = new RequestTarget("", List.of(), "", List.of());

    /** The same as it is seen from below so many segments. */
    RequestTarget below(int count) {
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
    static @Nullable String authority(String target) {
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

    /** Those of a query; {@link #parse} has found it well-formed. */
    static List<Exchange.Parameter> parameters(String query) {
        if (query.isEmpty()) {
            return List.of();
        }
        List<Exchange.Parameter> parameters = new ArrayList<>();
        for (int start = 0; start < query.length(); ) {
            int ampersand = query.indexOf('&', start);
            int end = ampersand < 0 ? query.length() : ampersand;
            if (end > start) {
                int equals = query.indexOf('=', start);
                int nameEnd = equals < 0 || equals > end ? end : equals;
                int valueStart = Math.min(nameEnd + 1, end);
                String name = decode(query.substring(start, nameEnd), true, "query", start);
                String value = decode(query.substring(valueStart, end), true, "query", valueStart);
                parameters.add(new Exchange.Parameter(name, value, valueStart));
            }
            start = end + 1;
        }
        return List.copyOf(parameters);
    }

    private static String decode(String raw, boolean plusIsSpace, String where, int position) {
        if (raw.indexOf('%') < 0) {
            return plusIsSpace ? raw.replace('+', ' ') : raw;
        }
        byte[] bytes = new byte[raw.length()];
        int length = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                bytes[length++] = escaped(raw, i, where, position);
                i += 2;
            } else {
                bytes[length++] = (byte) (c == '+' && plusIsSpace ? ' ' : c);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException _) {
            throw new HttpException(
                            400,
                            "The escapes in the %s from %d on are not UTF-8"
                                    .formatted(where, position))
                    .with("position", position);
        }
    }

    private static byte escaped(String raw, int at, String where, int position) {
        int high = at + 2 <= raw.length() - 1 ? Character.digit(raw.charAt(at + 1), 16) : -1;
        int low = at + 2 <= raw.length() - 1 ? Character.digit(raw.charAt(at + 2), 16) : -1;
        if (high < 0 || low < 0) {
            throw new HttpException(
                            400,
                            "The %s has a '%%' at %d without two hexadecimal digits; write a percent sign as %%25"
                                    .formatted(where, position + at))
                    .with("position", position + at);
        }
        if (high == 0 && low == 0) {
            throw new HttpException(
                            400, "The %s has a NUL (%%00) at %d".formatted(where, position + at))
                    .with("position", position + at);
        }
        return (byte) (high << 4 | low);
    }
}
