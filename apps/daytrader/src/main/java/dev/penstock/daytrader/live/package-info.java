/**
 * The market as it moves: {@link dev.penstock.daytrader.live.MarketFeed} takes each price that a trade has moved, and
 * tells browsers every two seconds, by WebSocket and by server-sent events.
 */
@NullMarked
package dev.penstock.daytrader.live;

import org.jspecify.annotations.NullMarked;
