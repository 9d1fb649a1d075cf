package dev.penstock.transfer.client.rows;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** The request for the rows behind the last that came. */
public final class Continuation {
    /** The header in which a server names the columns of the order, the key last. */
    public static final String HEADER = "Penstock-Resume-After";

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.:+-]+");

    private Continuation() {}

    /** Reads the names in the header, which are percent-encoded, so that a comma always separates two. */
    public static List<String> columns(String header) {
        List<String> names = new ArrayList<>();
        for (String name : header.split(",", -1)) {
            names.add(decoded(name.strip()));
        }
        return names;
    }

    private static String decoded(String name) {
        try {
            return URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return name;
        }
    }

    /** The limit in a query, if it has one. */
    public static OptionalLong limit(URI uri) {
        for (String parameter : parameters(uri)) {
            if (parameter.matches("limit=[0-9]{1,18}")) {
                return OptionalLong.of(Long.parseLong(parameter.substring("limit=".length())));
            }
        }
        return OptionalLong.empty();
    }

    /**
     * Makes the URI of the rest.
     *
     * @param values of the order's columns in the last row, NULL being nothing
     * @param rows that came already, which a limit counts
     */
    public static URI after(URI uri, List<Optional<String>> values, long rows) {
        StringJoiner query = new StringJoiner("&");
        for (String parameter : parameters(uri)) {
            String name = parameter.replaceFirst("=.*", "");
            if (name.equals("limit")) {
                query.add("limit=" + Math.max(limit(uri).orElse(0) - rows, 0));
            } else if (!name.equals("offset") && !name.equals("after") && !parameter.isEmpty()) {
                query.add(parameter);
            }
        }
        query.add(
                "after="
                        + URLEncoder.encode(written(values), StandardCharsets.UTF_8)
                                .replace("+", "%20"));
        String base = uri.toString();
        int question = base.indexOf('?');
        return URI.create((question < 0 ? base : base.substring(0, question)) + "?" + query);
    }

    /** The values as in {@code in.(…)}, with a bare {@code null} for NULL. */
    static String written(List<Optional<String>> values) {
        StringJoiner list = new StringJoiner(",", "(", ")");
        for (Optional<String> value : values) {
            list.add(value.map(Continuation::written).orElse("null"));
        }
        return list.toString();
    }

    private static String written(String value) {
        boolean isPlain =
                PLAIN.matcher(value).matches() && !value.toLowerCase(Locale.ROOT).equals("null");
        return isPlain ? value : "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private static List<String> parameters(URI uri) {
        String query = uri.getRawQuery();
        return query == null ? List.of() : List.of(query.split("&"));
    }

    static TransferException missing(String column) {
        return new TransferException(
                Kind.INVALID,
                ("The export broke off and can't go on, since its rows lack the column %s of its order; select it"
                                + " as well")
                        .formatted(column));
    }
}
