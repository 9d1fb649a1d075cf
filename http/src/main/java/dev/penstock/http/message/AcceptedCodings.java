package dev.penstock.http.message;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The codings of content that a client takes, as its {@code Accept-Encoding} headers have them. Immutable. */
public final class AcceptedCodings {
    private final Map<String, Double> qualities;

    private AcceptedCodings(Map<String, Double> qualities) {
        this.qualities = qualities;
    }

    /** Reads the headers (RFC 9110, section 12.5.3). */
    public static AcceptedCodings of(List<String> acceptEncoding) {
        Map<String, Double> qualities = new HashMap<>(8);
        for (String element : Syntax.elements(acceptEncoding)) {
            String[] parts = element.toLowerCase(Locale.ROOT).split(";", -1);
            String coding = parts[0].trim();
            qualities.merge(coding.equals("x-gzip") ? "gzip" : coding, Weight.of(parts), Math::max);
        }
        return new AcceptedCodings(qualities);
    }

    /** Returns whether a coding is acceptable, and at least as welcome as none. */
    public boolean accepts(String coding) {
        double quality = quality(coding);
        return quality > 0 && quality >= qualities.getOrDefault("identity", -1.0);
    }

    /** Returns whether something is said of a coding by its name. */
    public boolean names(String coding) {
        return qualities.containsKey(coding);
    }

    /** Returns how welcome a coding is, from 0 to 1; -1 where nothing is said of it. */
    public double quality(String coding) {
        Double own = qualities.get(coding);
        return own != null ? own : qualities.getOrDefault("*", -1.0);
    }
}
