/**
 * The pages and the other resources of the application, at {@link dev.penstock.daytrader.page.DayTraderRoutes}.
 *
 * <p>A request becomes a {@code Visit} (who, where, with which {@code Input}). {@code AppPages} finds the action,
 * checks that it is meant, and calls a {@code Page} of {@code TradePages} or {@code UserPages}, which asks the services
 * by {@link dev.penstock.daytrader.run.TradeCalls}, and writes a template into memory ({@code Rendering}): only a page
 * that is complete is sent. What the services refuse, {@code Refusals} puts on a page with the status that fits.
 *
 * <p>Every text of a user's goes through a template's escaping, and no page allows a script but the application's own.
 */
@NullMarked
package dev.penstock.daytrader.page;

import org.jspecify.annotations.NullMarked;
