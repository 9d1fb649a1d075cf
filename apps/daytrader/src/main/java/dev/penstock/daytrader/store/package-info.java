/**
 * The trading application in a database, by plain JDBC. {@link dev.penstock.daytrader.store.TradeStore} is the
 * database; it makes the instances of {@link dev.penstock.daytrader.trade.TradeServices}, which are {@code JdbcTrade}
 * (reading) with {@code Users} and {@code OrderDesk} (changing).
 *
 * <p>An instance has one connection ({@code TradeConnection}): held, or taken for each unit of work. It never needs a
 * second one, so as many instances as connections can't wait for each other. Transactions are read committed. They lock
 * in one order, account, order, holding, stock, and the stock last, because many want the same one. Money is changed by
 * one statement that looks at the balance too; whatever happens only once (an order is closed, a holding is sold) is a
 * statement that finds its row as it must be, or nothing. So nothing depends on what was read before.
 *
 * <p>{@link dev.penstock.daytrader.store.Population} fills the tables, the same for the same seed, and {@link
 * dev.penstock.daytrader.store.Books} checks that no money and no share was lost or made.
 */
@NullMarked
package dev.penstock.daytrader.store;

import org.jspecify.annotations.NullMarked;
