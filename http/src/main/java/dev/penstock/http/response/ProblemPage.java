package dev.penstock.http.response;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.message.Status;
import dev.penstock.http.text.Html;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The page that a browser gets for an error: what is wrong, where in the query, and links that lead back. It has no
 * script.
 */
public final class ProblemPage {
    static final String MEDIA_TYPE = "text/html; charset=utf-8";
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    /** Characters of the query that are shown on either side of the place that is wrong. */
    private static final int AROUND = 60;

    private static final int MAX_SEGMENTS = 16;
    private static final String START =
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>{title}</title>
            <style>
            :root { color-scheme: light dark; }
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1.2rem; }
            nav { margin-bottom: 2rem; }
            nav a + a::before { content: "\\203A"; color: GrayText; padding: 0 .5rem; display: inline-block; }
            a { color: light-dark(#0a58a8, #7db8ff); text-decoration: none; }
            a:hover { text-decoration: underline; }
            h1 { font-size: 1.4rem; margin: 0 0 .6rem; }
            h1 span { color: light-dark(#a02c2c, #ff9a8f); margin-right: .4rem; }
            p { margin: .6rem 0; overflow-wrap: anywhere; }
            pre { background: light-dark(#f3f4f6, #24272c); border-radius: 6px; padding: .7rem .9rem;
              white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.5 ui-monospace, monospace; }
            mark { background: light-dark(#ffd3cc, #7a2b22); color: inherit; border-radius: 3px;
              padding: .1rem .15rem; }
            </style>
            </head>
            <body>
            """;

    private ProblemPage() {}

    /**
     * Returns whether a client would rather have a page than a problem document: it names {@code text/html}, and JSON
     * not above it.
     */
    public static boolean isWanted(List<String> accept) {
        double page = 0;
        double json = 0;
        for (String header : accept) {
            for (String element : header.split(",", 100)) {
                String[] parts = element.toLowerCase(Locale.ROOT).split(";", -1);
                switch (parts[0].strip()) {
                    case "text/html" -> page = Math.max(page, quality(parts));
                    case "application/json", Problem.MEDIA_TYPE ->
                            json = Math.max(json, quality(parts));
                    default -> {}
                }
            }
        }
        return page > 0 && page >= json;
    }

    private static double quality(String[] parts) {
        for (String part : parts) {
            String parameter = part.strip();
            if (parameter.matches("q=[01](\\.[0-9]{0,3})?")) {
                return Double.parseDouble(parameter.substring(2));
            }
        }
        return 1;
    }

    /**
     * The page.
     *
     * @param links whether a path of these segments has a page to go to
     */
    public static Problem of(
            HttpException exception, Exchange exchange, Predicate<List<String>> links) {
        Map<String, String> headers = new LinkedHashMap<>(exception.headers());
        headers.put("Content-Security-Policy", POLICY);
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Referrer-Policy", "no-referrer");
        return new Problem(
                exception.status(), MEDIA_TYPE, document(exception, exchange, links), headers);
    }

    private static String document(
            HttpException exception, Exchange exchange, Predicate<List<String>> links) {
        String phrase = Status.phrase(exception.status());
        StringBuilder page = new StringBuilder();
        page.append(START.replace("{title}", Html.escape(exception.status() + " " + phrase)));
        page.append(trail(exchange, exception.status() == 404, links));
        page.append("<main>\n<h1><span>").append(exception.status()).append("</span>");
        page.append(Html.escape(phrase)).append("</h1>\n");
        String detail = exception.getMessage();
        if (detail != null) {
            page.append("<p>").append(Html.escape(detail)).append("</p>\n");
        }
        if (exception.members().get("position") instanceof Integer position) {
            page.append(place(exchange.query(), position));
        }
        return page.append("</main>\n</body>\n</html>\n").toString();
    }

    /** The query with the character that is wrong marked. */
    private static String place(String query, int position) {
        int at = Math.clamp(position, 0, query.length());
        int end = Math.min(query.length(), at + 1);
        if (at < query.length() && query.charAt(at) == '%') {
            end = Math.min(query.length(), at + 3);
        }
        int from = Math.max(0, at - AROUND);
        int to = Math.min(query.length(), end + AROUND);
        return "<pre>"
                + (from > 0 ? "\u2026" : "?")
                + Html.escape(query.substring(from, at))
                + "<mark>"
                + (at == end ? "\u00A0" : Html.escape(query.substring(at, end)))
                + "</mark>"
                + Html.escape(query.substring(end, to))
                + (to < query.length() ? "\u2026" : "")
                + "</pre>\n";
    }

    /**
     * Links to what is above the path, and to the path itself without its query, where there is a page. They are
     * relative, so that they hold below any path that a container or a proxy puts before.
     */
    private static String trail(Exchange exchange, boolean missing, Predicate<List<String>> links) {
        String[] parts = exchange.path().split("/", MAX_SEGMENTS);
        StringBuilder trail = new StringBuilder();
        List<String> segments = new ArrayList<>();
        int depth = parts.length - 1;
        for (int i = 0; i < parts.length; i++) {
            segments.add(parts[i]);
            List<String> path = i == 0 ? List.of("") : segments.subList(1, segments.size());
            boolean empty = i > 0 && parts[i].isEmpty();
            boolean itself = i == depth && (missing || exchange.query().isEmpty());
            if (!empty && !itself && links.test(List.copyOf(path))) {
                trail.append("<a href=\"./").append("../".repeat(depth - Math.max(i, 1)));
                trail.append(i == 0 ? "" : encoded(parts[i])).append("\">");
                trail.append(i == 0 ? "Home" : Html.escape(parts[i])).append("</a>");
            }
        }
        return trail.isEmpty() ? "" : "<nav>" + trail + "</nav>\n";
    }

    private static String encoded(String segment) {
        return URLEncoder.encode(segment, UTF_8).replace("+", "%20").replace("*", "%2A");
    }
}
