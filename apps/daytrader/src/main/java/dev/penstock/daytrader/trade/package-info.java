/**
 * The words of the trading application: stocks ({@link dev.penstock.daytrader.trade.Quote}), accounts, holdings and
 * orders, and what can be done with them ({@link dev.penstock.daytrader.trade.TradeServices}).
 *
 * <p>An order begins open, with the money taken or given. It is closed when the shares have come or gone, and completed
 * when its user has seen that. An order that is open can be cancelled. A {@link
 * dev.penstock.daytrader.trade.TradeException} refuses what can't be done, with a message for the user, and nothing is
 * changed then.
 */
@NullMarked
package dev.penstock.daytrader.trade;

import org.jspecify.annotations.NullMarked;
