package dev.penstock.daytrader.page;

import java.io.IOException;
import java.sql.SQLException;

/** An action or a page of the application: answers a visit. */
@FunctionalInterface
interface Page {
    /** Answers. A {@link dev.penstock.daytrader.trade.TradeException} becomes a page that says why. */
    void show(Visit visit) throws SQLException, IOException;
}
