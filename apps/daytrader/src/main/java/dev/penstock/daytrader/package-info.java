/**
 * DayTrader, the public benchmark's trading application, written with Penstock's public interfaces alone: {@link
 * dev.penstock.daytrader.DayTrader} opens it on a database and mounts it on a server.
 *
 * <p>From the ground up: {@code trade} has the words (stocks, accounts, orders) and the business interface, {@code
 * session} who is logged in, {@code store} the business logic in plain JDBC with the sample data and the check of the
 * books, {@code run} the ways to call it (a new object a request, or service pools) and the settings, {@code live} the
 * market as it moves, {@code page} the pages. A call goes from a page by {@code run} to an instance of the services,
 * whose one connection does it in one transaction.
 */
@NullMarked
package dev.penstock.daytrader;

import org.jspecify.annotations.NullMarked;
