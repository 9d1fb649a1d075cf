package dev.penstock.gateway.request;

import dev.penstock.format.RowFormat;
import dev.penstock.gateway.problem.Problems;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The choice of the format of a response: the one of {@code format=}, else the one that {@code Accept} prefers. */
public final class Negotiation {
    /** Other names that clients use for media types. */
    private static final Map<String, String> SYNONYMS =
            Map.of(
                    "text/xml", "application/xml",
                    "text/json", "application/json",
                    "application/vnd.pgrst.array+json", "application/json",
                    "application/vnd.pgrst.array", "application/json",
                    "application/ndjson", "application/x-ndjson",
                    "application/jsonl", "application/x-ndjson",
                    "application/x-jsonlines", "application/x-ndjson");

    private final List<RowFormat> formats;

    /**
     * @param formats what there is, the most preferred first
     */
    public Negotiation(List<RowFormat> formats) {
        this.formats = List.copyOf(formats);
    }

    public List<RowFormat> formats() {
        return formats;
    }

    /**
     * The format for a request.
     *
     * @throws HttpException 406 if there is none that the client takes
     */
    public RowFormat choose(Exchange exchange) {
        return find(exchange).orElseThrow(() -> notAcceptable(wanted(exchange)));
    }

    /** Returns whether the format for a request is a page for people. Throws nothing. */
    public boolean isPage(Exchange exchange) {
        return find(exchange).filter(RowFormat.HTML::equals).isPresent();
    }

    private Optional<RowFormat> find(Exchange exchange) {
        Optional<String> wanted = exchange.parameter("format");
        if (wanted.isPresent()) {
            String name = wanted.get().toLowerCase(Locale.ROOT);
            return formats.stream().filter(format -> format.name().equals(name)).findFirst();
        }
        String accept = String.join(",", exchange.headers("Accept"));
        return accept.isBlank() ? Optional.of(formats.getFirst()) : best(ranges(accept));
    }

    private static String wanted(Exchange exchange) {
        return exchange.parameter("format")
                .map(format -> "format=" + format)
                .orElseGet(() -> "Accept: " + String.join(",", exchange.headers("Accept")));
    }

    private HttpException notAcceptable(String wanted) {
        List<String> names = formats.stream().map(RowFormat::name).toList();
        List<String> types = formats.stream().map(format -> bare(format.mediaType())).toList();
        return Problems.of(
                        406,
                        "not_acceptable",
                        "there is no format for " + ParameterText.shown(wanted),
                        null,
                        "write format= with one of "
                                + String.join(", ", names)
                                + ", or Accept: with one of "
                                + String.join(", ", types))
                .with("formats", names)
                .with("mediaTypes", types);
    }

    /**
     * One part of {@code Accept}.
     *
     * @param type such as {@code text/csv}, {@code text/*} or {@code *}{@code /*}
     * @param quality from 0 to 1
     * @param index where it stands in the list
     * @param withoutNulls whether members that are NULL are to be left out
     */
    private record MediaRange(String type, double quality, int index, boolean withoutNulls) {
        /** How exactly it names a media type: 2 by its name, 1 by its first half, 0 as any; -1 if not at all. */
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

    private record Match(RowFormat format, int precision, MediaRange range) {
        RowFormat written() {
            return range.withoutNulls() ? RowFormat.withoutNulls(format).orElse(format) : format;
        }
    }

    private Optional<RowFormat> best(List<MediaRange> ranges) {
        Comparator<Match> better =
                Comparator.<Match>comparingDouble(match -> match.range().quality())
                        .thenComparingInt(Match::precision)
                        .thenComparing(match -> match.range().index(), Comparator.reverseOrder());
        Match best = null;
        for (RowFormat format : formats) {
            Match match = match(format, ranges);
            boolean accepted = match != null && match.range().quality() > 0;
            if (accepted && (best == null || better.compare(match, best) > 0)) {
                best = match;
            }
        }
        return Optional.ofNullable(best).map(Match::written);
    }

    /** The part that names a format most exactly; it decides, also against others. */
    private static @Nullable Match match(RowFormat format, List<MediaRange> ranges) {
        Match best = null;
        String type = bare(format.mediaType());
        for (MediaRange range : ranges) {
            boolean possible = !range.withoutNulls() || RowFormat.withoutNulls(format).isPresent();
            int precision = possible ? range.precision(type) : -1;
            if (precision >= 0 && (best == null || precision > best.precision())) {
                best = new Match(format, precision, range);
            }
        }
        return best;
    }

    private static List<MediaRange> ranges(String accept) {
        List<MediaRange> ranges = new ArrayList<>();
        for (String part : accept.split(",", 100)) {
            String type = bare(part);
            ranges.add(
                    new MediaRange(
                            SYNONYMS.getOrDefault(type, type),
                            quality(part),
                            ranges.size(),
                            isWithoutNulls(part)));
        }
        return ranges;
    }

    /** Returns whether a media type has the parameter {@code nulls=stripped}. */
    public static boolean isWithoutNulls(String part) {
        for (String parameter : part.split(";", -1)) {
            String plain = parameter.replace(" ", "").replace("\"", "");
            if (plain.equalsIgnoreCase("nulls=stripped")) {
                return true;
            }
        }
        return false;
    }

    /** The {@code q} of a part; 1 where there is none, 0 where it is no number. */
    private static double quality(String part) {
        for (String parameter : part.split(";", -1)) {
            String trimmed = parameter.strip().toLowerCase(Locale.ROOT);
            if (trimmed.startsWith("q=")) {
                String number = trimmed.substring(2).strip();
                return number.matches("[01](\\.[0-9]{0,3})?")
                        ? Math.min(1, Double.parseDouble(number))
                        : 0;
            }
        }
        return 1;
    }

    private static String bare(String mediaType) {
        int parameters = mediaType.indexOf(';');
        String bare = parameters < 0 ? mediaType : mediaType.substring(0, parameters);
        return bare.strip().toLowerCase(Locale.ROOT);
    }
}
