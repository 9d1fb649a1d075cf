package dev.penstock.gateway;

import dev.penstock.gateway.response.RowRange;
import dev.penstock.http.Exchange;
import java.util.Optional;

/**
 * The distinction of bulk reads from short requests, by the head of the request alone: no name is looked up and nothing
 * is thrown.
 */
public final class BulkRequests {
    private BulkRequests() {}

    public static boolean isBulk(Exchange exchange) {
        if (RowRange.wantsTotal(exchange)) {
            return true;
        }
        if (RowRange.wantsOneObject(exchange)) {
            return false;
        }
        if (exchange.method().equals("POST") && exchange.parameter("limit").isEmpty()) {
            // Its limit is in its body, which is not read before it is admitted.
            return true;
        }
        if (RowRange.isRanged(exchange)) {
            // The rows up to its end are counted, for HEAD too.
            return !RowRange.isShort(exchange);
        }
        if (exchange.method().equals("HEAD")) {
            return false;
        }
        Optional<String> limit = exchange.parameter("limit");
        return limit.isEmpty() || isAbove(limit.get());
    }

    /** Returns whether a limit is above the bound; one that is no number is answered with an error, and shortly. */
    private static boolean isAbove(String limit) {
        return limit.matches("[0-9]{1,19}")
                && (limit.length() > 18 || Long.parseLong(limit) > Gateway.SHORT_ROWS);
    }
}
