package dev.penstock.http.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The media types that a client takes, as its {@code Accept} headers have them (RFC 9110, section 12.5.1). Immutable.
 */
public final class AcceptedTypes {
    private static final int MOST_RANGES = 100;

    private final List<Range> ranges;

    private AcceptedTypes(List<Range> ranges) {
        this.ranges = ranges;
    }

    /**
     * One element of {@code Accept}.
     *
     * @param type such as {@code text/csv}, {@code text/*} or {@code *}{@code /*}, in lower case
     * @param quality from 0 to 1
     */
    private record Range(String type, double quality) {
        /** Returns 2 for a type by its name, 1 by its first half, 0 as any; -1 for another. */
        int precision(String mediaType) {
            if (type.equals(mediaType)) {
                return 2;
            }
            if (type.equals("*/*") || type.equals("*")) {
                return 0;
            }
            boolean half = type.endsWith("/*");
            return half && mediaType.startsWith(type.substring(0, type.length() - 1)) ? 1 : -1;
        }
    }

    /** Reads the headers; the first hundred elements count, and one whose weight is malformed is not taken. */
    public static AcceptedTypes of(List<String> accept) {
        List<Range> ranges = new ArrayList<>();
        for (String element : Syntax.elements(accept)) {
            if (ranges.size() < MOST_RANGES) {
                String[] parts = element.toLowerCase(Locale.ROOT).split(";", -1);
                ranges.add(new Range(parts[0].strip(), Weight.of(parts)));
            }
        }
        return new AcceptedTypes(List.copyOf(ranges));
    }

    /**
     * Returns the offer that the client prefers, the first of those that it likes as much; any where it says nothing.
     *
     * @param offers media types, the most preferred first; parameters are left out of account
     */
    public Optional<String> best(List<String> offers) {
        String best = null;
        double bestQuality = 0;
        for (String offer : offers) {
            double quality = ranges.isEmpty() ? 1 : quality(offer, ranges);
            if (quality > bestQuality) {
                best = offer;
                bestQuality = quality;
            }
        }
        return Optional.ofNullable(best);
    }

    /** The element that names an offer most exactly decides; of several, the one of the highest weight. */
    private static double quality(String offer, List<Range> ranges) {
        int precision = -1;
        double quality = 0;
        for (Range range : ranges) {
            int found = range.precision(bare(offer));
            boolean better = found == precision && range.quality() > quality;
            if (found > precision || (better && found >= 0)) {
                precision = found;
                quality = range.quality();
            }
        }
        return quality;
    }

    private static String bare(String mediaType) {
        int parameters = mediaType.indexOf(';');
        String bare = parameters < 0 ? mediaType : mediaType.substring(0, parameters);
        return bare.strip().toLowerCase(Locale.ROOT);
    }
}
