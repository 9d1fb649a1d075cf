package dev.penstock.http.response;

import dev.penstock.http.message.Syntax;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The rules for compressing a response: whether a client accepts that (RFC 9110, section 12.5.3), and whether the media
 * type is worth it.
 */
final class ContentCoding {
    /** The form of a weight (RFC 9110, section 12.4.2). */
    private static final Pattern WEIGHT = Pattern.compile("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?");

    private ContentCoding() {}

    /** Whether gzip is acceptable, and at least as welcome as no coding. */
    static boolean acceptsGzip(List<String> acceptEncoding) {
        double gzip = -1;
        double identity = -1;
        double any = -1;
        for (String element : Syntax.elements(acceptEncoding)) {
            String[] parts = element.toLowerCase(Locale.ROOT).split(";", -1);
            double quality = quality(parts);
            switch (parts[0].trim()) {
                case "gzip", "x-gzip" -> gzip = Math.max(gzip, quality);
                case "identity" -> identity = quality;
                case "*" -> any = quality;
                default -> {}
            }
        }
        double forGzip = gzip >= 0 ? gzip : any;
        return forGzip > 0 && forGzip >= identity;
    }

    private static double quality(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].trim();
            if (parameter.startsWith("q=")) {
                String weight = parameter.substring(2);
                return WEIGHT.matcher(weight).matches() ? Double.parseDouble(weight) : 0;
            }
        }
        return 1;
    }

    /** Whether a media type is text of some kind; compressing what is compressed already only costs time. */
    static boolean compressible(String mediaType) {
        int semicolon = mediaType.indexOf(';');
        String type =
                (semicolon < 0 ? mediaType : mediaType.substring(0, semicolon))
                        .trim()
                        .toLowerCase(Locale.ROOT);
        return switch (type) {
            case "text/event-stream" -> false;
            case "application/json",
                    "application/x-ndjson",
                    "application/ndjson",
                    "application/jsonl",
                    "application/xml",
                    "application/javascript",
                    "application/wasm",
                    "application/vnd.pgrst.object+json",
                    "image/svg+xml" ->
                    true;
            default -> type.startsWith("text/") || type.endsWith("+json") || type.endsWith("+xml");
        };
    }
}
