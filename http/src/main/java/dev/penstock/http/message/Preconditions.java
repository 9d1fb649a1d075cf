package dev.penstock.http.message;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The conditions of a request (RFC 9110, section 13), held against the version that there is. */
public final class Preconditions {
    private Preconditions() {}

    /** The consequence of a request's conditions. */
    public enum Outcome {
        /** The request is done as if there were none. */
        PROCEED,
        /** The client has this version: 304. */
        NOT_MODIFIED,
        /** The client wants another version: 412. */
        FAILED
    }

    /**
     * Decides by the conditions in their order (RFC 9110, section 13.2.2). Where neither a tag nor a time is known,
     * there is no version yet.
     *
     * @param headers all values of a header
     * @param reads whether the method is GET or HEAD
     * @param tag the version's entity tag, with its quotation marks; null where it has none
     * @param modified when it was made, in whole seconds; null where that is not known
     */
    public static Outcome check(
            Function<String, List<String>> headers,
            boolean reads,
            @Nullable String tag,
            @Nullable Instant modified) {
        List<String> match = headers.apply("If-Match");
        List<String> noneMatch = headers.apply("If-None-Match");
        boolean exists = tag != null || modified != null;
        if (!match.isEmpty()) {
            if (!matches(match, exists, tag, true)) {
                return Outcome.FAILED;
            }
        } else if (isAfter(modified, headers.apply("If-Unmodified-Since"))) {
            return Outcome.FAILED;
        }
        if (!noneMatch.isEmpty()) {
            if (!matches(noneMatch, exists, tag, false)) {
                return Outcome.PROCEED;
            }
            return reads ? Outcome.NOT_MODIFIED : Outcome.FAILED;
        }
        List<String> since = headers.apply("If-Modified-Since");
        boolean known = reads && modified != null && date(since) != null;
        return known && !isAfter(modified, since) ? Outcome.NOT_MODIFIED : Outcome.PROCEED;
    }

    /**
     * Returns whether a range may be answered from this version, as {@code If-Range} has it (RFC 9110, section 13.1.5).
     * A weak tag allows none, and neither does a date of less than a second ago: the version could change once more
     * within the same second (section 8.8.2.2).
     *
     * @param header its value; null where there is none
     */
    public static boolean allowsRange(
            @Nullable String header,
            @Nullable String tag,
            @Nullable Instant modified,
            Instant now) {
        if (header == null) {
            return true;
        }
        if (header.startsWith("\"") || header.startsWith("W/")) {
            return tag != null && isStrong(tag) && header.equals(tag);
        }
        return modified != null
                && !modified.plusSeconds(1).isAfter(now)
                && HttpDate.parse(header).filter(modified::equals).isPresent();
    }

    private static boolean matches(
            List<String> headers, boolean exists, @Nullable String tag, boolean strongly) {
        for (String element : Syntax.elements(headers)) {
            boolean found =
                    element.equals("*") ? exists : tag != null && same(tag, element, strongly);
            if (found) {
                return true;
            }
        }
        return false;
    }

    private static boolean same(String tag, String other, boolean strongly) {
        return strongly ? isStrong(tag) && tag.equals(other) : bare(tag).equals(bare(other));
    }

    /**
     * Returns whether a text is an entity tag (RFC 9110, section 8.8.3), with no backslash, which some take for an
     * escape.
     */
    public static boolean isTag(String text) {
        String bare = bare(text);
        return bare.length() >= 2
                && bare.startsWith("\"")
                && bare.indexOf('"', 1) == bare.length() - 1
                && bare.chars().allMatch(c -> c > 0x20 && c < 0x7f && c != '\\');
    }

    private static boolean isStrong(String tag) {
        return !tag.startsWith("W/");
    }

    private static String bare(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }

    private static boolean isAfter(@Nullable Instant modified, List<String> headers) {
        Instant date = date(headers);
        return modified != null && date != null && modified.isAfter(date);
    }

    /** A date that is malformed counts as none, as do several. */
    private static @Nullable Instant date(List<String> headers) {
        return headers.size() == 1 ? HttpDate.parse(headers.getFirst()).orElse(null) : null;
    }
}
