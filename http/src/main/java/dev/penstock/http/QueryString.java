package dev.penstock.http;

import dev.penstock.http.message.PercentEncoding;
import java.util.ArrayList;
import java.util.List;

/** The parameters of a query, or of a form in a body. */
final class QueryString {
    private QueryString() {}

    /**
     * Decodes the parameters of a query.
     *
     * @param where what the text is, for messages
     * @throws PercentEncoding.Malformed if an escape is malformed
     */
    static List<Exchange.Parameter> parameters(String query, String where) {
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
                String name = decode(query, start, nameEnd, where);
                String value = decode(query, valueStart, end, where);
                parameters.add(new Exchange.Parameter(name, value, valueStart));
            }
            start = end + 1;
        }
        return List.copyOf(parameters);
    }

    private static String decode(String query, int from, int to, String where) {
        return PercentEncoding.decode(query.substring(from, to), true, where, from);
    }
}
