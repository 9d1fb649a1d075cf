package dev.penstock.daytrader.page;

import dev.penstock.daytrader.trade.Order;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a page that is around its content.
 *
 * @param base where the application is mounted: {@code /daytrader}
 * @param userID who is logged in; null if nobody is
 * @param token what the forms of the session have; empty where nobody is logged in
 * @param message of what went wrong or well; empty if there is none
 * @param alerts the orders that were closed since the last page
 */
public record Frame(
        String base,
        String title,
        @Nullable String userID,
        String token,
        String message,
        List<Order> alerts) {
    public Frame {
        alerts = List.copyOf(alerts);
    }
}
